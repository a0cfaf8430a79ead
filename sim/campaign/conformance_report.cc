// What a core's author sees, and what continuous integration reads.
#include <fmt/format.h>

#include <array>

#include "sim/campaign/conformance.h"
#include "sim/campaign/junit.h"

namespace rollover {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kAnswers = {"held", "BROKEN", "not applicable",
                                                      "not reached"};

std::string_view AnswerName(RuleAnswer answer) {
  return kAnswers.at(static_cast<std::size_t>(answer));
}

std::string Remark(const RuleConformance& rule) {
  switch (rule.answer) {
    case RuleAnswer::kHeld:
      return fmt::format("{} times judged", rule.judged);
    case RuleAnswer::kBroken:
      return fmt::format("{} operations, {} faults: {}", rule.smallest->scenario.operations.size(),
                         rule.smallest->scenario.faults.size(),
                         rule.smallest->saved.empty() ? "not saved" : rule.smallest->saved);
    case RuleAnswer::kNotApplicable:
      return "no compaction";
    case RuleAnswer::kNotReached:
      return "nothing that it judges came up";
  }
  return {};
}

}  // namespace

std::string ConformanceScreen(const ConformanceConfig& config, const ConformanceReport& report) {
  const RunSummary& summary = report.summary;
  const bool compaction = config.core.external == nullptr || config.core.external->compaction;
  std::string screen =
      fmt::format("{} ({}), {:.1f} s\n", config.core.text,
                  compaction ? "with compaction" : "without compaction", summary.seconds);
  for (const ConformancePart& part : report.parts) {
    screen += fmt::format("  {:<20} {:>6} scenarios\n", part.name, part.scenarios);
  }
  screen += fmt::format("  {} turns, {} commits, {} attempts, {} reads\n\n",
                        summary.statistics.turns, summary.statistics.commits,
                        summary.statistics.attempts, summary.statistics.reads);
  std::uint64_t broken = 0;
  for (const RuleConformance& rule : report.rules) {
    broken += rule.answer == RuleAnswer::kBroken ? 1 : 0;
    screen += fmt::format("  {:<22} {:<15} {}\n", RuleName(rule.rule), AnswerName(rule.answer),
                          Remark(rule));
  }
  for (const RuleConformance& rule : report.rules) {
    if (rule.smallest) screen += "\n" + Describe(*rule.smallest);
  }
  if (summary.interrupted) screen += "\ninterrupted: not everything was run\n";
  if (config.first_only && broken > 0) screen += "\n--first: what comes after was not run\n";
  if (!summary.environment_error.empty()) screen += "\nnot finished\n";
  if (broken == 0 && !report.finished()) return screen;
  screen += broken == 0 ? "\nall rules held\n"
                        : fmt::format("\n{} rules broken, by {} scenarios\n", broken,
                                      summary.failures_total);
  return screen;
}

Json ConformanceJson(const ConformanceConfig& config, const ConformanceReport& report) {
  const RunSummary& summary = report.summary;
  Json json{{"core", config.core.text},
            {"conformant", report.conformant()},
            {"turns", summary.statistics.turns},
            {"commits", summary.statistics.commits},
            {"failures_total", summary.failures_total},
            {"seconds", summary.seconds},
            {"trace_hash", summary.hash.Hex()},
            {"interrupted", summary.interrupted}};
  if (!summary.environment_error.empty()) json["environment_error"] = summary.environment_error;
  json["parts"] = Json::array();
  for (const ConformancePart& part : report.parts) {
    json["parts"].push_back({{"name", part.name}, {"scenarios", part.scenarios}});
  }
  json["rules"] = Json::array();
  json["failures"] = Json::array();
  for (const RuleConformance& rule : report.rules) {
    Json entry{{"rule", RuleName(rule.rule)},
               {"answer", AnswerName(rule.answer)},
               {"judged", rule.judged}};
    if (rule.smallest) {
      entry["what"] = rule.smallest->what;
      entry["scenario"] = rule.smallest->saved;
      entry["operations"] = rule.smallest->scenario.operations.size();
      entry["faults"] = rule.smallest->scenario.faults.size();
      json["failures"].push_back({{"rule", RuleName(rule.rule)},
                                  {"fingerprint", Fingerprint(*rule.smallest)},
                                  {"what", rule.smallest->what},
                                  {"scenario", rule.smallest->saved}});
    }
    json["rules"].push_back(std::move(entry));
  }
  return json;
}

std::string ConformanceJunit(const ConformanceConfig& config, const ConformanceReport& report) {
  std::vector<JunitCase> cases;
  for (const RuleConformance& rule : report.rules) {
    JunitCase a_case{.classname = "rollover.rules", .name = std::string(RuleName(rule.rule))};
    if (rule.answer == RuleAnswer::kBroken) {
      a_case.outcome = JunitOutcome::kFailed;
      a_case.message = rule.smallest->what;
      a_case.text = Describe(*rule.smallest);
    } else if (rule.answer != RuleAnswer::kHeld) {
      a_case.outcome = JunitOutcome::kSkipped;
      a_case.message = Remark(rule);
    }
    cases.push_back(std::move(a_case));
  }
  if (!report.finished()) {
    cases.push_back({.classname = "rollover",
                     .name = "suite",
                     .outcome = JunitOutcome::kError,
                     .message = "not finished: " + (report.summary.interrupted
                                                        ? std::string("interrupted")
                                                        : report.summary.environment_error)});
  }
  return Junit("rollover core " + config.core.text, report.summary.seconds, cases);
}

}  // namespace rollover
