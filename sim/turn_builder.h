// Turns from the messages of one conversation, one message after the other. The mapping, and why it
// is as it is: transcript.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/chat_message.h"
#include "sim/transcript.h"

namespace rollover {

// The calls of one round that have no result yet.
class OpenCalls {
 public:
  void Clear() { *this = {}; }
  void Add(const std::vector<ToolCall>& calls);

  // Which call a result answers, by its place in the round; it is open no longer.
  std::optional<std::size_t> Answer(const std::optional<std::string>& id);

 private:
  std::vector<bool> open_;
  std::multimap<std::string, std::size_t> by_id_;  // calls of one id in their order
  std::size_t first_ = 0;                          // none before it is open
};

class TurnBuilder {
 public:
  explicit TurnBuilder(std::string id) { conversation_.id = std::move(id); }

  // Error, at the message: a content, or a reply with all that was joined, is too large.
  std::optional<Error> Add(ChatMessage message);
  Conversation Take() { return std::move(conversation_); }

 private:
  void AddUser(ChatMessage message);
  std::optional<Error> AddReply(const ChatMessage& message);
  void AddToolResult(ChatMessage message);

  Conversation conversation_;
  OpenCalls calls_;        // of the newest round
  bool joinable_ = false;  // nothing came between the newest round's reply and the next message
};

}  // namespace rollover
