#include "sim/campaign/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/campaign/files.h"
#include "sim/scenario_json.h"
#include "sim/wire/line_reader.h"

namespace rollover {
namespace {

// Files of one name that are kept beside each other; the last one is written again.
constexpr int kSavedAlikeMax = 100;

std::vector<std::string> TraceLines(const Scenario& scenario, const CoreFactory& factory) {
  std::vector<std::string> lines;
  WorldConfig config{.factory = factory};
  config.trace = [&lines](const TraceEvent& event) {
    lines.push_back(fmt::format("event {}, turn {}, {} attempt {}: {} {}", event.number, event.turn,
                                StepName(event.step), event.attempt, TraceKindName(event.kind),
                                event.text));
  };
  RunScenario(scenario, config);
  return lines;
}

// Words and the marks ; and , between them; every word with a digit is a #.
std::vector<std::string> WordsWithoutNumbers(std::string_view text) {
  std::vector<std::string> words(1);
  const auto is_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == ' ' || c == '\n') {
      words.emplace_back();
      ++at;
    } else if (c == ';' || c == ',') {
      words.emplace_back(1, c);
      words.emplace_back();
      ++at;
    } else if (c == '"' && text.find('"', at + 1) != std::string_view::npos) {
      words.back() += "\"..\"";
      at = text.find('"', at + 1) + 1;
    } else if (is_word(c)) {
      const std::size_t from = at;
      bool digit = false;
      for (; at < text.size() && is_word(text[at]); ++at) {
        digit = digit || (text[at] >= '0' && text[at] <= '9');
      }
      words.back() += digit ? "#" : text.substr(from, at - from);
    } else {
      words.back() += c;
      ++at;
    }
  }
  std::erase(words, "");
  return words;
}

// Of a word or a pair of words that follows itself, one stays.
void DropRepetitions(std::vector<std::string>& words) {
  for (std::size_t length = 1; length <= 2; ++length) {
    for (std::size_t at = length; at + length <= words.size();) {
      const auto here = words.begin() + static_cast<std::ptrdiff_t>(at);
      const auto end = here + static_cast<std::ptrdiff_t>(length);
      if (std::equal(here, end, here - static_cast<std::ptrdiff_t>(length))) {
        words.erase(here, end);
      } else {
        ++at;
      }
    }
  }
}

}  // namespace

std::string Fingerprint(std::string_view kind, std::string_view what) {
  std::vector<std::string> words = WordsWithoutNumbers(what);
  DropRepetitions(words);
  std::string text{kind};
  text += ':';
  for (const std::string& word : words) {
    if (word != ";" && word != ",") text += ' ';
    text += word;
  }
  return text;
}

Scenario CutToFailure(const Scenario& scenario, const Verdict& verdict) {
  Scenario reduced = scenario;
  reduced.operations.resize(verdict.operations_begun);
  std::map<std::uint64_t, std::vector<Fault>> unfired;  // by turn
  for (const Fault& fault : verdict.unfired) unfired[fault.turn].push_back(fault);
  const auto had_no_part = [&](const Fault& fault) {
    if (fault.turn > verdict.turns_begun) return true;
    std::vector<Fault>& of_turn = unfired[fault.turn];
    const auto at = std::find(of_turn.begin(), of_turn.end(), fault);
    if (at == of_turn.end()) return false;
    of_turn.erase(at);
    return true;
  };
  std::erase_if(reduced.faults, had_no_part);
  return reduced;
}

std::string FirstDifference(const Scenario& scenario, const CoreFactory& a, const CoreFactory& b) {
  const std::vector<std::string> first = TraceLines(scenario, a);
  const std::vector<std::string> second = TraceLines(scenario, b);
  const std::size_t both = std::min(first.size(), second.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (first[i] != second[i]) return fmt::format("{} <> {}", first[i], second[i]);
  }
  if (first.size() == second.size()) return {};
  const std::vector<std::string>& longer = first.size() > second.size() ? first : second;
  return fmt::format("{} <> the end", longer[both]);
}

