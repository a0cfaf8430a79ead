#include "sim/campaign/night_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "sim/campaign/child.h"
#include "sim/campaign/failure.h"
#include "sim/campaign/numbers.h"

namespace rollover {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kHeld = 0;
constexpr int kBroken = 1;
constexpr int kStale = 2;  // of replay

// What another version of a command may not have printed is 0 or empty.
std::uint64_t Number(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_number() ? at->get<std::uint64_t>() : 0;
}
std::string Text(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : "";
}
Json Child(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() ? *at : Json();
}

std::string DidRun(const Json& json) {
  const Json situations = Child(json, "situations");
  const auto reached = std::count_if(situations.begin(), situations.end(),
                                     [](const Json& count) { return count != 0; });
  return fmt::format(
      "{} seeds{}, {} turns, {} commits; {} of {} situations", Grouped(Number(json, "seeds")),
      json.contains("futures") ? fmt::format(" and {} futures", Grouped(Number(json, "futures")))
                               : "",
      Grouped(Number(json, "turns")), Grouped(Number(json, "commits")), reached, situations.size());
}

std::string DidSoak(const Json& json) {
  const Json highest = Child(json, "highest");
  std::string text =
      fmt::format("{} turns, {} commits; at most {} live", Grouped(Number(json, "turns")),
                  Grouped(Number(json, "commits")),
                  BytesText(static_cast<double>(Number(highest, "live_state_bytes"))));
  if (const std::uint64_t bound = Number(highest, "bound"); bound > 0) {
    text += fmt::format(", bound {}", BytesText(static_cast<double>(bound)));
  }
  return text;
}

std::string DidExplore(const Json& json) {
  const Json points = Child(json, "crash_points");
  const std::string stopped = Text(json, "stopped_by");
  const std::uint64_t faults = Number(json, "faults");
  return fmt::format("{} turns, {} {}: {} states; crash points {}/{}; {}", Number(json, "turns"),
                     faults, faults == 1 ? "fault" : "faults", Grouped(Number(json, "states")),
                     Grouped(Number(points, "reached")), Grouped(Number(points, "total")),
                     stopped.empty() ? "complete" : "not complete, stopped by " + stopped);
}

std::string DidBugs(const Json& json) {
  std::string text = fmt::format(
      "{} of {} planted bugs found, {} by their rule, from {} starts each", Number(json, "found"),
      Number(json, "total"), Number(json, "by_their_rule"), Number(json, "starts"));
  if (const std::string slowest = Text(json, "slowest"); !slowest.empty()) {
    text += "; slowest " + slowest;
  }
  return text;
}

std::string DidFuzz(const Json& json) {
  const Json targets = Child(json, "targets");
  std::uint64_t runs = 0;
  for (const Json& target : targets) runs += Number(target, "runs");
  std::string text = fmt::format("{} targets, {} runs", targets.size(), Grouped(runs));
  const Json model = Child(Child(json, "coverage"), "model");
  if (const std::uint64_t lines = Number(model, "lines"); lines > 0) {
    text += fmt::format(
        "; model/ {:.1f} % of lines reached",
        100.0 * static_cast<double>(Number(model, "lines_reached")) / static_cast<double>(lines));
  }
  return text;
}

std::string DidCore(const Json& json) {
  const Json rules = Child(json, "rules");
  const auto held = std::count_if(rules.begin(), rules.end(),
                                  [](const Json& rule) { return Text(rule, "answer") == "held"; });
  return fmt::format("{} of {} rules held, {} turns", held, rules.size(),
                     Grouped(Number(json, "turns")));
}

// One answer is an object, several are a list in one.
std::vector<Json> Answers(const Json& json) {
  const Json results = Child(json, "results");
  if (results.is_array()) return results.get<std::vector<Json>>();
  return json.contains("answer") ? std::vector<Json>{json} : std::vector<Json>{};
}

// Of the known failures that it replayed.
std::uint64_t CountAnswers(const Json& json, const std::string& text) {
  const std::vector<Json> answers = Answers(json);
  return static_cast<std::uint64_t>(
      std::count_if(answers.begin(), answers.end(),
                    [&](const Json& answer) { return Text(answer, "answer") == text; }));
}

std::string DidReplay(const Json& json) {
  return fmt::format("{} reproduced, {} fixed, {} stale", CountAnswers(json, "REPRODUCED"),
                     CountAnswers(json, "FIXED"), CountAnswers(json, "STALE"));
}

std::string Did(const std::string& command, const Json& json) {
  if (command == "run") return DidRun(json);
  if (command == "soak") return DidSoak(json);
  if (command == "explore") return DidExplore(json);
  if (command == "bugs") return DidBugs(json);
  if (command == "fuzz") return DidFuzz(json);
  if (command == "core") return DidCore(json);
  return DidReplay(json);
}

std::string LastLine(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \n\r\t");
  if (end == std::string::npos) return {};
  const std::size_t before = text.find_last_of('\n', end);
  return text.substr(before == std::string::npos ? 0 : before + 1,
                     end - (before == std::string::npos ? 0 : before + 1) + 1);
}

void Add(PartResult& part, const std::string& rule, const std::string& what) {
  part.failures.push_back(
      {.fingerprint = Fingerprint(rule, what), .rule = rule, .what = what, .part = part.run.part});
}

void ReadFailures(PartResult& part) {
  for (const Json& failure : Child(part.json, "failures")) {
    std::string input = Text(failure, "scenario");
    if (input.empty()) input = Text(failure, "input");
    part.failures.push_back({.fingerprint = Text(failure, "fingerprint"),
                             .rule = Text(failure, "rule"),
                             .what = Text(failure, "what"),
                             .scenario = input,
                             .part = part.run.part});
  }
}

bool Whole(const PartRun& run, const Json& json, const std::string& command) {
  if (!json.is_object()) return false;
  return run.exit_code == kHeld || run.exit_code == kBroken || run.exit_code == kChildInterrupted ||
         (command == "replay" && run.exit_code == kStale);
}

// How it ended, where that is a finding by itself.
void JudgeEnd(PartResult& part, const std::string& errors) {
  const PartRun& run = part.run;
  if (run.timed_out) {
    Add(part, "time-out", fmt::format("{} did not end in its time", run.part));
  } else if (run.signal == SIGKILL) {
    Add(part, "killed", run.part + " was killed, as when the machine's memory is used up");
  } else if (run.signal != 0) {
    Add(part, "crashed", fmt::format("{} was ended by signal {}", run.part, run.signal));
  } else if (errors.find("out of memory") != std::string::npos) {
    Add(part, "out-of-memory", run.part + " used up its memory");
  }
}

}  // namespace

