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
// Looks at every option set and content of the scenario. `value_limit_max`: 0 when no content is
// sized by the value limit; else the highest one that the scenario sets, or 1 while that is unknown
// and only value_bytes, which does not depend on it, is wanted.
SoundLimits SoundLimitsOf(const Scenario& scenario, std::uint64_t value_limit_max);

// The scenario with its limits raised as far as soundness needs, and, where 0.1.0 takes part, with
// contents sized by the chunk cap instead of by the value limit; a sound one is left as it is.
// `scenario` must be valid.
Scenario MakeSound(Scenario scenario);

// Leaves contents of `bytes` in all: in order, each that no longer fits shrinks to a few bytes. So
// the time of a run is bounded when its scenario comes from anywhere.
void LimitContents(Scenario& scenario, std::uint64_t bytes);

}  // namespace rollover
