// Soak: one long session, looked at every so many turns. Its operations and faults are made as it
// goes, so that its length does not show in memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/campaign/failure.h"
#include "sim/cores/cores.h"
#include "sim/random.h"
#include "sim/scenario.h"

namespace rollover {

struct SoakPreset {
  std::string_view name;
  std::string_view says;
  std::uint64_t turns;
  std::uint64_t every;
  Options options;
  Turn turn;  // every turn is this one
  std::vector<FaultKind> faults;
  Ratio fault_odds;  // a Step is hit
};
std::span<const SoakPreset> SoakPresets();
const SoakPreset* SoakPresetNamed(std::string_view name);

struct SoakConfig {
  SoakPreset preset;
  std::uint64_t seed = 1;  // of the faults
  CoreSpec core{};
  std::filesystem::path out{};
  // A failure is shrunk; what was found is saved beside it as ...-full.json.
  bool shrink = false;
  std::uint64_t jobs = 1;  // of the shrinker
};

struct SoakCheckpoint {
  std::uint64_t turn = 0;
  std::uint64_t kept_messages = 0;
  std::uint64_t window_messages = 0;
  std::uint64_t chunks = 0;
  std::uint64_t stored_message_bytes = 0;
  std::uint64_t live_state_bytes = 0;
  std::uint64_t superseded_bytes = 0;
};

struct SoakReport {
  std::uint64_t turns = 0;
  std::vector<SoakCheckpoint> checkpoints{};
  std::uint64_t stored_total_bytes = 0;  // of the turns; the quiet phase after them aside
  Statistics statistics{};
  std::vector<FoundFailure> failures{};
  std::string environment_error{};
  double seconds = 0;
  bool interrupted = false;
};

SoakReport RunSoak(const SoakConfig& config, const std::atomic<bool>& interrupted);

}  // namespace rollover
