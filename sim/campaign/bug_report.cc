#include "sim/campaign/bug_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/campaign/failure.h"
#include "sim/campaign/numbers.h"

namespace rollover {
namespace {

using Json = nlohmann::ordered_json;

std::string RuleColumn(const HuntedBug& hunted) {
  if (!hunted.found()) return "SURVIVES";
  if (hunted.by_its_rule()) return std::string(RuleName(hunted.bug->expected));
  const auto wrong = [&](const Hunt& hunt) {
    return hunt.conviction && hunt.conviction->rule != hunted.bug->expected;
  };
  const auto at = std::find_if(hunted.swarm.begin(), hunted.swarm.end(), wrong);
  const Hunt& hunt = at != hunted.swarm.end() ? *at : hunted.corpus;
  return fmt::format("WRONG {}", RuleName(hunt.conviction->rule));
}

std::string Row(const HuntedBug& hunted, bool corpus) {
  const auto median = hunted.median();
  std::string row = fmt::format(
      "  {:<34} {:<22} {:>6} {:>8} {:>8}", hunted.bug->name, RuleColumn(hunted),
      fmt::format("{}/{}", hunted.starts_that_found(), hunted.swarm.size()),
      median ? Grouped(median->turns) : "-", median ? fmt::format("{:.2f}", median->seconds) : "-");
  if (!hunted.rare.empty()) {
    const auto rare = HuntedBug::MedianOf(hunted.rare);
    row += fmt::format(" {:>9}", rare ? Grouped(rare->turns) : "-");
  }
  if (corpus) row += fmt::format(" {:>7}", hunted.corpus.conviction ? "yes" : "-");
  return row + "\n";
}

std::string WhatWentWrong(const HuntedBug& hunted) {
  if (!hunted.found()) {
    return fmt::format("  {} survives; expected: {}\n", hunted.bug->name,
                       RuleName(hunted.bug->expected));
  }
  std::string text;
  const auto look = [&](const Hunt& hunt) {
    if (!hunt.conviction || hunt.conviction->rule == hunted.bug->expected) return;
    text += fmt::format("  {} breaks {}, not {}: {} ({})\n", hunted.bug->name,
                        RuleName(hunt.conviction->rule), RuleName(hunted.bug->expected),
                        hunt.conviction->what, hunt.conviction->by);
  };
  for (const Hunt& hunt : hunted.swarm) look(hunt);
  for (const Hunt& hunt : hunted.rare) look(hunt);
  look(hunted.corpus);
  return text;
}

const HuntedBug* Slowest(const HuntReport& report) {
  const HuntedBug* slowest = nullptr;
  for (const HuntedBug& hunted : report.bugs) {
    if (!hunted.median()) continue;
    if (slowest == nullptr || hunted.median()->turns > slowest->median()->turns) slowest = &hunted;
  }
  return slowest;
}

std::string SummaryLine(const HuntReport& report) {
  const auto well = static_cast<std::size_t>(
      std::count_if(report.bugs.begin(), report.bugs.end(),
                    [](const HuntedBug& hunted) { return hunted.by_its_rule(); }));
  std::string line = fmt::format("found {}/{}, ", report.found(), report.bugs.size());
  line += well == report.bugs.size() ? "each by its rule" : fmt::format("{} by their rule", well);
  if (const HuntedBug* slowest = Slowest(report)) {
    line += fmt::format("; slowest {}: {} turns", slowest->bug->name,
                        Grouped(slowest->median()->turns));
    const std::string_view because = slowest->bug->slow_because;
    if (!because.empty()) line += fmt::format(" ({})", because);
  }
  return line + "\n";
}

Json HuntJson(const Hunt& hunt) {
  Json json{{"found", hunt.conviction.has_value()}};
  if (hunt.conviction) {
    json["by"] = hunt.conviction->by;
    json["rule"] = RuleName(hunt.conviction->rule);
    json["also"] = Json::array();
    for (const Rule rule : hunt.conviction->also) json["also"].push_back(RuleName(rule));
    json["what"] = hunt.conviction->what;
  }
  json["scenarios"] = hunt.scenarios;
  json["turns"] = hunt.turns;
  json["seconds"] = hunt.seconds;
  return json;
}

// What does not go well, as other commands list what they find: a survivor, a bug that breaks
// another rule than its own, a rule that convicts the model itself.
Json FailuresJson(const HuntReport& report) {
  Json failures = Json::array();
  const auto add = [&](std::string_view kind, const std::string& what) {
    failures.push_back({{"rule", kind},
                        {"fingerprint", Fingerprint(kind, what)},
                        {"what", what},
                        {"scenario", ""}});
  };
  for (const HuntedBug& hunted : report.bugs) {
    if (!hunted.found()) {
      add("planted-bug-survives", std::string(hunted.bug->name));
    } else if (!hunted.by_its_rule()) {
      add("planted-bug-breaks-another-rule", std::string(hunted.bug->name));
    }
  }
  if (!report.reference_broke.empty()) add("model-convicted", report.reference_broke);
  return failures;
}

Json BugJson(const HuntedBug& hunted, bool corpus) {
  const auto median = hunted.median();
  Json json{{"name", hunted.bug->name},
            {"family", hunted.bug->family},
            {"story", hunted.bug->story},
            {"source", hunted.bug->source},
            {"rule", RuleName(hunted.bug->expected)},
            {"found", hunted.found()},
            {"by_its_rule", hunted.by_its_rule()},
            {"alone", hunted.convicted_alone()},
            {"slow_because", hunted.bug->slow_because}};
  for (const char* key : {"seeds_to_find", "turns_to_find", "seconds_to_find"}) json[key] = nullptr;
  if (median) {
    json["seeds_to_find"] = median->scenarios;
    json["turns_to_find"] = median->turns;
    json["seconds_to_find"] = median->seconds;
  }
  Json starts = Json::array();
  for (const Hunt& hunt : hunted.swarm) starts.push_back(HuntJson(hunt));
  json["means"]["swarm"] = {{"found", hunted.starts_that_found()}, {"starts", std::move(starts)}};
  if (!hunted.rare.empty()) {
    Json rare = Json::array();
    for (const Hunt& hunt : hunted.rare) rare.push_back(HuntJson(hunt));
    const auto middle = HuntedBug::MedianOf(hunted.rare);
    json["means"]["from_rare"] = {{"turns_to_find", middle ? Json(middle->turns) : Json(nullptr)},
                                  {"starts", std::move(rare)}};
  }
  if (corpus) json["means"]["corpus"] = HuntJson(hunted.corpus);
  return json;
}

}  // namespace

std::vector<RulePower> PowerOfRules(const HuntReport& report) {
  std::vector<RulePower> rules;
  for (const RuleInfo& info : Rules()) {
    RulePower power{.rule = info.rule};
    for (const HuntedBug& hunted : report.bugs) {
      if (hunted.bug->expected != info.rule) continue;
      power.bugs.push_back(hunted.bug->name);
      if (hunted.convicted_alone()) power.alone.push_back(hunted.bug->name);
    }
    rules.push_back(std::move(power));
  }
  return rules;
}

std::string HuntScreen(const HuntReport& report) {
  const bool corpus = report.corpus_scenarios > 0;
  const bool rare = !report.bugs.empty() && !report.bugs.front().rare.empty();
  std::string screen =
      fmt::format("  {:<34} {:<22} {:>6} {:>8} {:>8}{}{}\n", "planted bug", "rule", "swarm",
                  "turns", "seconds", rare ? " from rare" : "", corpus ? "  corpus" : "");
  std::string_view family;
  for (const HuntedBug& hunted : report.bugs) {
    if (hunted.bug->family != family) screen += fmt::format("{}\n", hunted.bug->family);
    family = hunted.bug->family;
    screen += Row(hunted, corpus);
  }
  screen += "\nrules, with the bugs that each convicts, and of these alone\n";
  for (const RulePower& power : PowerOfRules(report)) {
    if (power.bugs.empty()) continue;
    screen += fmt::format("  {:<22} {:>3} {:>3}\n", RuleName(power.rule), power.bugs.size(),
                          power.alone.size());
  }
  screen += '\n';
  for (const HuntedBug& hunted : report.bugs) {
    if (!hunted.by_its_rule()) screen += WhatWentWrong(hunted);
  }
  screen += fmt::format(
      "the model on the same {} scenarios: {}\n", Grouped(report.reference_scenarios),
      report.reference_broke.empty() ? "all rules held" : "FAIL " + report.reference_broke);
  return screen + SummaryLine(report);
}

Json HuntJson(const HuntConfig& config, const HuntReport& report) {
  Json json{{"bugs", Json::array()}};
  for (const HuntedBug& hunted : report.bugs) {
    json["bugs"].push_back(BugJson(hunted, report.corpus_scenarios > 0));
  }
  json["rules"] = Json::array();
  for (const RulePower& power : PowerOfRules(report)) {
    json["rules"].push_back(
        {{"rule", RuleName(power.rule)}, {"bugs", power.bugs}, {"alone", power.alone}});
  }
  json["found"] = report.found();
  json["total"] = report.bugs.size();
  json["by_their_rule"] = std::count_if(report.bugs.begin(), report.bugs.end(),
                                        [](const auto& h) { return h.by_its_rule(); });
  const HuntedBug* slowest = Slowest(report);
  json["slowest"] = slowest != nullptr ? Json(slowest->bug->name) : Json(nullptr);
  json["reference"] = {{"scenarios", report.reference_scenarios},
                       {"held", report.reference_broke.empty()},
                       {"broke", report.reference_broke}};
  json["failures"] = FailuresJson(report);
  json["starts"] = config.starts;
  json["max_turns"] = config.turns_max;
  json["corpus_scenarios"] = report.corpus_scenarios;
  json["seconds"] = report.seconds;
  json["interrupted"] = report.interrupted;
  return json;
}

}  // namespace rollover
