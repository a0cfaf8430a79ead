// Small edits of scenarios in their byte form: what a fuzzer does to an input that taught it
// something.
//
// Most edits are of whole records (scenario_bytes.h): some are inserted, dropped or doubled, two
// are swapped, or fields are set to values that matter (a size at a cap, a tiny window, a fault at
// another Step). A few set a byte. Pure functions of their arguments.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace rollover {

// One to four edits. At most `bytes_max` bytes.
std::string MutateScenario(std::span<const std::uint8_t> bytes, std::uint64_t seed,
                           std::size_t bytes_max);

// The header and the first records of one, and then the last records of the other.
std::string SpliceScenarios(std::span<const std::uint8_t> first,
                            std::span<const std::uint8_t> second, std::uint64_t seed,
                            std::size_t bytes_max);

}  // namespace rollover
