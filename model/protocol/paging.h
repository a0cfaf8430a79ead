// Paging: list_agent_messages and get_agent_snapshot over what an RPC loaded.
//
// The kept log is every stored message in order, oldest_kept .. next_sequence - 1. A page is a
// slice of it, as of one commit.
//
// P1  after_sequence: the messages right after the anchor; before_sequence: right before it;
//     ascending either way. No anchor means after_sequence 0.
// P2  has_more: kept messages remain in the direction of the walk
// P3  deleted_before_sequence is present once anything was deleted, and equals oldest_kept
// P4  a limit outside 1 .. 200, two anchors, or a negative anchor is an error, never an empty page
#pragma once

#include "model/protocol/core.h"

namespace rollover {

// The kept log by position: chunks and window interleaved by sequence, without copying messages.
// `window` must outlive it.
class KeptLog {
 public:
  KeptLog(std::vector<ValueRef> chunks, const InstanceMap& window);

  Sequence first() const;                // oldest kept; end() when nothing is
  Sequence end() const { return end_; }  // one past the newest; 1 when nothing is kept
  // Messages with from <= sequence < until, ascending.
  std::vector<ValueRef> Slice(Sequence from, Sequence until) const;

 private:
  struct Segment {
    Sequence first = 0;
    Sequence last = 0;
    const Chunk* chunk = nullptr;                   // or
    const InstanceMap::Instance* window = nullptr;  // a stretch of neighbours in the window
  };
  std::vector<ValueRef> chunks_;
  std::vector<Segment> segments_;  // ascending
  Sequence end_ = 1;
};

ReadOutcome ReadPage(const ReadArguments& arguments, const KeptLog& log);

}  // namespace rollover
