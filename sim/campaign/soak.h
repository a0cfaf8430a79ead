// Soak: one long session, looked at every so many turns. Its operations and faults are made as it
// goes, so that its length does not show in memory.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/campaign/failure.h"
#include "sim/campaign/soak_presets.h"
#include "sim/campaign/soak_samples.h"
#include "sim/cores/cores.h"

namespace rollover {

struct SoakConfig {
  SoakPreset preset;
  std::uint64_t seed = 1;  // of contents and faults
  CoreSpec core{};
  std::filesystem::path out{};
  // A failure is shrunk; what was found is saved beside it as ...-full.json.
  bool shrink = false;
  std::uint64_t jobs = 1;  // of the shrinker
  bool checks = true;      // judge.h
  bool sample = false;     // for SoakReport::samples; costs a trace in words
};

struct SoakCheckpoint {
  std::uint64_t turn = 0;
  std::uint64_t kept_messages = 0;
  std::uint64_t window_messages = 0;
  std::uint64_t chunks = 0;
  std::uint64_t stored_message_bytes = 0;
  std::uint64_t live_state_bytes = 0;
  std::array<std::uint64_t, kNameCount> live_bytes{};  // the same by Name
  std::uint64_t superseded_bytes = 0;
  // What `bounded-state` allowed its last commit; none where it does not apply.
  std::optional<std::uint64_t> bound{};
};

// Live bytes at the ends of turns, over the second half of the turns.
struct SoakGrowth {
  // What the line of best fit rises by over that half. Rounded toward zero.
  std::int64_t bytes = 0;
  // The most that one chunk held: a chunk more or less is where the halves happen to end.
  std::uint64_t chunk_bytes = 0;

  bool flat() const { return bytes <= static_cast<std::int64_t>(chunk_bytes); }
};

struct SoakReport {
  std::uint64_t turns = 0;
  std::vector<SoakCheckpoint> checkpoints{};
  SoakCheckpoint highest{};  // of all turns, the one that ended with the most live bytes
  // Where the preset's options bound the state, and turns enough went by to see it.
  std::optional<SoakGrowth> growth{};
  // Without retention: the first turn whose index would be larger than a value may be, if the
  // session went on as in its second half.
  std::optional<std::uint64_t> index_full_at_turn{};
  SoakSamples samples{};                 // where they were asked for
  std::uint64_t stored_total_bytes = 0;  // of the turns; the quiet phase after them aside
  Statistics statistics{};
  std::vector<FoundFailure> failures{};
  std::string environment_error{};
  double seconds = 0;
  bool interrupted = false;
};

// Whether nothing broke and nothing grew.
inline bool Held(const SoakReport& report) {
  return report.failures.empty() && (!report.growth || report.growth->flat());
}

SoakReport RunSoak(const SoakConfig& config, const std::atomic<bool>& interrupted);

}  // namespace rollover
