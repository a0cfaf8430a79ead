// What the harness supplies to a Step beside what is stored: the contents and the model's
// decisions, from the scenario's turn. World and the explored sessions both ask here, so that a
// core is told the same.
#pragma once

#include <cstdint>

#include "model/options.h"
#include "model/protocol/core.h"
#include "model/rules/judge.h"
#include "model/step.h"
#include "sim/scenario.h"

namespace rollover {

// A turn, and the session in which it runs. All outlive the frame.
struct InputFrame {
  const Turn& turn;
  const TurnId& turn_id;
  const Judge& judge;
  const Options& options;
  std::uint64_t max_value_bytes = 0;
  bool compaction = true;  // of the options and of the Worker that takes the Step
};

// Where a turn is: its round, and how far the compaction that it asked for last goes.
struct TurnPlace {
  std::uint64_t round = 0;
  Sequence compact_through = 0;
};

// A Step that a movement queued has the loads that it lists; the others have static ones, which are
// those of the Worker that takes it.
LoadList LoadsOf(const Movement& queued, const Profile& profile);

// How often a turn's Steps may be handed out before it counts as wedged. Each round takes two
// Steps; a turn may be replayed after each roll-back, and retried after each fault, its own or a
// neighbour's.
std::uint64_t HandOutsAtMost(const Turn& turn, std::uint64_t faults);

Content UserContentFor(const InputFrame& frame);
// Skips the compactions that are not to be had, and notes how far one goes that is.
RunModel RunModelFor(const InputFrame& frame, TurnPlace& place);
ResumeTurn ResumeTurnFor(const InputFrame& frame, const TurnPlace& place);
CompactContext CompactContextFor(const InputFrame& frame, const TurnPlace& place);

}  // namespace rollover
