// Simpler: for a part of a scenario, the parts that say less, most hopeful first.
//
// Every step lowers a number, removes something or returns to a default, and none goes back, so
// that shrinking ends.
#pragma once

#include <vector>

#include "sim/scenario.h"

namespace rollover {

// An operation, and the faults of the turn that it is.
struct Happening {
  Operation operation{};
  std::vector<Fault> faults{};
};

std::vector<Options> Simpler(const Options& options);
std::vector<ContentSpec> Simpler(const ContentSpec& spec);
std::vector<Happening> Simpler(const Happening& happening);

}  // namespace rollover
