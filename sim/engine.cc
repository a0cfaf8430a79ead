#include "sim/engine.h"

namespace rollover {

void Engine::Queue(const Movement& movement) {
  movement_ = movement;  // into the room that the last one left
  queued_ = true;
  current_ = 0;
}

CommitAnswer Engine::Finish(Token token) {
  std::vector<Write> writes;
  writes.swap(received_);
  CommitAnswer answer = CommitAnswer::kApplied;
  if (token != current_ || !queued_) {
    answer = CommitAnswer::kFenced;
  } else if (Refuses(writes)) {
    answer = CommitAnswer::kRefused;
  } else {
    Apply(writes);
  }
  writes.clear();
  received_.swap(writes);  // keeps its memory for the next result
  return answer;
}

void Engine::Apply(std::span<const Write> writes) {
  std::uint64_t superseded = 0;
  for (const Write& write : writes) {
    if (const ValueRef old = state_.Apply(write)) superseded += old->encoded_bytes();
  }
  superseded_.push_back(superseded);
  superseded_total_ += superseded;
  while (superseded_.size() > limits_.history_commits) {
    superseded_total_ -= superseded_.front();
    superseded_.pop_front();
  }
  queued_ = false;
  current_ = 0;
}

bool Engine::Refuses(std::span<const Write> writes) {
  std::uint64_t bytes = 0;
  for (const Write& write : writes) {
    if (write.deletes()) continue;
    if (write.value->encoded_bytes() > limits_.max_value_bytes) {
      refusal_ = RefusalCause::kValueLimit;
      return true;
    }
    bytes += write.value->encoded_bytes();
  }
  if (bytes > limits_.max_result_bytes) {
    refusal_ = RefusalCause::kResultLimit;
    return true;
  }
  refusal_ = RefusalCause::kFlowStateLimit;
  // Exact only where it could matter: the sum of everything is an upper bound.
  const std::uint64_t at_most = state_.live_bytes() + superseded_total_ + bytes;
  return at_most > limits_.max_flow_state_bytes && GrowsPastFlowLimit(writes);
}

bool Engine::GrowsPastFlowLimit(std::span<const Write> writes) const {
  FlowState after = state_;
  std::uint64_t superseded = superseded_total_;
  for (const Write& write : writes) {
    if (const ValueRef old = after.Apply(write)) superseded += old->encoded_bytes();
  }
  return after.live_bytes() > state_.live_bytes() &&
         after.live_bytes() + superseded > limits_.max_flow_state_bytes;
}

}  // namespace rollover
