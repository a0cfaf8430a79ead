#include "sim/campaign/night_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sim/campaign/files.h"
#include "sim/campaign/junit.h"
#include "sim/campaign/night_page.h"
#include "sim/campaign/numbers.h"
#include "sim/campaign/page.h"

namespace rollover {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kHistory = "history.jsonl";

std::string Dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::uint64_t Count(const NightReport& report, FailureState state) {
  return static_cast<std::uint64_t>(
      std::count_if(report.failures.begin(), report.failures.end(),
                    [state](const FailureTonight& failure) { return failure.state == state; }));
}

std::uint64_t Outcomes(const NightReport& report, PartOutcome outcome) {
  return static_cast<std::uint64_t>(
      std::count_if(report.parts.begin(), report.parts.end(),
                    [outcome](const PartResult& part) { return part.outcome == outcome; }));
}

std::string_view VerdictWord(const NightReport& report) {
  if (report.broken()) return "broken";
  if (!report.night.finished) return "interrupted";
  return report.all_ran() ? "held" : "not all ran";
}

// The number at a path of keys; 0 when it is not there.
std::uint64_t At(const Json& json, const char* pointer) {
  const Json::json_pointer at(pointer);
  return json.contains(at) && json[at].is_number() ? json[at].get<std::uint64_t>() : 0;
}

double Percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return 0;
  return std::round(1000.0 * static_cast<double>(part) / static_cast<double>(whole)) / 10;
}

// The middle of what the planted bugs took, one number a bug.
std::uint64_t MedianTurns(const Json& bugs) {
  std::vector<std::uint64_t> turns;
  for (const Json& bug : bugs) turns.push_back(At(bug, "/turns_to_find"));
  if (turns.empty()) return 0;
  const auto middle = turns.begin() + static_cast<std::ptrdiff_t>(turns.size() / 2);
  std::nth_element(turns.begin(), middle, turns.end());
  return *middle;
}

void AddBugs(const Json& json, Json& line) {
  line["bugs_found"] = At(json, "/by_their_rule");
  line["bugs_total"] = At(json, "/total");
  line["bugs_median_turns"] = MedianTurns(json.value("bugs", Json::array()));
  std::uint64_t slowest = 0;
  for (const Json& bug : json.value("bugs", Json::array())) {
    slowest = std::max(slowest, At(bug, "/turns_to_find"));
  }
  line["bugs_slowest_turns"] = slowest;
}

void AddFuzz(const Json& json, Json& line) {
  for (const Json& target : json.value("targets", Json::array())) {
    line["fuzz_runs"] = At(line, "/fuzz_runs") + At(target, "/runs");
    line["fuzz_edges"] = At(line, "/fuzz_edges") + At(target, "/edges");
  }
  const auto percent = [&](const char* room) {
    return Percent(At(json, fmt::format("/coverage/{}/lines_reached", room).c_str()),
                   At(json, fmt::format("/coverage/{}/lines", room).c_str()));
  };
  if (!json.contains("coverage")) return;
  line["coverage_model"] = percent("model");
  line["coverage_engine"] = percent("engine");
}

void AddFigures(const PartResult& part, Json& line) {
  const std::string command = part.run.command();
  line["turns"] = At(line, "/turns") + (command == "explore" ? 0 : At(part.json, "/turns"));
  line["commits"] = At(line, "/commits") + At(part.json, "/commits");
  if (command == "bugs") AddBugs(part.json, line);
  if (command == "fuzz") AddFuzz(part.json, line);
  if (command == "explore") {
    line["explore_states"] = At(line, "/explore_states") + At(part.json, "/states");
  }
}

Json JsonOf(const FailureTonight& tonight, const fs::path& out) {
  Json json{{"state", StateName(tonight.state)}, {"seen", tonight.seen}};
  json.update(RecordJson(tonight.known));
  json["replay"] = ReplayCommand(out, tonight);
  return json;
}

