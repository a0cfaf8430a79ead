// Small edits of scenarios in their byte form: what a fuzzer does to an input that taught it
// something.
//
// Edits keep whole records (scenario_bytes.h): one is inserted, dropped, doubled, moved, or one of
// its fields is set to a value that matters (a size at a cap, a tiny window, a fault at the Step
// before). Pure functions of their arguments.
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
