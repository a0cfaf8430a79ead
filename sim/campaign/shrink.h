// Shrink: the smallest scenario that still shows a failure.
//
// A greedy search: it tries smaller scenarios (smaller.h), coarse edits first, takes the first one
// that shows the same failure (Fingerprint), and goes on from there until no edit helps. Smaller
// means: fewer operations, then fewer faults, then rounds and tools, then contents and options.
//
//   S1  what is taken has the fingerprint of what was found: never another bug
//   S2  what is taken is sound (sound.h), and the model's own cores hold in it, if they held in
//       what was found: never a wrong setting
//   S3  what broke in a turn of the scenario still does: the quiet phase behind it stores messages
//       too, and a scenario without operations would explain nothing
//   S4  the result depends on the scenario and the core alone. Jobs only try several edits of a
//       list at once; the first of the list is taken, whichever was faster. Only time and Ctrl-C
//       cut in.
//   S5  the result was run again and left the same trace, or what was found is handed back
//
// Not here: failures of `deterministic`, which no scenario alone shows.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "sim/campaign/failure.h"

namespace rollover {

inline constexpr std::chrono::milliseconds kShrinkTime{30'000};

struct ShrinkConfig {
  std::uint64_t jobs = 1;
  std::chrono::milliseconds time = kShrinkTime;
  const std::atomic<bool>* interrupted = nullptr;  // null: nobody interrupts
};

struct ShrinkReport {
  FoundFailure failure{};  // not saved
  std::uint64_t runs = 0;  // scenarios tried
  double seconds = 0;
  bool complete = false;  // no edit helps any more; false: it was cut short, or could not begin
};

// `found` as Confirm returned it, with this factory.
ShrinkReport Shrink(const FoundFailure& found, const CoreFactory& factory,
                    const ShrinkConfig& config);

}  // namespace rollover
