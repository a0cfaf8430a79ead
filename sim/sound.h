// Soundness: settings under which a core that follows the protocol breaks no rule.
//
// The protocol is meant for settings that fit each other (docs/protocol.md, "Options and limits",
// assumption A-sound): at all times the chunk cap, and every message that is stored, fit the
// engine's value limit, and its result limit fits any commit that the options allow. What is
// generated, decoded or shrunk is made sound before it runs, so that a broken rule always blames
// the core.
#pragma once

#include <cstdint>

#include "sim/scenario.h"

namespace rollover {

// The smallest limits under which a scenario is sound.
struct SoundLimits {
  std::uint64_t value_bytes = 0;
  std::uint64_t result_bytes = 0;
};
// Looks at every option set and content of the scenario; `value_limit_max` is the highest value
// limit that it ever sets, for contents sized by it (0: none are).
SoundLimits SoundLimitsOf(const Scenario& scenario, std::uint64_t value_limit_max);

// The scenario with its limits raised, and its decisions dropped, as far as soundness needs; a
// sound one is left as it is. `scenario` must be valid.
Scenario MakeSound(Scenario scenario);

// Contents that are too large for `bytes` in all shrink to a few bytes, the last ones first: what
// keeps the time of a run bounded when its scenario comes from anywhere.
void LimitContents(Scenario& scenario, std::uint64_t bytes);

}  // namespace rollover
