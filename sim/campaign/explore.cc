#include "sim/campaign/explore.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>

namespace rollover {
namespace {

// How long a search took, and for how long of that it had a processor.
class Stopwatch {
 public:
  void Stop(ExploreReport& report) const {
    report.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    report.cpu_seconds = CpuSeconds() - cpu_begin_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double CpuSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }

  Clock::time_point begin_ = Clock::now();
  double cpu_begin_ = CpuSeconds();
};

// A scenario of the search that shows the same rule in a World, as a failure; none if none does.
std::optional<FoundFailure> Replayed(const ExploreConfig& config, const SearchResult& search) {
  for (const Scenario& scenario : search.scenarios) {
    if (Invalid(scenario)) continue;
    const Verdict verdict = RunScenario(scenario, {.factory = config.core.factory});
    if (verdict.held() || verdict.violations.front().rule != search.violation->rule) continue;
    return Confirm(scenario, verdict, config.core.factory);
  }
  return std::nullopt;
}

void Report(const ExploreConfig& config, ExploreReport& report) {
  auto failure = Replayed(config, report.search);
  if (!failure) {
    report.environment_error =
        fmt::format("explore: its counterexample of {} does not replay: {}",
                    RuleName(report.search.violation->rule), report.search.violation->what);
    if (!report.search.scenarios.empty()) {
      failure = FoundFailure{.rule = report.search.violation->rule,
                             .what = report.search.violation->what,
                             .scenario = report.search.scenarios.front()};
    } else {
      return;
    }
  }
  failure->found_by = fmt::format("explore, preset {}, turns {}, faults {}", config.preset.name,
                                  report.turns, report.faults);
  failure->seed = report.turns << 4 | report.faults;
  if (!config.out.empty()) {
    if (auto error = Save(*failure, config.core, config.out, "explore")) {
      report.environment_error = *error;
    }
  }
  report.failures.push_back(std::move(*failure));
}

// The smallest scope that breaks a rule: fewer turns first, then fewer faults.
void SearchSmallest(const ExploreConfig& config, const std::atomic<bool>& interrupted,
                    ExploreReport& report) {
  for (std::uint64_t turns = 1; turns <= config.turns; ++turns) {
    for (std::uint64_t faults = 0; faults <= config.faults; ++faults) {
      SearchConfig smaller = SearchOf(config);
      smaller.scope.turns_max = turns;
      smaller.scope.faults_max = faults;
      SearchResult result = Search(smaller, interrupted);
      if (interrupted) return;
      if (!result.violation) continue;
      report.crash_points = result.crash_points;  // of those met so far
      report.search = std::move(result);
      report.turns = turns;
      report.faults = faults;
      return;
    }
  }
}

}  // namespace

SearchConfig SearchOf(const ExploreConfig& config) {
  SearchConfig search{.scope = config.preset.scope,
                      .factory = config.core.factory,
                      .states_max = config.states_max,
                      .memory_max = config.memory_max};
  search.scope.turns_max = config.turns;
  search.scope.faults_max = config.faults;
  const auto model_core = CoreKindNamed(config.core.text);
  if (model_core) search.scope.core = *model_core;
  search.core_is_a_function = config.core.text.empty() || model_core.has_value();
  return search;
}

ExploreReport Explore(const ExploreConfig& config, const std::atomic<bool>& interrupted) {
  ExploreReport report{.turns = config.turns, .faults = config.faults};
  SearchConfig search = SearchOf(config);
  if (config.time) {
    search.time_is_up = [end = std::chrono::steady_clock::now() + *config.time] {
      return std::chrono::steady_clock::now() >= end;
    };
  }
  search.scope.faults_max = 0;
  const Stopwatch first;
  report.search = Search(search, interrupted);
  report.crash_points = report.search.crash_points;
  first.Stop(report);
  if (config.faults > 0 && report.complete()) {
    search.scope.faults_max = config.faults;
    const Stopwatch stopwatch;
    report.search = Search(search, interrupted);
    stopwatch.Stop(report);
  }
  if (report.search.violation) {
    const Stopwatch stopwatch;
    SearchSmallest(config, interrupted, report);
    stopwatch.Stop(report);
    Report(config, report);
  }
  report.interrupted = interrupted;
  return report;
}

}  // namespace rollover
