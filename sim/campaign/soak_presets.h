// Soak presets: long sessions worth looking at each morning.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/random.h"
#include "sim/scenario.h"

namespace rollover {

inline constexpr std::uint64_t kSoakPeriod = 125;  // turns

struct SoakPreset {
  std::string_view name;
  std::string_view says;
  std::uint64_t turns;
  std::uint64_t every;  // turns between checkpoints
  Options options;
  // The `number`-th turn; what varies is drawn from `random`, which is the same again each
  // kSoakPeriod turns, so that what a session keeps can be seen to stay as large.
  Turn (*turn)(std::uint64_t number, Random& random);
  CoreKind core = CoreKind::kReference;           // what it starts on
  std::optional<std::uint64_t> upgraded_after{};  // turns; then the reference core takes over
  std::vector<FaultKind> faults{};
  Ratio fault_odds{0, 1};  // that an attempt is hit
};

std::span<const SoakPreset> SoakPresets();
const SoakPreset* SoakPresetNamed(std::string_view name);

}  // namespace rollover
