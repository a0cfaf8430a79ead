// Blame in words and as JSON.
#include <fmt/format.h>

#include "sim/campaign/blame.h"
#include "sim/campaign/numbers.h"

namespace rollover {
namespace {

using Json = nlohmann::ordered_json;

std::string OutcomeOf(const Flip& flip) {
  if (flip.same) return "fails the same";
  return flip.broke.empty() ? "holds" : "breaks " + flip.broke + " instead";
}

double ShareOf(const Moment& moment) {
  if (moment.futures == 0) return 0;
  return static_cast<double>(moment.failed) / static_cast<double>(moment.futures);
}

Json FlipJson(const Flip& flip) {
  Json json{{"flip", flip.what}, {"same_failure", flip.same}};
  json["broke"] = nullptr;
  if (!flip.broke.empty()) json["broke"] = flip.broke;
  return json;
}

std::string MomentWords(const Moment& moment) {
  if (!moment.after) return "before anything";
  const HandOut& after = *moment.after;
  return fmt::format("turn {}  {} {} attempt {}{}", after.turn, StepName(after.step),
                     after.occurrence, after.attempt, after.committed ? "" : "  (no commit)");
}

}  // namespace

Json BlameJson(const BlameReport& report) {
  Json json{{"rule", RuleName(report.violation.rule)},
            {"what", report.violation.what},
            {"decisions", Json::array()},
            {"necessary", report.necessary()}};
  for (const Decision& decision : report.decisions) {
    Json entry{{"decision", decision.what}, {"necessary", decision.necessary()}};
    entry["flips"] = Json::array({FlipJson(decision.dropped)});
    for (const Flip& flip : decision.others) entry["flips"].push_back(FlipJson(flip));
    json["decisions"].push_back(std::move(entry));
  }
  json["moments_skipped"] = report.moments_skipped;
  json["moments"] = Json::array();
  for (const Moment& moment : report.moments) {
    Json entry{{"after", nullptr}, {"failed", moment.failed}, {"futures", moment.futures}};
    if (moment.after) {
      entry["after"] = {{"turn", moment.after->turn},
                        {"step", StepName(moment.after->step)},
                        {"occurrence", moment.after->occurrence},
                        {"attempt", moment.after->attempt},
                        {"committed", moment.after->committed}};
    }
    json["moments"].push_back(std::move(entry));
  }
  json["certain_from"] = nullptr;
  if (report.certain_from) json["certain_from"] = *report.certain_from;
  json["runs"] = report.runs;
  return json;
}

std::string BlameScreen(const BlameReport& report) {
  std::string screen =
      fmt::format("{}   turn {}  {} attempt {}  commit {}\n  {}\n", RuleName(report.violation.rule),
                  report.where.turn, StepName(report.where.step), report.where.attempt,
                  report.violation.commit, report.violation.what);
  screen += fmt::format("\n{} of {} decisions are necessary\n", report.necessary(),
                        report.decisions.size());
  for (const Decision& decision : report.decisions) {
    screen +=
        fmt::format("  {}  {}\n", decision.necessary() ? "NECESSARY" : "         ", decision.what);
    screen +=
        fmt::format("               {}: {}\n", decision.dropped.what, OutcomeOf(decision.dropped));
    for (const Flip& flip : decision.others) {
      screen += fmt::format("               {}: {}\n", flip.what, OutcomeOf(flip));
    }
  }
  screen += fmt::format("\nhow many of {} random futures fail, after each hand-out\n",
                        Grouped(report.moments.empty() ? 0 : report.moments.front().futures));
  if (report.moments_skipped > 0) {
    screen += fmt::format("  ... {} earlier ones\n", Grouped(report.moments_skipped));
  }
  for (std::size_t i = 0; i < report.moments.size(); ++i) {
    const Moment& moment = report.moments[i];
    screen += fmt::format("  {:>5.1f} %  {}{}\n", 100 * ShareOf(moment), MomentWords(moment),
                          report.certain_from == i ? "   <- certain from here on" : "");
  }
  if (!report.certain_from) screen += "never certain before the very end\n";
  return screen;
}

}  // namespace rollover
