// Engine: the durable side of one session, as far as the protocol relies on it.
//
//   Queue ──► HandOut ──► (Worker computes) ──► Receive, Finish ──► Queue ...
//                │                                 │
//                └── the Worker dies: HandOut again┘ attempt + 1, a fresh token
//
// E1  a commit applies whole or not at all; a result cut short in mid-stream leaves nothing
// E2  only the newest token of a Step that has not completed may commit; others are fenced
// E3  a result with a value over max_value_bytes, or over max_result_bytes in all, is refused whole
// E4  max_flow_state_bytes is looked at only when a commit grows the live bytes, and counts
//     superseded values of the last history_commits commits
// An Engine is a value: a copy is a commit boundary to roll back to. Nothing here knows what names
// and keys mean.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "model/flow_state.h"
#include "model/history.h"
#include "model/options.h"
#include "model/step.h"

namespace rollover {

// Fences: each hand-out gets the next one, across crashes and roll-backs.
using Token = std::uint64_t;

enum class CommitAnswer : std::uint8_t { kApplied, kFenced, kRefused };

class Engine {
 public:
  explicit Engine(const Limits& limits) : limits_(limits) {}

  const FlowState& state() const { return state_; }
  const Limits& limits() const { return limits_; }
  void set_limits(const Limits& limits) { limits_ = limits; }

  // Puts a Step up for hand-out; whatever was up before is over.
  void Queue(const Movement& movement);
  void Clear() { queued_ = false; }
  bool has_queued() const { return queued_; }
  const Movement& queued() const { return movement_; }

  // Hands the queued Step out: `next_token` must be larger than any before.
  void HandOut(Token next_token) { current_ = next_token; }
  // The Step in flight loses its claim without a new hand-out: its Worker is known to be dead, or a
  // control abandons it.
  void Fence() { current_ = 0; }

  // A result arrives as a stream of entries, which wait outside the state until it is whole. When
  // it applies, the Step has completed and nothing is queued.
  void Receive(const Write& entry) { received_.push_back(entry); }
  CommitAnswer Finish(Token token);
  // The stream breaks off: what was received is forgotten.
  void Disconnect() { received_.clear(); }
  RefusalCause refusal() const { return refusal_; }  // of the last refused result

  // Superseded bytes still counted by the history window.
  std::uint64_t superseded_bytes() const { return superseded_total_; }

 private:
  bool Refuses(std::span<const Write> writes);
  bool GrowsPastFlowLimit(std::span<const Write> writes) const;
  void Apply(std::span<const Write> writes);

  Limits limits_;
  FlowState state_;
  bool queued_ = false;
  Movement movement_;
  Token current_ = 0;
  std::vector<Write> received_;
  RefusalCause refusal_ = RefusalCause::kValueLimit;
  std::deque<std::uint64_t> superseded_;  // bytes, a number a commit, newest last
  std::uint64_t superseded_total_ = 0;
};

}  // namespace rollover
