// One message of the OpenAI chat format, as far as a session stores it:
//
//   {"role": "system" | "developer" | "user" | "assistant" | "tool",
//    "content": "…" | null | [part, …],          an assistant's may be left out
//    "tool_calls": [call, …] | null,             of an assistant
//    "tool_call_id": "…"}                        of a tool
//   call = {"id": "…", "type": "function", "function": {"name": "…", "arguments": "…"}}
//        | {"id": "…", "type": "custom", "custom": {"name": "…", "input": "…"}}
//   part = {…} | "…"
//
// Other members are ignored; of two members with one name, the last counts. Arguments that are
// JSON instead of a string are kept as JSON. Not here: the retired role "function", which is an
// unknown role.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/result.h"
#include "sim/content.h"
#include "sim/json_view.h"

namespace rollover {

enum class Speaker : std::uint8_t { kSystem, kDeveloper, kUser, kAssistant, kTool };

struct ToolCall {
  std::optional<std::string> id{};
  std::string part{};  // {"type":"tool_call","id":…,"name":…,"arguments":…}
};

struct ChatMessage {
  Speaker speaker = Speaker::kUser;
  ContentSpec content{};                      // a null one is the empty string
  std::vector<ToolCall> calls{};              // an assistant's
  std::optional<std::string> tool_call_id{};  // a tool's
  std::size_t position = 0;                   // in the file
};

// Error: what is missing or of a wrong type, at its position in the file.
Result<ChatMessage> ReadChatMessage(JsonView view);

// A string, or encoded JSON, as a content.
ContentSpec TextContent(std::string text);
ContentSpec JsonContent(std::string json);

// Makes the reply also say what `message` says: its text or parts, then its tool calls. From then
// on the reply is an array of parts.
void AppendToReply(const ChatMessage& message, ContentSpec& reply);

}  // namespace rollover
