// Runner: many seeds, over threads, until a number or a time is used up. Each seed runs in one
// thread; threads only run different seeds, and what they find adds up in any order.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/campaign/failure.h"
#include "sim/campaign/shrink.h"
#include "sim/cores/cores.h"
#include "sim/statistics.h"
#include "sim/trace.h"

namespace rollover {

struct NamedScenario {
  std::string name{};  // its file's
  Scenario scenario{};
};

struct Shard {
  std::uint64_t index = 1;  // 1 .. count
  std::uint64_t count = 1;
};

struct RunConfig {
  std::uint64_t first_seed = 1;
  std::optional<std::uint64_t> seeds{};  // none: until the time is up
  std::optional<std::chrono::milliseconds> time{};
  std::uint64_t jobs = 1;
  Shard shard{};
  CoreSpec core{};
  // What a seed becomes; must be a pure function of it.
  std::function<Scenario(std::uint64_t)> scenario_of{};
  // What a failure says it was found by; none: by its seed.
  std::function<std::string(std::uint64_t)> name_of{};
  // What names its file, where the seed is only a place in a list; none: the seed.
  std::function<std::uint64_t(std::uint64_t)> number_of{};
  // Hears of each seed's verdict; from any thread, one call at a time.
  std::function<void(std::uint64_t, const Verdict&)> on_verdict{};
  bool first_only = false;                // no more seeds once one has failed
  bool finishes = true;                   // false: failures are left for FinishFailures
  std::filesystem::path out{};            // where failures are saved
  std::uint64_t failures_saved_max = 10;  // per rule; all are counted
  // The first failure of each fingerprint is shrunk before it is saved, of this many fingerprints,
  // so that a core that fails in every way does not keep a nightly run.
  std::uint64_t failures_shrunk_max = 5;
  std::chrono::milliseconds shrink_time = kShrinkTime;  // each
};

struct RunSummary {
  std::uint64_t seeds = 0;
  Statistics statistics{};
  TraceHash hash{};
  std::vector<FoundFailure> failures{};  // by seed; at most failures_saved_max a rule
  std::uint64_t failures_total = 0;
  std::string environment_error{};  // e.g. a failure could not be saved
  double seconds = 0;
  bool interrupted = false;
};

// What a progress line shows; called from one thread, a few times a second.
struct RunProgress {
  std::uint64_t seeds = 0;
  std::uint64_t turns = 0;
  std::uint64_t faults = 0;
  std::uint64_t failures = 0;
  double seconds = 0;
};

// One seed in so many also runs behind bytes, and must leave the same trace.
inline constexpr std::uint64_t kBytesEvery = 16;
// Runs the scenario again behind bytes. Another trace than that of `verdict`: a failure of
// `deterministic` that names the first event that differs.
std::optional<FoundFailure> CompareWithBytes(const Scenario& scenario, const Verdict& verdict,
                                             const CoreFactory& factory);

// One a processor.
std::uint64_t DefaultJobs();

void KeepFewOfEachRule(const RunConfig& config, RunSummary& summary);
// What RunSeeds does with the failures that it found: keeps the first few of each rule, shrinks and
// saves them.
void FinishFailures(const RunConfig& config, const std::atomic<bool>& interrupted,
                    RunSummary& summary);

RunSummary RunSeeds(const RunConfig& config, const std::atomic<bool>& interrupted,
                    const std::function<void(const RunProgress&)>& progress);

// Names of rules, faults and situations that a run of this many seeds should have reached and did
// not: required minimums hold for 20,000 seeds and shrink in proportion, but never below one.
inline constexpr std::uint64_t kDefaultRunSeeds = 20'000;
std::vector<std::string> NotReached(const Statistics& statistics, std::uint64_t seeds);

}  // namespace rollover
