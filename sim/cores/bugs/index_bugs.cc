// What the index says, when it is written, and the load lists made from it.
#include "model/protocol/loads.h"
#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

void ListOnePastTheEnd(Draft& draft) {
  const auto moved = draft.MovedChunks();
  if (moved.empty()) return;
  Index index = draft.IndexAfter();
  for (const ValueRef& chunk : moved) {
    if (ChunkRange* listed = RangeAt(index, RangeOf(chunk).first)) ++listed->last;
  }
  draft.PutIndex(std::move(index));
}

void LeaveOldestKept(Draft& draft) {
  auto index = draft.WrittenIndex();
  if (!index || draft.IndexBefore() == nullptr) return;
  index->oldest_kept = draft.IndexBefore()->oldest_kept;
  draft.PutIndex(*index);
}

void WriteIndexEachTurn(Draft& draft) {
  const bool starts = draft.step() == StepKind::kStartTurn;
  if (starts && draft.IndexBefore() != nullptr) draft.PutIndex(draft.IndexAfter());
}

void ListLoadsTooEarly(Draft& draft) {
  if (!draft.result().next || !draft.WrittenIndex()) return;
  const auto* model = std::get_if<RunModel>(&draft.input());
  draft.result().next = MoveTo(draft.result().next->step,
                               {.compaction = draft.options().compaction,
                                .index = draft.IndexBefore(),
                                .summary_last_sequence = draft.SummaryLastAfter()},
                               model != nullptr ? model->compact_through : 0);
}

}  // namespace

std::span<const PlantedBug> IndexBugs() {
  static constexpr PlantedBug bugs[] = {
      {"index-last-one-past",
       "The index takes the end of a run, one past its last message, for "
       "the last.",
       Rule::kIndexMatchesChunks, "not one commit: rabbitmq/osiris#79",
       WithResult<ListOnePastTheEnd>},
      {"oldest-kept-not-moved", "The oldest chunk is deleted, and oldest_kept stays where it was.",
       Rule::kIndexMatchesChunks, "retention: redpanda-data/redpanda#3722",
       WithResult<LeaveOldestKept>},
      {"index-rewritten-every-turn",
       "The index is written with each turn's user message, changed or not.", Rule::kIndexWriteRule,
       "write amplification", WithResult<WriteIndexEachTurn>},
      {"loads-from-index-before-rollover",
       "The next Step's loads are listed from the index as it was before this commit's rollover.",
       Rule::kBoundedLoads, "torn read: dapr/dapr#10242", WithResult<ListLoadsTooEarly>},
  };
  return bugs;
}

}  // namespace rollover
