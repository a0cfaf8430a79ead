// Retention and summary: what is deleted, what is not, and what the summary claims to hold.
#include <algorithm>

#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

// Deletes from the oldest chunk on what a commit may delete by the limit, and by the test given.
template <typename MayGo>
void DeletePrefix(Draft& draft, MayGo may_go) {
  if (!draft.options().retained_message_limit || !draft.StoresOrCompacts()) return;
  Index index = draft.IndexAfter();
  auto& chunks = index.chunks;
  bool deleted = false;
  while (!chunks.empty()) {
    const ChunkRange oldest = chunks.front();
    const std::uint64_t after = draft.NextAfter() - 1 - oldest.last;
    if (after < *draft.options().retained_message_limit ||
        draft.Writes(Name::kChunks, oldest.first) || !may_go(oldest, index)) {
      break;
    }
    draft.Delete(Name::kChunks, oldest.first);
    chunks.erase(chunks.begin());
    deleted = true;
  }
  if (deleted) draft.Settle(std::move(index));
}

void RetainByFirst(Draft& draft) {
  if (!draft.options().compaction) return;
  const Sequence summarised = draft.SummaryLastAfter();
  DeletePrefix(draft, [&](const ChunkRange& chunk, const Index& index) {
    return chunk.first <= index.window_start && chunk.first <= summarised;
  });
}

void RetainAroundTheWindow(Draft& draft) {
  if (!draft.options().compaction) return;
  const Sequence summarised = draft.SummaryLastAfter();
  DeletePrefix(draft,
               [&](const ChunkRange& chunk, const Index&) { return chunk.last <= summarised; });
}

void RetainWithoutSummary(Draft& draft) {
  DeletePrefix(draft, [](const ChunkRange& chunk, const Index& index) {
    return chunk.first <= index.window_start;
  });
}

// What this commit deletes, from the given place on, stays.
void DeleteAtMost(Draft& draft, std::size_t chunks_max) {
  if (draft.IndexBefore() == nullptr) return;
  Index index = draft.IndexAfter();
  std::vector<ChunkRange> gone;
  for (const ChunkRange& range : draft.IndexBefore()->chunks) {
    if (RangeAt(index, range.first) == nullptr) gone.push_back(range);
  }
  if (gone.size() <= chunks_max) return;
  gone.erase(gone.begin(), gone.begin() + static_cast<std::ptrdiff_t>(chunks_max));
  for (const ChunkRange& range : gone) draft.Drop(Name::kChunks, range.first);
  index.chunks.insert(index.chunks.begin(), gone.begin(), gone.end());
  draft.Settle(std::move(index));
}

void RetainOneChunk(Draft& draft) { DeleteAtMost(draft, 1); }

void RetainWhenCompacting(Draft& draft) {
  if (draft.step() != StepKind::kCompactContext) DeleteAtMost(draft, 0);
}

void SummariseToTheEnd(Draft& draft) {
  const auto* compact = std::get_if<CompactContext>(&draft.input());
  if (compact == nullptr) return;
  draft.Put(Name::kSummary, 0, MakeValue(Summary{draft.NextBefore() - 1, compact->text}));
}

}  // namespace

std::span<const PlantedBug> RetentionBugs() {
  static constexpr PlantedBug bugs[] = {
      {"retention-by-first",
       "A chunk counts as summarised as soon as the summary reaches its first message.",
       Rule::kRetentionSafe, "retention: redis/redis#9410", WithResult<RetainByFirst>},
      {"retention-around-the-window",
       "The oldest chunk is deleted although an older message is still in the window.",
       Rule::kNothingLost, "retention: redis/redis#9410", WithResult<RetainAroundTheWindow>},
      {"deletes-without-compaction",
       "The limit is applied by a core that has no compaction, so nothing holds what it deletes.",
       Rule::kNeverDeletes, "migration: openai/openai-agents-python#4729",
       WithResultWithoutCompaction<RetainWithoutSummary>, CoreKind::kNoCompaction},
      {"retention-one-chunk-per-commit",
       "A commit deletes one chunk and leaves the others that may go, with no one to come back.",
       Rule::kRetentionDone, "retention: redpanda-data/redpanda#3722", WithResult<RetainOneChunk>},
      {"retention-only-when-compacting",
       "Only a compaction deletes; what later messages push beyond the limit stays until then.",
       Rule::kRetentionDone, "retention: redpanda-data/redpanda#3722",
       WithResult<RetainWhenCompacting>},
      {"summary-position-at-completion",
       "The summary claims to reach the newest message of when it was done, not of its request.",
       Rule::kSessionState, "summary coverage: openclaw/openclaw#35522",
       WithResult<SummariseToTheEnd>},
  };
  return bugs;
}

}  // namespace rollover
