#include "model/protocol/retention.h"

#include <algorithm>

namespace rollover {

std::size_t DeletableChunks(const RetentionView& view) {
  if (!view.options.compaction || !view.options.retained_message_limit) return 0;
  std::size_t count = 0;
  for (const ChunkRange& chunk : view.index.chunks) {
    const bool holds_oldest_kept = chunk.first < view.index.window_start;
    const bool summarised = chunk.last <= view.summary_last_sequence;
    const std::uint64_t stored_after = view.next_sequence - 1 - chunk.last;
    const bool beyond_limit = stored_after >= *view.options.retained_message_limit;
    const bool own =
        std::find(view.written.begin(), view.written.end(), chunk.first) != view.written.end();
    if (!holds_oldest_kept || !summarised || !beyond_limit || own) break;
    ++count;
  }
  return count;
}

}  // namespace rollover
