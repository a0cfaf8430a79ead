// Continuation: a scenario up to one of its moments, and a random future behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/campaign/hand_outs.h"
#include "sim/generator.h"
#include "sim/scenario.h"

namespace rollover {

// What happened up to the end of the first `count` hand-outs (hand_outs.h) stays as it was, fault
// by fault; what the seed draws comes instead of the rest: rounds of the turn that runs, then turns,
// reads, restarts and faults, as the swarm makes them: one that `generator` describes, or, without,
// one that keeps the core and the options that are in force by then. With 0 only settings stay. A
// scenario that was sound remains so.
Scenario Continue(const Scenario& scenario, const HandOutLog& log, std::size_t count,
                  std::uint64_t seed, const std::optional<GeneratorConfig>& generator = {});

}  // namespace rollover
