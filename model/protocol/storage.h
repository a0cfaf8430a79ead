// Storage: the writes of one commit that stores messages, or that only compacts.
//
//   assign sequences → oversized messages straight into chunks, the others into the window
//   → roll over full runs while the window is too large → retain → write the index
//
// S1  AgentMessageIndex is written if and only if a chunk is written or deleted
// S2  writes are coalesced per key: a message stored and moved by one commit is written to its
//     chunk only
// S3  no AgentMessages instance, and no chunk, is ever written twice
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/flow_state.h"
#include "model/options.h"
#include "model/step.h"

namespace rollover {

// A session before the commit, as far as storing goes.
struct StorageView {
  const Options& options;        // compaction as the core has it
  const InstanceMap& window;     // the whole window
  const Index* index = nullptr;  // null: never rolled over, everything is window
  Sequence next_sequence = 1;
  Sequence summary_last_sequence = 0;  // as this commit leaves it
};

struct NewMessage {
  Role role = Role::kUser;
  Content content;
};

struct StorageChange {
  std::vector<Write> writes;  // messages, chunks, index
  Sequence next_sequence = 1;
  std::optional<Index> new_index;  // what is written, when it is
};

StorageChange StoreMessages(const StorageView& view, const TurnId& turn_id,
                            std::span<const NewMessage> messages);

// Retention without a store, as CompactContext needs it: deletes, and never rolls over.
StorageChange RetainOnly(const StorageView& view);

}  // namespace rollover
