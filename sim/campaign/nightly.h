// Nightly: one budget of time, split over everything that this program can do, and one report.
//
// Each part is a call of the program itself (night_parts.h), so that one which hangs, crashes or
// uses up the memory is a finding and not the end of the night. In the folder:
//
//   nights/N/night.json        what the night is, and each call as it ended; written after each
//   nights/N/PART.json .log .html, nights/N/PART/failures/
//   known.json, known/         failures of all nights (known_failures.h)
//   learnt/                    what the fuzz targets found worth keeping
//   history.jsonl              a line a night
//   summary.json summary.md junit.xml index.html   the newest night
//
// A night that was interrupted, however, goes on when it is called again with the same options:
// what has ended is not repeated, and the time used is not given twice.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/campaign/known_failures.h"
#include "sim/campaign/night_parts.h"
#include "sim/campaign/night_result.h"

namespace rollover {

struct NightConfig {
  std::filesystem::path program{};  // that runs the parts: this one
  std::filesystem::path out{};
  std::chrono::milliseconds budget{};
  std::string core{};     // what is tested in the model's place; empty: the model
  std::string version{};  // of the build
};

struct Night {
  std::uint64_t number = 1;
  std::string started{};  // UTC, as in 2026-01-31T02:17:00Z
  std::chrono::milliseconds budget{};
  std::string core{};
  std::string version{};
  bool finished = false;
  std::vector<PartRun> runs{};  // in the order in which they ended

  bool ended(const std::string& part) const;  // it was not interrupted
};

struct NightReport {
  Night night{};
  std::vector<std::string> planned{};  // names of all parts
  std::vector<PartResult> parts{};     // of each run
  std::vector<FailureTonight> failures{};
  std::vector<nlohmann::ordered_json> history{};  // a line a night; this night's is the last
  std::string environment_error{};                // of the night itself, e.g. a full disk

  double seconds() const;
  bool broken() const;   // a failure was seen in this night
  bool all_ran() const;  // no part is missing, was kept from running, or could not judge
};

// `tell` hears one line as each part ends. The error is bad input in the folder, which is left as
// it is.
Result<NightReport> RunNight(const NightConfig& config, const std::atomic<bool>& interrupted,
                             const std::function<void(const std::string&)>& tell);

}  // namespace rollover
