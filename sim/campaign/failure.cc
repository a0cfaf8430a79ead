#include "sim/campaign/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "sim/scenario_json.h"

namespace rollover {
namespace {

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

// What had begun and struck when the run stopped. Everything else cannot have mattered.
Scenario Reduce(const Scenario& scenario, const Verdict& verdict) {
  Scenario reduced = scenario;
  reduced.operations.resize(verdict.operations_begun);
  std::vector<Fault> unfired = verdict.unfired;
  const auto had_no_part = [&](const Fault& fault) {
    if (fault.turn > verdict.turns_begun) return true;
    const auto at = std::find(unfired.begin(), unfired.end(), fault);
    if (at == unfired.end()) return false;
    unfired.erase(at);
    return true;
  };
  std::erase_if(reduced.faults, had_no_part);
  return reduced;
}

}  // namespace

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
  FoundFailure failure{.rule = violation.rule,
                       .what = violation.what,
                       .where = verdict.where,
                       .hash = verdict.hash,
                       .scenario = Reduce(scenario, verdict)};
  failure.where.commit = violation.commit;
  const Verdict again = RunScenario(scenario, {.factory = factory});
  const Verdict reduced = RunScenario(failure.scenario, {.factory = factory});
  if (again.hash == verdict.hash && reduced.hash == verdict.hash && !reduced.held()) return failure;
  failure.rule = Rule::kDeterministic;
  const std::string difference = FirstDifference(scenario, factory, factory);
  failure.what = fmt::format(
      "{} was broken, and then another trace followed: {}", RuleName(violation.rule),
      !difference.empty()          ? difference
      : again.hash != verdict.hash ? "the third run agrees with the second"
                                   : "decisions that found nothing to hit had a part in it");
  failure.scenario = scenario;
  return failure;
}

std::optional<std::string> WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::error_code code;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), code);
  if (code) return fmt::format("{}: {}", path.parent_path().string(), code.message());
  std::filesystem::path temporary = path;
  temporary += ".part";
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file << text;
    file.flush();
    if (!file) {
      std::filesystem::remove(temporary, code);
      return fmt::format("{}: cannot be written", path.string());
    }
  }
  std::filesystem::rename(temporary, path, code);
  if (code) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return fmt::format("{}: {}", path.string(), code.message());
  }
  return std::nullopt;
}

std::optional<std::string> Save(FoundFailure& failure, const CoreSpec& core,
                                const std::filesystem::path& directory) {
  const std::filesystem::path path =
      directory / "failures" / fmt::format("{}-{:x}.json", RuleName(failure.rule), failure.seed);
  const ScenarioFile file{.scenario = failure.scenario,
                          .failure = KnownFailure{.rule = std::string(RuleName(failure.rule)),
                                                  .what = failure.what,
                                                  .core = core.text,
                                                  .found_by = failure.found_by,
                                                  .trace_hash = failure.hash.Hex()}};
  if (auto error = WriteFile(path, WriteScenario(file))) return error;
  failure.saved = path.string();
  return std::nullopt;
}

std::string Describe(const FoundFailure& failure) {
  std::string text =
      fmt::format("FAIL {}   turn {}  {} attempt {}  commit {}\n  {}\n", RuleName(failure.rule),
                  failure.where.turn, StepName(failure.where.step), failure.where.attempt,
                  failure.where.commit, failure.what);
  text += fmt::format("  found by {}; {} operations, {} faults\n", failure.found_by,
                      failure.scenario.operations.size(), failure.scenario.faults.size());
  if (!failure.saved.empty()) {
    text += fmt::format("  saved    {0}\n  replay   ./rollover replay {0} --trace text\n",
                        failure.saved);
  }
  return text;
}

}  // namespace rollover
