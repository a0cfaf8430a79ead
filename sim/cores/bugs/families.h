// The planted bugs by family, one file each.
#pragma once

#include <span>

#include "sim/cores/planted_bugs.h"

namespace rollover {

std::span<const PlantedBug> LeftoverBugs();   // leftovers and off-by-ones
std::span<const PlantedBug> SizeBugs();       // what is measured, and against what
std::span<const PlantedBug> ShapeBugs();      // what a chunk, a run or a page may span
std::span<const PlantedBug> CommitBugs();     // what one commit holds, and what it lists to load
std::span<const PlantedBug> RetentionBugs();  // what is deleted, and what the summary says
std::span<const PlantedBug> MemoryBugs();     // what a process remembers, and a retry repeats
std::span<const PlantedBug> UpgradeBugs();    // sessions that 0.1.0 left behind
std::span<const PlantedBug> TurnBugs();       // messages, replies, the model's input

}  // namespace rollover
