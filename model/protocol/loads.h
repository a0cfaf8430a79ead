// Loads: which values a movement lists for the Step it moves to.
//
// A movement fixes keys, so it is made from the index and the summary as this commit leaves them.
// Loads travel with the movement; a control may strike instead, so every movement also carries what
// ApplyTurnControl would need.
#pragma once

#include "model/protocol/core.h"
#include "model/step.h"
#include "model/values.h"

namespace rollover {

struct LoadsView {
  bool compaction = true;
  const Index* index = nullptr;        // as this commit leaves it; null: no chunks
  Sequence summary_last_sequence = 0;  // as this commit leaves it
};

// `compact_through` is the position that CompactContext will summarise to, for that Step only.
Movement MoveTo(StepKind step, const LoadsView& view, Sequence compact_through = 0);

// A 0.1.0 core lists the same three values for every Step.
LoadList LegacyLoads();

}  // namespace rollover
