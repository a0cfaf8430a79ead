// The planted bugs by family, one file each.
#pragma once

#include <span>

#include "sim/cores/planted_bugs.h"

namespace rollover {

std::span<const PlantedBug> RolloverBugs();   // how messages leave the window
std::span<const PlantedBug> IndexBugs();      // what the index and the load lists say
std::span<const PlantedBug> RetentionBugs();  // what is deleted, and what is not
std::span<const PlantedBug> TurnBugs();       // replies, summaries, model input
std::span<const PlantedBug> MemoryBugs();     // what a process remembers, and a retry repeats
std::span<const PlantedBug> PageBugs();       // what readers see

}  // namespace rollover
