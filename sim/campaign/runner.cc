#include "sim/campaign/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <set>
#include <system_error>
#include <thread>

#include "sim/campaign/parallel.h"
#include "sim/campaign/shrink.h"
#include "sim/generator.h"
#include "sim/wire/misbehaved.h"

namespace rollover {
namespace {

using Clock = std::chrono::steady_clock;

// A core's pair of fault and Step that a swarm must hit, in 20,000 seeds.
constexpr std::uint64_t kPairMinimum = 10;

// The first of each fingerprint, as long as nobody interrupts.
void ShrinkFailures(const RunConfig& config, const std::atomic<bool>& interrupted,
                    RunSummary& summary) {
  std::set<std::string> shrunk;
  try {
    for (FoundFailure& failure : summary.failures) {
      if (failure.rule == Rule::kDeterministic || interrupted) continue;
      if (shrunk.size() == config.failures_shrunk_max) return;
      if (!shrunk.insert(Fingerprint(failure)).second) continue;
      const ShrinkConfig shrink{
          .jobs = config.jobs, .time = config.shrink_time, .interrupted = &interrupted};
      failure = Shrink(failure, config.core.factory, shrink).failure;
    }
  } catch (const CoreInterrupted&) {
    // What was found is saved as it is.
  } catch (const std::exception& error) {  // no memory: what was found is saved as it is
    if (summary.environment_error.empty()) summary.environment_error = error.what();
  }
}

class Campaign {
 public:
  Campaign(const RunConfig& config, const std::atomic<bool>& interrupted)
      : config_(config), interrupted_(interrupted), begin_(Clock::now()) {}

  RunSummary Run(const std::function<void(const RunProgress&)>& progress) {
    {
      std::jthread reporter;
      try {
        if (progress) reporter = std::jthread([&](std::stop_token end) { Report(progress, end); });
      } catch (const std::system_error&) {
        // The system gives no thread for it: nobody is told how far the run has come.
      }
      RunInParallel(config_.jobs, [this] { Work(); });
    }
    std::sort(summary_.failures.begin(), summary_.failures.end(),
              [](const FoundFailure& a, const FoundFailure& b) { return a.seed < b.seed; });
    KeepFewOfEachRule(config_, summary_);
    for (FoundFailure& failure : summary_.failures) {
      if (config_.number_of) failure.seed = config_.number_of(failure.seed);
    }
    if (config_.finishes) FinishFailures(config_, interrupted_, summary_);
    summary_.seconds = Seconds();
    summary_.interrupted = interrupted_;
    return std::move(summary_);
  }

 private:
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  bool TimeIsUp() const {
    return interrupted_ || stopped_ || (config_.time && Clock::now() - begin_ >= *config_.time);
  }

  // Under the lock.
  RunProgress Progress() const {
    const auto& faults = summary_.statistics.faults;
    return {.seeds = summary_.seeds,
            .turns = summary_.statistics.turns,
            .faults = std::accumulate(faults.begin(), faults.end(), std::uint64_t{0}),
            .failures = summary_.failures_total,
            .seconds = Seconds()};
  }

  // The harness itself failed: no more seeds, and the reason is kept.
  void Stop(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (summary_.environment_error.empty()) summary_.environment_error = reason;
    stopped_ = true;
  }

  void Work() {
    try {
      RunShare();
    } catch (const CoreInterrupted&) {
      // The summary says that the run was interrupted.
    } catch (const std::exception& error) {  // no memory: the others stop, too
      Stop(error.what());
    }
  }

  void Report(const std::function<void(const RunProgress&)>& progress, std::stop_token end) {
    std::unique_lock lock(mutex_);
    while (!end.stop_requested()) {
      changed_.wait_for(lock, end, std::chrono::milliseconds(200), [] { return false; });
      progress(Progress());
    }
  }

  void RunShare() {
    while (!TimeIsUp()) {
      const std::uint64_t place =
          next_.fetch_add(1) * config_.shard.count + config_.shard.index - 1;
      if (config_.seeds && place >= *config_.seeds) break;
      RunSeed(config_.first_seed + place);
    }
  }

