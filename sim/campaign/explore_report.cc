#include <fmt/format.h>

#include "sim/campaign/explore.h"
#include "sim/campaign/report.h"

namespace rollover {
namespace {

// Of processor time: what else runs on the machine does not count.
double StatesPerSecond(const ExploreReport& report) {
  return static_cast<double>(report.search.states) / std::max(report.cpu_seconds, 1e-6);
}

}  // namespace

nlohmann::ordered_json ExploreJson(const ExploreConfig& config, const ExploreReport& report) {
  const SearchResult& search = report.search;
  nlohmann::ordered_json json;
  json["preset"] = config.preset.name;
  json["turns"] = report.turns;
  json["faults"] = report.faults;
  json["states"] = search.states;
  json["transitions"] = search.transitions;
  json["commits"] = search.commits;
  json["reads"] = search.reads;
  json["quiet_phases"] = search.quiet_phases;
  json["depth"] = search.depth;
  json["crash_points"] = {{"reached", search.crash_points_struck}, {"total", report.crash_points}};
  json["complete"] = report.complete();
  json["stopped_by"] = search.stopped_by;
  auto& failures = json["failures"] = nlohmann::ordered_json::array();
  for (const FoundFailure& failure : report.failures) {
    failures.push_back({{"rule", RuleName(failure.rule)},
                        {"fingerprint", Fingerprint(failure)},
                        {"what", failure.what},
                        {"operations", failure.scenario.operations.size()},
                        {"faults", failure.scenario.faults.size()},
                        {"replays", report.environment_error.empty()},
                        {"scenario", failure.saved}});
  }
  json["seconds"] = report.seconds;
  json["cpu_seconds"] = report.cpu_seconds;
  json["states_per_s"] = StatesPerSecond(report);
  json["interrupted"] = report.interrupted;
  return json;
}

std::string ExploreScreen(const ExploreConfig& config, const ExploreReport& report) {
  const SearchResult& search = report.search;
  std::string text = fmt::format(
      "explore {}   {} turns, {} faults\n"
      "crash points {}/{}\n"
      "states {}   transitions {}   depth {}\n"
      "commits judged {}   reads {}   quiet phases {}\n"
      "{:.0f} states/s of one core, {:.1f} s\n",
      config.preset.name, report.turns, report.faults, search.crash_points_struck,
      report.crash_points, search.states, search.transitions, search.depth, search.commits,
      search.reads, search.quiet_phases, StatesPerSecond(report), report.seconds);
  for (const FoundFailure& failure : report.failures) text += Describe(failure);
  if (report.complete()) {
    text += "complete: every state of this scope was seen, and every rule held\n";
  } else {
    text += fmt::format("NOT complete: stopped by {}\n", search.stopped_by);
  }
  return text;
}

}  // namespace rollover