Json JsonOf(const PartResult& part) {
  Json json{{"part", part.run.part},
            {"arguments", part.run.arguments},
            {"outcome", OutcomeName(part.outcome)},
            {"seconds", part.run.seconds},
            {"exit_code", part.run.exit_code},
            {"signal", part.run.signal},
            {"timed_out", part.run.timed_out},
            {"did", part.did},
            {"failures", part.failures.size()}};
  if (!part.reason.empty()) json["reason"] = part.reason;
  return json;
}

std::string Note(const FailureTonight& failure) {
  const std::uint64_t first = failure.known.first_night;
  switch (failure.state) {
    case FailureState::kNew:
      return fmt::format("new, {}", failure.known.failure.part);
    case FailureState::kKnown:
      return fmt::format("known since night {}{}", first,
                         failure.seen ? "" : "; not seen, and no replay judged it");
    case FailureState::kFixed:
      return fmt::format("fixed; known since night {}", first);
  }
  return "";
}

// A pipe would end the cell of a table.
std::string Cell(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("|\n", at)) != std::string::npos; at += 2) {
    text.replace(at, 1, text[at] == '|' ? "\\|" : "  ");
  }
  return text;
}

// Earlier lines that are whole; a line of this night is written anew.
std::vector<Json> ReadHistory(const fs::path& path, std::uint64_t night) {
  std::vector<Json> lines;
  std::istringstream text(ReadFile(path));
  for (std::string line; std::getline(text, line);) {
    Json json = Json::parse(line, nullptr, false);
    if (json.is_object() && At(json, "/night") != night) lines.push_back(std::move(json));
  }
  return lines;
}

}  // namespace

std::string NightHeadline(const NightReport& report) {
  std::string text;
  if (const std::size_t ran = report.parts.size() - Outcomes(report, PartOutcome::kNotRun);
      !report.all_ran()) {
    text = fmt::format("{} of {} parts ran", std::min(ran, report.planned.size()),
                       report.planned.size());
  } else {
    text = fmt::format("All {} parts ran", report.planned.size());
  }
  const std::uint64_t fresh = Count(report, FailureState::kNew);
  const std::uint64_t known = Count(report, FailureState::kKnown);
  const std::uint64_t fixed = Count(report, FailureState::kFixed);
  if (fresh + known + fixed == 0) return text + "; nothing broke.";
  return text + fmt::format("; failures: {} new, {} known, {} fixed.", fresh, known, fixed);
}

std::string ReplayCommand(const fs::path& out, const FailureTonight& failure) {
  const std::string& scenario = failure.known.failure.scenario;
  if (scenario.empty()) return "";
  const std::string path = ShellWord((out / scenario).string());
  if (scenario.ends_with(".json")) return "./rollover replay " + path + " --trace text";
  return "an input of a fuzz target: " + path;
}

Json HistoryLine(const NightReport& report) {
  Json line{{"night", report.night.number},
            {"started", report.night.started},
            {"version", report.night.version},
            {"core", report.night.core.empty() ? "reference" : report.night.core},
            {"verdict", VerdictWord(report)},
            {"seconds", report.seconds()},
            {"new", Count(report, FailureState::kNew)},
            {"known", Count(report, FailureState::kKnown)},
            {"fixed", Count(report, FailureState::kFixed)}};
  for (const PartResult& part : report.parts) {
    if (part.json.is_object()) AddFigures(part, line);
  }
  return line;
}

Json NightJson(const fs::path& out, const NightReport& report) {
  Json json = HistoryLine(report);
  json["headline"] = NightHeadline(report);
  json["budget_s"] = report.night.budget.count() / 1000;
  json["finished"] = report.night.finished;
  json["planned"] = report.planned;
  json["parts"] = Json::array();
  for (const PartResult& part : report.parts) json["parts"].push_back(JsonOf(part));
  json["failures"] = Json::array();
  for (const FailureTonight& failure : report.failures) {
    json["failures"].push_back(JsonOf(failure, out));
  }
  if (!report.environment_error.empty()) json["environment_error"] = report.environment_error;
  return json;
}