  void RunSeed(std::uint64_t seed) {
    const Scenario scenario = config_.scenario_of(seed);
    Verdict verdict = RunScenario(scenario, {.factory = config_.core.factory});
    std::optional<FoundFailure> failure;
    if (!verdict.held()) {
      failure = Confirm(scenario, verdict, config_.core.factory);
    } else if (seed % kBytesEvery == 0) {
      failure = CompareWithBytes(scenario, verdict, config_.core.factory);
      ++verdict.statistics.evaluations[static_cast<std::size_t>(Rule::kDeterministic)];
    }
    const std::lock_guard lock(mutex_);
    ++summary_.seeds;
    summary_.statistics += verdict.statistics;
    summary_.hash += verdict.hash;
    if (config_.on_verdict) config_.on_verdict(seed, verdict);
    if (!failure) return;
    ++summary_.failures_total;
    if (config_.first_only) stopped_ = true;
    failure->seed = seed;
    failure->found_by = config_.name_of ? config_.name_of(seed) : fmt::format("seed {:#x}", seed);
    summary_.failures.push_back(std::move(*failure));
    // Bounds the memory of a run that fails at every seed; the ones kept are the smallest seeds.
    constexpr std::size_t held_max = 4096;
    if (summary_.failures.size() > held_max) {
      std::sort(summary_.failures.begin(), summary_.failures.end(),
                [](const FoundFailure& a, const FoundFailure& b) { return a.seed < b.seed; });
      KeepFewOfEachRule(config_, summary_);
    }
  }

  const RunConfig& config_;
  const std::atomic<bool>& interrupted_;
  const Clock::time_point begin_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::condition_variable_any changed_;  // wakes the reporter before its time
  RunSummary summary_;
};

std::uint64_t Required(std::uint64_t minimum, std::uint64_t seeds) {
  if (seeds >= kDefaultRunSeeds) return minimum;
  return std::max<std::uint64_t>(1, minimum * seeds / kDefaultRunSeeds);
}

}  // namespace

std::optional<FoundFailure> CompareWithBytes(const Scenario& scenario, const Verdict& verdict,
                                             const CoreFactory& factory) {
  const CoreFactory bytes = BehindBytes(factory);
  const Verdict other = RunScenario(scenario, {.factory = bytes});
  if (other.hash == verdict.hash) return std::nullopt;
  return FoundFailure{
      .rule = Rule::kDeterministic,
      .what = "behind bytes the trace differs: " + FirstDifference(scenario, factory, bytes),
      .where = verdict.where,
      .hash = verdict.hash,
      .scenario = scenario};
}

void KeepFewOfEachRule(const RunConfig& config, RunSummary& summary) {
  std::array<std::uint64_t, kRuleCount> kept{};
  std::erase_if(summary.failures, [&](const FoundFailure& failure) {
    return ++kept[static_cast<std::size_t>(failure.rule)] > config.failures_saved_max;
  });
}

void FinishFailures(const RunConfig& config, const std::atomic<bool>& interrupted,
                    RunSummary& summary) {
  KeepFewOfEachRule(config, summary);
  ShrinkFailures(config, interrupted, summary);
  if (config.out.empty()) return;
  for (FoundFailure& failure : summary.failures) {
    const auto error = Save(failure, config.core, config.out);
    if (error && summary.environment_error.empty()) summary.environment_error = *error;
  }
}

std::uint64_t DefaultJobs() { return std::max(1u, std::thread::hardware_concurrency()); }

RunSummary RunSeeds(const RunConfig& config, const std::atomic<bool>& interrupted,
                    const std::function<void(const RunProgress&)>& progress) {
  return Campaign(config, interrupted).Run(progress);
}

std::vector<std::string> NotReached(const Statistics& statistics, std::uint64_t seeds) {
  std::vector<std::string> missing;
  const auto look = [&](std::string_view what, std::string_view name, std::uint64_t count,
                        std::uint64_t minimum) {
    const std::uint64_t required = Required(minimum, seeds);
    if (count < required) {
      missing.push_back(fmt::format("{} {} ({} of {})", what, name, count, required));
    }
  };
  for (const RuleInfo& rule : Rules()) {
    look("rule", rule.name, statistics.evaluations[static_cast<std::size_t>(rule.rule)], 1);
  }
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    const auto fault = static_cast<FaultKind>(f);
    look("fault", FaultName(fault), statistics.faults[f], 1);
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      const auto step = static_cast<StepKind>(s);
      if (!CanHit(fault, step)) continue;
      look("situation", fmt::format("{}@{}", FaultName(fault), StepName(step)),
           statistics.faults_at[f][s], kPairMinimum);
    }
  }
  for (const SituationInfo& situation : Situations()) {
    look("situation", situation.name,
         statistics.situations[static_cast<std::size_t>(situation.situation)], situation.minimum);
  }
  return missing;
}

}  // namespace rollover
