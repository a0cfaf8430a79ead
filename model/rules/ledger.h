// Ledger: the conversation as it should be, a flat list of whole messages.
//
// It is fed from what Steps were asked to store, never from what they wrote, and knows nothing of
// windows, chunks or the index. Messages older than the oldest kept one are forgotten.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>

#include "model/sliding_vector.h"
#include "model/step.h"
#include "model/values.h"

namespace rollover {

// The messages that a Step stores, by its input alone.
struct ExpectedMessage {
  TurnId turn_id;
  Role role = Role::kUser;
  Content content;
};
// Most Steps store one, or none.
using ExpectedMessageList = boost::container::small_vector<ExpectedMessage, 1>;
ExpectedMessageList ExpectedMessages(const StepInput& input);

class Ledger {
 public:
  Sequence first() const { return first_; }  // oldest kept
  Sequence next() const { return first_ + messages_.size(); }
  bool Has(Sequence sequence) const { return sequence >= first_ && sequence < next(); }
  // `sequence` must be kept.
  const ExpectedMessage& At(Sequence sequence) const { return messages_[sequence - first_]; }
  bool Matches(const Message& message) const;

  void Append(ExpectedMessage message);
  void ForgetBefore(Sequence sequence);

  // The largest encoded message so far, forgotten ones included.
  std::uint64_t largest_message_bytes() const { return largest_message_bytes_; }

 private:
  SlidingVector<ExpectedMessage> messages_;
  Sequence first_ = 1;
  std::uint64_t largest_message_bytes_ = 0;
};

}  // namespace rollover