PartResult ReadPart(PartRun run, const std::string& output, const std::string& errors) {
  const std::string command = run.command();
  PartResult part{.run = std::move(run), .json = Json::parse(output, nullptr, false)};
  if (part.json.is_discarded()) part.json = Json();
  if (part.json.is_object()) {
    part.did = Did(command, part.json);
    ReadFailures(part);
  }
  if (part.run.interrupted) {
    part.outcome = part.failures.empty() ? PartOutcome::kInterrupted : PartOutcome::kBroken;
    return part;
  }
  JudgeEnd(part, errors);
  const bool whole = Whole(part.run, part.json, command);
  const bool broken = part.run.exit_code == kBroken && command != "replay";
  if (whole && broken && part.failures.empty()) {
    Add(part, "no-report", part.run.part + " failed, and does not say how");
  }
  if (!part.failures.empty() || CountAnswers(part.json, "REPRODUCED") > 0) {
    part.outcome = PartOutcome::kBroken;
  } else if (const std::uint64_t stale = CountAnswers(part.json, "STALE"); whole && stale > 0) {
    part.outcome = PartOutcome::kNotRun;  // neither fixed nor seen: no silent green
    part.reason = fmt::format("{} of the known failures could not be judged: STALE", stale);
  } else if (!whole || part.run.exit_code == kChildInterrupted) {
    part.outcome = PartOutcome::kNotRun;
    part.reason = LastLine(errors);
    if (part.reason.empty()) part.reason = fmt::format("exit code {}", part.run.exit_code);
  }
  return part;
}

std::map<std::string, std::string> Replayed(const PartResult& part) {
  std::map<std::string, std::string> answers;
  for (const Json& answer : Answers(part.json)) {
    answers[Text(answer, "file")] = Text(answer, "answer");
  }
  return answers;
}

std::string_view OutcomeName(PartOutcome outcome) {
  switch (outcome) {
    case PartOutcome::kHeld:
      return "held";
    case PartOutcome::kBroken:
      return "BROKEN";
    case PartOutcome::kNotRun:
      return "NOT RUN";
    case PartOutcome::kInterrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace rollover
