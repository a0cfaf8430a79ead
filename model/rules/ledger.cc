#include "model/rules/ledger.h"

#include <algorithm>

#include "model/codec.h"

namespace rollover {

ExpectedMessageList ExpectedMessages(const StepInput& input) {
  ExpectedMessageList messages;
  if (const auto* start = std::get_if<StartTurn>(&input)) {
    messages.push_back({start->turn_id, Role::kUser, start->content});
  } else if (const auto* model = std::get_if<RunModel>(&input)) {
    if (model->reply) messages.push_back({model->turn_id, Role::kAssistant, model->reply->content});
  } else if (const auto* resume = std::get_if<ResumeTurn>(&input)) {
    for (const Content& content : resume->tool_results) {
      messages.push_back({resume->turn_id, Role::kTool, content});
    }
  } else if (const auto* control = std::get_if<ApplyTurnControl>(&input)) {
    if (control->control == ControlKind::kSteer) {
      messages.push_back({control->new_turn_id, Role::kUser, control->content});
    }
  }
  return messages;
}

bool Ledger::Matches(const Message& message) const {
  if (!Has(message.sequence)) return false;
  const ExpectedMessage& expected = At(message.sequence);
  return message.role == expected.role && message.turn_id == expected.turn_id &&
         message.content == expected.content;
}

void Ledger::Append(ExpectedMessage message) {
  const std::uint64_t bytes =
      MessageHeaderBytes(next(), message.turn_id, message.role) + message.content.encoded().size();
  largest_message_bytes_ = std::max(largest_message_bytes_, bytes);
  messages_.push_back(std::move(message));
}

void Ledger::ForgetBefore(Sequence sequence) {
  if (sequence <= first_) return;
  const std::size_t gone = std::min<std::size_t>(sequence - first_, messages_.size());
  messages_.DropFront(gone);
  first_ += gone;
}

}  // namespace rollover
