// Reports: the JSON that other programs may rely on (docs/running.md), and the screens for people.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/campaign/crash_points.h"
#include "sim/campaign/runner.h"
#include "sim/campaign/shrink.h"
#include "sim/campaign/soak.h"

namespace rollover {

// What a run was, beside what it found.
struct RunHeader {
  std::uint64_t first_seed = 1;
  std::string core{};
  std::string preset{};
  std::string transcript{};
  std::uint64_t transcript_skipped = 0;  // messages before the first user message, and the system's
  Shard shard{};
  // Of a run over the crash points of a file, instead of seeds.
  std::string every_crash_point{};
  StruckPoints struck{};
  std::optional<std::uint64_t> futures{};  // of rare moments, among the seeds; none: not asked for
};

nlohmann::ordered_json RunJson(const RunHeader& header, const RunSummary& summary,
                               const std::vector<std::string>& not_reached);
std::string RunScreen(const RunHeader& header, const RunSummary& summary,
                      const std::vector<std::string>& not_reached);

nlohmann::ordered_json SoakJson(const SoakConfig& config, const SoakReport& report);
std::string SoakScreen(const SoakConfig& config, const SoakReport& report);

nlohmann::ordered_json ShrinkJson(const ShrinkReport& report);
std::string ShrinkScreen(const ShrinkReport& report);

}  // namespace rollover
