// Stored: what a history's writes leave behind, and what the newest commit changed.
//
// The rules' own copy of the Flow state, rebuilt from writes alone, with one number a sequence: how
// many values hold it. A commit costs what it touches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/flow_state.h"
#include "model/sliding_vector.h"
#include "model/step.h"

namespace rollover {

struct MessagePut {
  Sequence key = 0;
  ValueRef value;  // a Message
  bool existed = false;
};

struct MessageDelete {
  Sequence key = 0;
  bool existed = false;
};

struct ChunkPut {
  Sequence key = 0;
  ValueRef value;  // a Chunk
  bool existed = false;

  const Chunk& chunk() const { return *value->as<Chunk>(); }
};

struct ChunkDelete {
  Sequence key = 0;
  ValueRef old;  // null: there was none
};

struct AttributeWrite {
  ValueRef before;  // null: had none
  ValueRef after;   // null: deleted
};

// The newest commit's changes, by kind, in the order written.
struct Change {
  std::vector<MessagePut> message_puts;
  std::vector<MessageDelete> message_deletes;
  std::vector<ChunkPut> chunk_puts;
  std::vector<ChunkDelete> chunk_deletes;
  std::optional<AttributeWrite> index;
  std::optional<AttributeWrite> turn_reply;
  std::optional<AttributeWrite> summary;
  std::optional<AttributeWrite> session;
  std::size_t window_before = 0;  // messages in the window
  // Not a change, but why it could not be one (the first such write): a value of the wrong kind, a
  // chunk without messages, a stray key, an attribute written twice.
  std::string malformed;
};

class Stored {
 public:
  void Apply(const std::vector<Write>& writes);

  const FlowState& state() const { return state_; }
  const Change& change() const { return change_; }
  const InstanceMap& window() const { return state_.Map(Name::kMessages); }
  const InstanceMap& chunks() const { return state_.Map(Name::kChunks); }

  // How many stored values hold this sequence.
  std::uint32_t Copies(Sequence sequence) const;
  // Forgets the counts below `sequence`: nothing there is stored any more.
  void ForgetBefore(Sequence sequence);

  // Smallest sequence in the window, if any; smallest anywhere, if any.
  std::optional<Sequence> WindowStart() const;
  std::optional<Sequence> Oldest() const;

 private:
  void Count(Sequence sequence, int by);
  void CountChunk(const Value& value, int by);
  void Record(const Write& write, const ValueRef& old);

  FlowState state_;
  Change change_;
  SlidingVector<std::uint32_t> copies_;
  Sequence copies_first_ = 1;
};

}  // namespace rollover
