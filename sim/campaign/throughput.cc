#include "sim/campaign/throughput.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "sim/wire/interleaved.h"
#include "sim/wire/misbehaved.h"

namespace rollover {
namespace {

// Each so many turns all but the newest messages are summarised, or the model's input, and with it
// every request, would grow for ever.
constexpr std::uint64_t kTurnsACompaction = 8;

double ProcessorSeconds(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Scenario SessionOf(const ThroughputConfig& config, std::uint64_t turns) {
  Scenario scenario{.options = config.options};
  const ContentSpec content{.amount = config.message_bytes};
  for (std::uint64_t turn = 1; turn <= turns; ++turn) {
    Turn due{.user = content};
    if (turn % kTurnsACompaction == 0) due.rounds.push_back({.compact = true, .keep = 2});
    due.rounds.push_back({.reply = content});
    scenario.operations.emplace_back(due);
  }
  return scenario;
}

}  // namespace

std::vector<ThroughputConfig> ThroughputConfigs() {
  return {{.name = "window 8, chunk 4, 64-byte contents",
           .options = {.message_window_size = 8,
                       .message_chunk_size = 4,
                       .retained_message_limit = 32}},
          {.name = "default options, 1.4 KB contents",
           .options = {.retained_message_limit = 100},
           .message_bytes = 1400,
           .turns = 2'000}};
}

ThroughputReport MeasureThroughput(const ExternalConfig& core, const ThroughputConfig& config) {
  ThroughputReport report{.config = config};
  const Scenario scenario =
      ForCore(SessionOf(config, config.turns / config.sessions), core.compaction);
  const double harness = ProcessorSeconds(RUSAGE_SELF);
  const double children = ProcessorSeconds(RUSAGE_CHILDREN);
  const auto begin = std::chrono::steady_clock::now();
  const auto live = [&](Dialogue& dialogue, std::size_t i) {
    const std::string session = fmt::format("s{}", i + 1);
    const Verdict verdict =
        RunScenario(scenario, {.factory = [&](CoreKind, const Options& options) {
                      return MakeCoreOver(dialogue, session, options);
                    }});
    report.turns += verdict.statistics.turns;
    if (report.violations.empty()) report.violations = verdict.violations;
  };
  try {
    RunInterleaved(core.dialogue, config.sessions, live);
  } catch (const CoreUnavailable&) {
    throw;
  } catch (const CoreMisbehaved& error) {
    // A session that told of it has ended the process, and with it the others: the first finding
    // counts.
    if (report.violations.empty()) {
      report.violations = {{Rule::kWellFormedAnswers, error.what(), 0}};
    }
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.harness_seconds = ProcessorSeconds(RUSAGE_SELF) - harness;
  report.core_seconds = ProcessorSeconds(RUSAGE_CHILDREN) - children;
  return report;
}

std::string ThroughputScreen(const ThroughputReport& report) {
  const double all = report.harness_seconds + report.core_seconds;
  std::string screen = fmt::format(
      "{}, {} sessions on one process:\n  {:.0f} turns/s ({} turns, {:.1f} s); processor time: "
      "harness {:.2f} s ({:.0f} %), core {:.2f} s\n",
      report.config.name, report.config.sessions,
      static_cast<double>(report.turns) / std::max(report.seconds, 1e-6), report.turns,
      report.seconds, report.harness_seconds, all > 0 ? 100 * report.harness_seconds / all : 0,
      report.core_seconds);
  if (!report.violations.empty()) {
    const Violation& violation = report.violations.front();
    screen += fmt::format("  BROKEN {}: {}\n", RuleName(violation.rule), violation.what);
  }
  return screen;
}

}  // namespace rollover
