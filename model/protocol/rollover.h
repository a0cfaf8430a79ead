// Rollover: which messages leave the window together.
//
//   oldest_kept      window_start            next_sequence
//   ─────┼───── chunks ────┼──── window ───────────┼────►  sequence
//                          └ run ┘ moves into one chunk, in the commit that stores a message
//
// R1  a run starts at the oldest window message and has at least one message
// R2  its sequences are neighbours: an oversized chunk in between closes it
// R3  it holds at most message_chunk_size messages, and at most message_chunk_max_bytes as a chunk,
//     a run of one message excepted
// R4  it is as long as R2 and R3 allow: a full run moves, not the single excess message
// Not here: how many runs a commit moves (storage.h), when chunks are deleted (retention.h).
#pragma once

#include <cstdint>
#include <vector>

#include "model/flow_state.h"
#include "model/options.h"

namespace rollover {

// Assumption A-oversized: the comparison is strict, a chunk may be exactly full.
bool Oversized(std::uint64_t message_bytes, const Options& options);

// The window as a commit sees it: what was loaded, then the messages it adds.
class Window {
 public:
  explicit Window(const InstanceMap& loaded) : loaded_(&loaded) {}

  void Add(ValueRef message) { added_.push_back(std::move(message)); }
  // The oldest `count` messages are no longer in the window.
  void Remove(std::size_t count) { removed_ += count; }

  std::size_t size() const { return loaded_->size() + added_.size() - removed_; }
  bool empty() const { return size() == 0; }
  // Oldest first; valid until the next Add.
  const ValueRef& operator[](std::size_t i) const;
  // Whether the i-th was loaded, and so has an instance that must go when it moves.
  bool WasLoaded(std::size_t i) const { return i + removed_ < loaded_->size(); }

  const std::vector<ValueRef>& added() const { return added_; }
  // How many of the added messages have been removed again: the first ones.
  std::size_t added_removed() const;

 private:
  const InstanceMap* loaded_;
  std::vector<ValueRef> added_;
  std::size_t removed_ = 0;
};

struct Run {
  std::size_t messages = 0;
  std::uint64_t chunk_bytes = 0;  // encoded size of the chunk that will hold it
};

// `window` must not be empty.
Run CutRun(const Window& window, const Options& options);

}  // namespace rollover
