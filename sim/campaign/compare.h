// Compare: two cores in one scenario. Where do they first answer differently?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/cores/cores.h"
#include "sim/scenario.h"

namespace rollover {

struct Comparison {
  std::uint64_t answers = 0;  // that were compared and agree
  std::uint64_t values = 0;   // of the committed state in the end
  std::uint64_t bytes = 0;
  std::string broken{};                     // the rule that both break, empty: none
  std::optional<std::string> difference{};  // one line; none: all agree
};

// Runs the scenario on both. Compared are what each Step writes (byte for byte, in any order) and
// announces, where it moves to, what the model saw, what reads return (contents as JSON), and in
// the end the whole committed state, byte for byte. Loads are not: those are for the rules, as
// several spellings name the same values. When one of them has no compaction, the session is one
// without. Throws CoreUnavailable.
Comparison CompareCores(const Scenario& scenario, const CoreSpec& first, const CoreSpec& second);

}  // namespace rollover
