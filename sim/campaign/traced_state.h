// The session's window and chunks, followed along a trace: which sequences are where, before and
// after each commit, through roll-backs. Contents are not known here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "model/values.h"
#include "sim/trace.h"

namespace rollover {

struct TracedState {
  std::vector<Sequence> window{};                // ascending
  std::map<std::uint64_t, ChunkRange> chunks{};  // by key

  friend bool operator==(const TracedState&, const TracedState&) = default;
};

// Neighbours joined.
std::vector<ChunkRange> Runs(const std::vector<Sequence>& ascending);

class TraceFollower {
 public:
  void OnEvent(const TraceEvent& event);  // every event, in order
  const TracedState& state() const { return state_; }

 private:
  void OnWrite(const TraceEvent& event);
  void OnRollBack(const TraceEvent& event);

  TracedState state_;
  std::map<std::uint64_t, TracedState> after_commit_;  // the newest few, to roll back to
};

}  // namespace rollover
