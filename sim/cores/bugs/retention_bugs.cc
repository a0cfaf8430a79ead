// What is deleted, and what is not.
#include <algorithm>

#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

Options KeepOneLess(Options options) {
  auto& limit = options.retained_message_limit;
  if (limit && *limit > 0) --*limit;
  return options;
}

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
    if (oldest.first > index.window_start || after < *draft.options().retained_message_limit ||
        draft.Writes(Name::kChunks, oldest.first) || !may_go(oldest)) {
      break;
    }
    draft.Delete(Name::kChunks, oldest.first);
    chunks.erase(chunks.begin());
    index.oldest_kept =
        chunks.empty() ? index.window_start : std::min(index.window_start, chunks.front().first);
    deleted = true;
  }
  if (!deleted) return;
  draft.PutIndex(std::move(index));
  draft.RefreshMovement();
}

void RetainByFirst(Draft& draft) {
  if (!draft.options().compaction) return;
  const Sequence summarised = draft.SummaryLastAfter();
  DeletePrefix(draft, [&](const ChunkRange& chunk) { return chunk.first <= summarised; });
}

void RetainWithoutSummary(Draft& draft) {
  DeletePrefix(draft, [](const ChunkRange&) { return true; });
}

void RetainOneChunk(Draft& draft) {
  if (draft.IndexBefore() == nullptr) return;
  Index index = draft.IndexAfter();
  const std::vector<ChunkRange>& before = draft.IndexBefore()->chunks;
  std::vector<ChunkRange> gone;
  for (const ChunkRange& range : before) {
    if (RangeAt(index, range.first) == nullptr) gone.push_back(range);
  }
  if (gone.size() < 2) return;
  for (std::size_t i = 1; i < gone.size(); ++i) draft.Drop(Name::kChunks, gone[i].first);
  index.chunks.insert(index.chunks.begin(), gone.begin() + 1, gone.end());
  index.oldest_kept = gone[1].first;
  draft.PutIndex(std::move(index));
}

}  // namespace

std::span<const PlantedBug> RetentionBugs() {
  static constexpr PlantedBug bugs[] = {
      {"retention-keeps-one-less",
       "A chunk is deleted when one message fewer than the limit is stored after it.",
       Rule::kRetentionSafe, "off by one: the message being stored is counted twice",
       WithOptions<KeepOneLess>},
      {"retention-by-first",
       "A chunk counts as summarised as soon as the summary reaches its first message.",
       Rule::kRetentionSafe, "retention: redis/redis#9410", WithResult<RetainByFirst>},
      {"retention-one-chunk-per-commit",
       "A commit deletes one chunk and leaves the others that may go, with no one to come back.",
       Rule::kRetentionDone, "retention: redpanda-data/redpanda#3722", WithResult<RetainOneChunk>},
      {"deletes-without-compaction",
       "The limit is applied by a core that has no compaction, so nothing holds what it deletes.",
       Rule::kNeverDeletes, "migration: openai/openai-agents-python#4729",
       WithResultWithoutCompaction<RetainWithoutSummary>, CoreKind::kNoCompaction},
  };
  return bugs;
}

}  // namespace rollover