std::string NightScreen(const fs::path& out, const NightReport& report) {
  std::string text;
  for (const FailureTonight& failure : report.failures) {
    const NightFailure& known = failure.known.failure;
    text += fmt::format("\n{} {}   ({})\n  {}\n", failure.seen ? "FAIL" : "    ", known.rule,
                        Note(failure), known.what);
    const std::string replay = ReplayCommand(out, failure);
    if (!replay.empty()) text += fmt::format("  {}\n", replay);
  }
  return text + fmt::format("\nnight {}, {:.0f} s: {}\n{}\n", report.night.number, report.seconds(),
                            NightHeadline(report), (out / "index.html").string());
}

std::string NightMarkdown(const fs::path& out, const NightReport& report) {
  std::string text = fmt::format(
      "## Rollover, night {}: {}\n\n{} {}, {} of {}.\n\n", report.night.number, VerdictWord(report),
      NightHeadline(report), report.night.started, DurationText(report.seconds()),
      DurationText(static_cast<double>(report.night.budget.count()) / 1000));
  if (!report.failures.empty()) {
    text += "| failure | rule | what | replay |\n| --- | --- | --- | --- |\n";
    for (const FailureTonight& failure : report.failures) {
      const NightFailure& known = failure.known.failure;
      const std::string replay = ReplayCommand(out, failure);
      text += fmt::format("| {} | {} | {} | {} |\n", Cell(Note(failure)), Cell(known.rule),
                          Cell(known.what), replay.empty() ? "" : "`" + Cell(replay) + "`");
    }
    text += '\n';
  }
  text += "| part | outcome | time | what it did |\n| --- | --- | ---: | --- |\n";
  for (const PartResult& part : report.parts) {
    text += fmt::format("| {} | {} | {} | {} |\n", Cell(part.run.part), OutcomeName(part.outcome),
                        DurationText(part.run.seconds),
                        Cell(part.reason.empty() ? part.did : part.reason));
  }
  return text;
}

std::string NightJunit(const NightReport& report) {
  std::vector<JunitCase> cases;
  for (const std::string& name : report.planned) {
    JunitCase a_case{.classname = "rollover.nightly",
                     .name = name,
                     .outcome = JunitOutcome::kError,
                     .message = "did not end"};
    for (const PartResult& part : report.parts) {
      if (part.run.part != name || part.run.interrupted) continue;
      a_case.outcome = part.outcome == PartOutcome::kHeld     ? JunitOutcome::kPassed
                       : part.outcome == PartOutcome::kBroken ? JunitOutcome::kFailed
                                                              : JunitOutcome::kError;
      a_case.message = part.reason;
      a_case.seconds = part.run.seconds;
      for (const NightFailure& failure : part.failures) {
        if (a_case.message.empty()) a_case.message = failure.rule + ": " + failure.what;
        a_case.text += fmt::format("{}: {}\n  {}\n", failure.rule, failure.what, failure.scenario);
      }
    }
    cases.push_back(std::move(a_case));
  }
  if (!report.environment_error.empty()) {
    cases.push_back({.classname = "rollover.nightly",
                     .name = "night",
                     .outcome = JunitOutcome::kError,
                     .message = report.environment_error});
  }
  return Junit("rollover nightly", report.seconds(), cases);
}

std::optional<std::string> WriteReport(const fs::path& out, NightReport& report) {
  report.history = ReadHistory(out / kHistory, report.night.number);
  report.history.push_back(HistoryLine(report));
  std::string history;
  for (const Json& line : report.history) history += Dump(line, -1);
  if (auto error = WriteFile(out / kHistory, history)) return error;
  if (auto error = WriteFile(out / "summary.json", Dump(NightJson(out, report), 1))) return error;
  if (auto error = WriteFile(out / "summary.md", NightMarkdown(out, report))) return error;
  if (auto error = WriteFile(out / "junit.xml", NightJunit(report))) return error;
  return WriteFile(out / "index.html", NightPage(out, report));
}

}  // namespace rollover
