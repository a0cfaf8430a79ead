#include "model/protocol/loads.h"

#include "model/check.h"

namespace rollover {
namespace {

LoadList SessionAndWindow() {
  return {{.name = Name::kSession},
          {.name = Name::kIndex},
          {.name = Name::kSummary},
          {.name = Name::kMessages, .all = true}};
}

// The chunks that reach past `after` and start at or before `until`.
void AddChunks(const Index* index, Sequence after, Sequence until, LoadList& loads) {
  if (index == nullptr) return;
  for (const ChunkRange& chunk : index->chunks) {
    if (chunk.last <= after || chunk.first > until) continue;
    loads.push_back({.name = Name::kChunks, .key = chunk.first});
  }
}

constexpr Sequence kNoUpperBound = ~Sequence{0};

LoadList RunModelLoads(const LoadsView& view) {
  LoadList loads = SessionAndWindow();
  loads.push_back({.name = Name::kTurnReply});
  if (!view.compaction) {
    // Without a summary the model input is every message.
    loads.push_back({.name = Name::kChunks, .all = true});
  } else {
    AddChunks(view.index, view.summary_last_sequence, kNoUpperBound, loads);
  }
  return loads;
}

}  // namespace

Movement MoveTo(StepKind step, const LoadsView& view, Sequence compact_through) {
  Movement movement{step, {}, RunModelLoads(view)};
  switch (step) {
    case StepKind::kRunModel:
    case StepKind::kFinishTurnCancellation:
      movement.loads = movement.control_loads;
      break;
    case StepKind::kCompactContext:
      movement.loads = SessionAndWindow();
      AddChunks(view.index, view.summary_last_sequence, compact_through, movement.loads);
      break;
    default:
      CHECK(step == StepKind::kResumeTurn);  // no movement goes to the others
      movement.loads = SessionAndWindow();
      break;
  }
  return movement;
}

LoadList LegacyLoads() {
  return {
      {.name = Name::kSession}, {.name = Name::kSummary}, {.name = Name::kMessages, .all = true}};
}

LoadList StartTurnLoads(const Profile& profile) {
  return profile.legacy ? LegacyLoads() : SessionAndWindow();
}

LoadList RecordTurnFailureLoads(const Profile& profile) {
  if (profile.legacy) return LegacyLoads();
  // A failure route has no movement options, so it loads every kept chunk.
  LoadList loads = SessionAndWindow();
  loads.push_back({.name = Name::kTurnReply});
  loads.push_back({.name = Name::kChunks, .all = true});
  return loads;
}

LoadList ReadLoads(const Profile& profile) {
  if (profile.legacy) return LegacyLoads();
  return {{.name = Name::kIndex},
          {.name = Name::kMessages, .all = true},
          {.name = Name::kSummary},
          {.name = Name::kChunks, .all = true}};
}

}  // namespace rollover
