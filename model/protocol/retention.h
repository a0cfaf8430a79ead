// Retention: which chunks a commit deletes.
//
// Only a prefix may go:
//   1. Message 12 is oversized and sits in its own chunk; 10 and 11 are still in the window.
//   2. The summary reaches 12 and the limit allows it.
//   3. Deleting "the oldest chunk" would leave 10, 11, 13: a hole no reader can see.
// So the chunk that goes is the one that holds the oldest kept message (assumption A-prefix).
#pragma once

#include <cstdint>
#include <span>

#include "model/options.h"
#include "model/values.h"

namespace rollover {

struct RetentionView {
  const Options& options;      // with compaction on, else nothing is deletable
  const Index& index;          // as this commit leaves it, retention aside
  Sequence next_sequence = 1;  // after this commit
  Sequence summary_last_sequence = 0;
  // First sequences of the chunks this commit writes. They stay: a message would otherwise leave
  // without ever having had a chunk, and a write and a delete of one key would meet
  // (assumption A-own-chunk-stays).
  std::span<const Sequence> written;
};

// How many of the oldest chunks are to be deleted.
std::size_t DeletableChunks(const RetentionView& view);

}  // namespace rollover
