// What a turn tells the world: replies, the summary's position, the model's input.
#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

// Its turn has no TurnReplySequence: only what this commit stores is counted.
void CountWithoutScan(Draft& draft) {
  const TurnReply* reply = draft.TurnReplyBefore();
  if (reply != nullptr && reply->turn_id == TurnOf(draft.input())) return;
  for (Event& event : draft.result().events) {
    if (event.kind == EventKind::kTurnFailed || event.kind == EventKind::kWarning) continue;
    event.replies = event.kind == EventKind::kTurnCompleted ? 1 : 0;
  }
}

void SummariseToTheEnd(Draft& draft) {
  const auto* compact = std::get_if<CompactContext>(&draft.input());
  if (compact == nullptr) return;
  draft.Put(Name::kSummary, 0, MakeValue(Summary{draft.NextBefore() - 1, compact->text}));
}

void SkipChunksOfOne(Draft& draft) {
  auto& input = draft.result().model_input;
  if (!input || !draft.loaded().Names(Name::kChunks)) return;
  SequenceRuns seen;
  const std::vector<ValueRef> chunks = draft.loaded().Chunks();
  for (const ChunkRange& run : input->runs()) {
    Sequence from = run.first;
    for (const ValueRef& chunk : chunks) {
      const ChunkRange range = RangeOf(chunk);
      if (range.first != range.last || range.first < from || range.last > run.last) continue;
      if (from < range.first) seen.Append(from, range.first - 1);
      from = range.first + 1;
    }
    if (from <= run.last) seen.Append(from, run.last);
  }
  input = seen;
}

}  // namespace

std::span<const PlantedBug> TurnBugs() {
  static constexpr PlantedBug bugs[] = {
      {"reply-count-of-legacy-turn",
       "A turn that 0.1.0 started has no reply sequence, and its earlier replies go uncounted.",
       Rule::kReplyCount, "turn counters: MoonshotAI/kimi-code#833", WithResult<CountWithoutScan>},
      {"summary-position-at-completion",
       "The summary claims to reach the newest message of when it was done, not of its request.",
       Rule::kSessionState, "summary coverage: openclaw/openclaw#35522",
       WithResult<SummariseToTheEnd>},
      {"model-input-misses-oversized",
       "A chunk whose first and last sequence are the same is taken for empty by the model input.",
       Rule::kModelInput, "torn read: dapr/dapr#10058", WithResult<SkipChunksOfOne>},
  };
  return bugs;
}

}  // namespace rollover