FoundFailure Confirm(const Scenario& scenario, const Verdict& verdict, const CoreFactory& factory) {
  CHECK(!verdict.held());
  const Violation& violation = verdict.violations.front();
  const Verdict again = RunScenario(scenario, {.factory = factory});
  FoundFailure failure{.rule = violation.rule,
                       .what = violation.what,
                       .where = verdict.where,
                       .hash = verdict.hash,
                       .scenario = CutToFailure(scenario, again),
                       .core_log = verdict.core_log};
  failure.where.commit = violation.commit;
  const Verdict reduced = RunScenario(failure.scenario, {.factory = factory});
  if (again.hash == verdict.hash && reduced.hash == verdict.hash && !reduced.held()) return failure;
  failure.rule = Rule::kDeterministic;
  const std::string difference = FirstDifference(scenario, factory, factory);
  failure.what = fmt::format("{} was broken ({}), and then another trace followed: {}",
                             RuleName(violation.rule), violation.what,
                             !difference.empty() ? difference
                             : again.hash != verdict.hash
                                 ? "the third run agrees with the second"
                                 : "decisions that found nothing to hit had a part in it");
  failure.scenario = scenario;
  return failure;
}

namespace {

std::string FileText(const FoundFailure& failure, const CoreSpec& core) {
  return WriteScenario({.scenario = failure.scenario,
                        .failure = KnownFailure{.rule = std::string(RuleName(failure.rule)),
                                                .what = failure.what,
                                                .core = core.text,
                                                .found_by = failure.found_by,
                                                .trace_hash = failure.hash.Hex()}});
}

}  // namespace

std::optional<std::string> SaveAs(FoundFailure& failure, const CoreSpec& core,
                                  const std::filesystem::path& path) {
  if (auto error = WriteFile(path, FileText(failure, core))) return error;
  failure.saved = path.string();
  return std::nullopt;
}

std::optional<std::string> Save(FoundFailure& failure, const CoreSpec& core,
                                const std::filesystem::path& directory, const std::string& name) {
  const std::string stem = fmt::format("{}-{:x}{}{}", RuleName(failure.rule), failure.seed,
                                       name.empty() ? "" : "-", name);
  const std::string text = FileText(failure, core);
  // Another core, or the same one changed, may have failed at this seed before: that stays.
  for (int number = 1;; ++number) {
    const auto path = directory / "failures" /
                      (number == 1 ? stem + ".json" : fmt::format("{}-{}.json", stem, number));
    std::error_code code;
    const bool taken = std::filesystem::is_regular_file(path, code) && ReadFile(path) != text;
    if (!taken || number == kSavedAlikeMax) return SaveAs(failure, core, path);
  }
}

std::string Describe(const FoundFailure& failure) {
  std::string text =
      fmt::format("FAIL {}   turn {}  {} attempt {}  commit {}\n  {}\n", RuleName(failure.rule),
                  failure.where.turn, StepName(failure.where.step), failure.where.attempt,
                  failure.where.commit, failure.what);
  const std::size_t operations = failure.scenario.operations.size();
  const std::size_t faults = failure.scenario.faults.size();
  if (failure.found) {
    text += fmt::format("  found by {} after {} operations, {} faults; shrunk to {}, {}\n",
                        failure.found_by, failure.found->operations, failure.found->faults,
                        operations, faults);
  } else {
    text += fmt::format("  found by {}; {} operations, {} faults\n", failure.found_by, operations,
                        faults);
  }
  if (!failure.core_log.empty()) text += "  the core's standard error, its last lines:\n";
  for (const std::string& line : failure.core_log) {
    text += fmt::format("    {}\n", Excerpt(line, line.size()));
  }
  if (!failure.saved.empty()) {
    text += fmt::format("  saved    {0}\n  replay   ./rollover replay {0} --trace text\n",
                        failure.saved);
  }
  return text;
}

}  // namespace rollover
