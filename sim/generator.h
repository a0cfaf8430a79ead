// The swarm generator: a seed becomes a scenario.
//
// Each seed first draws a configuration: which faults, how often, which options, which shapes of
// content. A uniform mixture would make every run alike and never turn any one thing up; a swarm
// makes runs that differ (Groce et al., "Swarm Testing", 2012). Every scenario is sound: at all
// times message_chunk_max_bytes, and the size alone of every stored message, fit the engine's value
// limit, and its result limit fits any commit that the options allow. (A message that is refused
// when it is first stored is part of sound life.)
#pragma once

#include <cstdint>
#include <optional>

#include "sim/scenario.h"

namespace rollover {

struct GeneratorConfig {
  std::optional<CoreKind> core{};    // sessions start on it; none: any
  std::optional<Options> options{};  // fixed throughout; none: drawn, and changed at restarts
  // The seed whose swarm configuration is used, with another seed's decisions; none: its own.
  std::optional<std::uint64_t> swarm{};
};

Scenario GenerateScenario(std::uint64_t seed, const GeneratorConfig& config = {});

// Real conversations as the workload: their operations, in swarm options and under swarm faults.
// `faults` are theirs, and stay.
Scenario GenerateAround(std::uint64_t seed, std::vector<Operation> operations,
                        std::vector<Fault> faults, const GeneratorConfig& config = {});

}  // namespace rollover
