// Replay: a scenario file, run again. Does it still show what it showed?
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "sim/cores/cores.h"
#include "sim/scenario_json.h"

namespace rollover {

enum class ReplayAnswer : std::uint8_t {
  kFixed,       // all rules held, and every decision still applied
  kReproduced,  // a rule is broken
  kStale,       // all rules held, but a decision no longer finds what it hits
  kHeld,        // all rules held up to where it was told to stop; what comes after is not known
};

enum class TraceFormat : std::uint8_t { kText, kJson, kPerfetto, kHtml };
std::optional<TraceFormat> TraceFormatNamed(std::string_view name);

struct ReplayConfig {
  std::uint64_t until = 0;  // stop after this commit; 0: never
  std::optional<TraceFormat> trace{};
  std::string path{};  // of the file, for the command that the HTML page shows
  const struct BlameReport* blame = nullptr;  // what the HTML page tells beside; null: nothing
};

struct ReplayResult {
  ReplayAnswer answer = ReplayAnswer::kFixed;
  std::string line{};   // the answer, for people
  std::string trace{};  // in the format asked for
  Verdict verdict{};
};

ReplayResult ReplayScenario(const ScenarioFile& file, const CoreSpec& core,
                            const ReplayConfig& config);
nlohmann::ordered_json ReplayJson(const ReplayResult& result);

}  // namespace rollover
