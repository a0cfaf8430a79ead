// Swarm: what one seed draws before anything else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/random.h"
#include "sim/scenario.h"

namespace rollover {

enum class OptionStyle : std::uint8_t {
  kTiny,  // everything happens within a few turns
  kMiddling,
  kDefault,  // the defaults, with enough turns to roll over
  kHuge,     // megabytes: commits stop at 8 MiB
};

struct Swarm {
  CoreKind core = CoreKind::kReference;
  OptionStyle style = OptionStyle::kTiny;
  std::uint64_t turns = 1;
  std::uint64_t legacy_turns = 0;  // 0.1.0 runs this many first; all of them: no upgrade
  bool mixes_versions = false;     // the upgrade rule is broken
  bool upgrade_in_turn = false;    // by core-swap at a Step, rather than between turns
  bool at_value_limit = false;     // contents at and over the value limit; it is only ever raised
  std::array<bool, kFaultKindCount> faults{};
  Ratio fault_odds{0, 1};       // a Step is hit
  Ratio compaction_odds{0, 1};  // a turn compacts
  Ratio control_odds{0, 1};
  Ratio read_odds{0, 1};  // a read before a turn
  Ratio restart_odds{0, 1};
  Ratio tool_odds{1, 2};
  std::uint64_t tools_max = 3;
  std::vector<Fill> fills{};
  std::uint64_t keep_max = 8;
  std::optional<Options> fixed_options{};

  bool Draws(FaultKind kind) const { return faults[static_cast<std::size_t>(kind)]; }
};

Swarm DrawSwarm(Random& random, std::optional<CoreKind> core);
Options DrawOptions(const Swarm& swarm, Random& random);

}  // namespace rollover
