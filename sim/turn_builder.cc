#include "sim/turn_builder.h"

#include <fmt/format.h>

namespace rollover {
namespace {

std::optional<Error> TooLarge(const ContentSpec& content, std::size_t position) {
  if (content.text.size() <= kContentBytesMax) return std::nullopt;
  return Error{
      fmt::format("content is {} bytes; valid: 0 .. {}", content.text.size(), kContentBytesMax),
      position};
}

}  // namespace

void OpenCalls::Add(const std::vector<ToolCall>& calls) {
  for (const ToolCall& call : calls) {
    if (call.id) by_id_.emplace(*call.id, open_.size());
    open_.push_back(true);
  }
}

std::optional<std::size_t> OpenCalls::Answer(const std::optional<std::string>& id) {
  std::optional<std::size_t> answered;
  if (id) {
    // One that a result without id answered is still listed here.
    auto next = by_id_.lower_bound(*id);
    while (next != by_id_.end() && next->first == *id && !answered) {
      if (open_[next->second]) answered = next->second;
      next = by_id_.erase(next);
    }
  } else {
    while (first_ < open_.size() && !open_[first_]) ++first_;
    if (first_ < open_.size()) answered = first_;
  }
  if (answered) open_[*answered] = false;
  return answered;
}

std::optional<Error> TurnBuilder::Add(ChatMessage message) {
  if (auto error = TooLarge(message.content, message.position)) return error;
  switch (message.speaker) {
    case Speaker::kSystem:
      ++conversation_.system;
      return std::nullopt;
    case Speaker::kDeveloper:
      ++conversation_.developer;
      return std::nullopt;
    case Speaker::kUser:
      AddUser(std::move(message));
      return std::nullopt;
    default:
      break;
  }
  if (conversation_.turns.empty()) {
    ++conversation_.early;
  } else if (message.speaker == Speaker::kAssistant) {
    return AddReply(message);
  } else {
    AddToolResult(std::move(message));
  }
  return std::nullopt;
}

void TurnBuilder::AddUser(ChatMessage message) {
  auto& turns = conversation_.turns;
  if (!turns.empty()) {
    const auto& rounds = turns.back().rounds;
    const bool completed = !rounds.empty() && rounds.back().tools.empty();
    if (!completed) conversation_.steered.push_back(turns.size() - 1);
  }
  turns.push_back({.user = std::move(message.content)});
  calls_.Clear();
  joinable_ = false;
}

std::optional<Error> TurnBuilder::AddReply(const ChatMessage& message) {
  auto& rounds = conversation_.turns.back().rounds;
  if (!joinable_) {
    rounds.push_back({.reply = message.calls.empty() ? message.content : TextContent({})});
    if (!message.calls.empty()) AppendToReply(message, rounds.back().reply);
    calls_.Clear();
  } else {
    AppendToReply(message, rounds.back().reply);
    ++conversation_.joined;
  }
  joinable_ = true;
  Round& round = rounds.back();
  round.tools.resize(round.tools.size() + message.calls.size(), JsonContent("null"));
  calls_.Add(message.calls);
  conversation_.unanswered += message.calls.size();
  return TooLarge(round.reply, message.position);
}

void TurnBuilder::AddToolResult(ChatMessage message) {
  const auto call = calls_.Answer(message.tool_call_id);
  if (!call) {
    ++conversation_.orphans;
    return;
  }
  conversation_.turns.back().rounds.back().tools[*call] = std::move(message.content);
  --conversation_.unanswered;
  joinable_ = false;
}

}  // namespace rollover
