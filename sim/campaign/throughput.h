// Throughput: how many turns a second an external core carries, and whose time it takes.
//
// Several sessions, interleaved on one process, without faults and under all rules.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/campaign/conformance.h"

namespace rollover {

struct ThroughputConfig {
  std::string_view name{};
  Options options{};
  std::int64_t message_bytes = 64;  // of each content
  std::uint64_t turns = 60'000;     // of all sessions together
  std::uint64_t sessions = 32;
};

struct ThroughputReport {
  ThroughputConfig config{};
  std::uint64_t turns = 0;
  double seconds = 0;
  double harness_seconds = 0;  // of processor time
  double core_seconds = 0;
  std::vector<Violation> violations{};
};

// Small messages in a small window; and the defaults with 1.4 KB.
std::vector<ThroughputConfig> ThroughputConfigs();
// Throws CoreMisbehaved.
ThroughputReport MeasureThroughput(const ExternalConfig& core, const ThroughputConfig& config);
std::string ThroughputScreen(const ThroughputReport& report);

}  // namespace rollover
