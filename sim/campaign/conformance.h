// Conformance: is an external core right? The suite that its author runs first.
//
// One list of scenarios: everything that was ever found (corpus/regressions), the options matrix,
// upgrades of 0.1.0 sessions, the paging table, and swarm seeds; run in parallel like any seeds,
// and judged rule by rule. Not here: speed (throughput.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/campaign/runner.h"

namespace rollover {

struct ConformanceConfig {
  CoreSpec core{};  // of exec:
  std::uint64_t seeds = 1000;
  std::uint64_t every = 1;  // of each part, every K-th scenario; the first is always taken
  std::uint64_t jobs = 1;
  std::vector<NamedScenario> regressions{};
  bool first_only = false;      // stop at the first failure
  std::filesystem::path out{};  // where failures are saved
};

// A stretch of the list.
struct ConformancePart {
  std::string name{};
  std::uint64_t scenarios = 0;
  std::function<Scenario(std::uint64_t)> scenario_of{};  // of 0 .. scenarios - 1
  std::function<std::string(std::uint64_t)> name_of{};   // the same scenario's, to run it again by
};

enum class RuleAnswer : std::uint8_t { kHeld, kBroken, kNotApplicable, kNotReached };

struct RuleConformance {
  Rule rule = Rule::kExactlyOnce;
  RuleAnswer answer = RuleAnswer::kHeld;
  std::uint64_t judged = 0;
  std::optional<FoundFailure> smallest{};  // of a broken rule
};

struct ConformanceReport {
  std::vector<ConformancePart> parts{};
  std::vector<RuleConformance> rules{};  // in the order of Rules()
  RunSummary summary{};

  bool finished() const { return !summary.interrupted && summary.environment_error.empty(); }
  bool conformant() const { return finished() && summary.failures_total == 0; }
};

// What a core without compaction can be asked: the sessions of the reference become its own.
Scenario ForCore(Scenario scenario, bool compaction);

// They refer to the configuration's regressions.
std::vector<ConformancePart> ConformanceParts(const ConformanceConfig& config);
ConformanceReport RunConformance(const ConformanceConfig& config,
                                 const std::atomic<bool>& interrupted,
                                 const std::function<void(const RunProgress&)>& progress);

std::string ConformanceScreen(const ConformanceConfig& config, const ConformanceReport& report);
nlohmann::ordered_json ConformanceJson(const ConformanceConfig& config,
                                       const ConformanceReport& report);
// One test case a rule, as continuous integration reads it.
std::string ConformanceJunit(const ConformanceConfig& config, const ConformanceReport& report);

}  // namespace rollover
