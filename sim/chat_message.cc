#include "sim/chat_message.h"

#include <fmt/format.h>

#include <array>

#include "model/json_text.h"

namespace rollover {
namespace {

constexpr std::array<std::string_view, 5> kSpeakerNames = {"system", "developer", "user",
                                                           "assistant", "tool"};

// A member's value; null counts as missing.
std::optional<JsonView> Find(JsonView object, std::string_view name) {
  std::optional<JsonView> found;
  for (JsonItems members(object); members.Next();) {
    if (members.key() == name) found = members.value();
  }
  if (found && found->kind() == JsonKind::kNull) found.reset();
  return found;
}

Error WrongKind(std::string_view what, JsonView value, std::string_view wanted) {
  return {fmt::format("{} is {}, not {}", what, JsonKindName(value.kind()), wanted),
          value.position};
}

std::string JsonString(std::string_view text) {
  std::string literal;
  AppendJsonString(text, literal);
  return literal;
}

Result<Speaker> ReadSpeaker(JsonView message) {
  const auto role = Find(message, "role");
  if (!role) return Error{"a message without role", message.position};
  if (role->kind() != JsonKind::kString) return WrongKind("role", *role, "a string");
  const std::string name = role->String();
  for (std::size_t i = 0; i < kSpeakerNames.size(); ++i) {
    if (kSpeakerNames[i] == name) return static_cast<Speaker>(i);
  }
  return Error{fmt::format("unknown role {}; valid: system, developer, user, assistant, tool",
                           JsonString(name.substr(0, 40))),
               role->position};
}

Result<ContentSpec> ReadContent(JsonView content) {
  if (content.kind() == JsonKind::kNull) return TextContent({});
  if (content.kind() == JsonKind::kString) return TextContent(content.String());
  if (content.kind() != JsonKind::kArray) {
    return WrongKind("content", content, "a string, null or an array of parts");
  }
  for (JsonItems parts(content); parts.Next();) {
    const JsonKind kind = parts.value().kind();
    if (kind != JsonKind::kObject && kind != JsonKind::kString) {
      return WrongKind("a part of a content", parts.value(), "an object or a string");
    }
  }
  return JsonContent(content.Compact());
}

Result<ToolCall> ReadToolCall(JsonView call) {
  if (call.kind() != JsonKind::kObject) return WrongKind("a tool call", call, "an object");
  ToolCall read{.part = R"({"type":"tool_call")"};
  if (const auto id = Find(call, "id")) {
    if (id->kind() != JsonKind::kString) return WrongKind("a tool call's id", *id, "a string");
    read.id = id->String();
    read.part += R"(,"id":)" + JsonString(*read.id);
  }
  auto function = Find(call, "function");
  const bool custom = !function;
  if (custom) function = Find(call, "custom");
  if (!function) return Error{"a tool call without function", call.position};
  const auto name = Find(*function, "name");
  if (!name) return Error{"a tool call without name", function->position};
  if (name->kind() != JsonKind::kString) return WrongKind("a tool's name", *name, "a string");
  read.part += R"(,"name":)" + JsonString(name->String());
  const auto arguments = Find(*function, custom ? "input" : "arguments");
  read.part += R"(,"arguments":)";
  if (!arguments) {
    read.part += R"("")";
  } else if (arguments->kind() == JsonKind::kString) {
    read.part += JsonString(arguments->String());
  } else {
    read.part += arguments->Compact();
  }
  read.part += '}';
  return read;
}

Result<std::vector<ToolCall>> ReadToolCalls(JsonView calls) {
  if (calls.kind() != JsonKind::kArray) return WrongKind("tool_calls", calls, "an array");
  std::vector<ToolCall> read;
  for (JsonItems items(calls); items.Next();) {
    auto call = ReadToolCall(items.value());
    if (!call) return call.error();
    read.push_back(std::move(call.value()));
  }
  return read;
}

void AppendPart(std::string_view part, ContentSpec& reply) {
  if (part.empty()) return;
  reply.text.pop_back();  // the bracket
  if (reply.text.size() > 1) reply.text += ',';
  reply.text += part;
  reply.text += ']';
}

void AppendParts(const ContentSpec& content, ContentSpec& reply) {
  if (content.kind == ContentSpec::Kind::kJson) {
    return AppendPart(std::string_view(content.text).substr(1, content.text.size() - 2), reply);
  }
  if (content.text.empty()) return;  // says nothing beside its tool calls
  AppendPart(R"({"type":"text","text":)" + JsonString(content.text) + '}', reply);
}

}  // namespace

Result<ChatMessage> ReadChatMessage(JsonView view) {
  if (view.kind() != JsonKind::kObject) return WrongKind("a message", view, "an object");
  const auto speaker = ReadSpeaker(view);
  if (!speaker) return speaker.error();
  ChatMessage message{.speaker = speaker.value(), .position = view.position};

  std::optional<JsonView> content;
  for (JsonItems members(view); members.Next();) {
    if (members.key() == "content") content = members.value();
  }
  if (!content && message.speaker != Speaker::kAssistant) {
    return Error{fmt::format("a message of role {} without content",
                             kSpeakerNames.at(static_cast<std::size_t>(message.speaker))),
                 view.position};
  }
  auto read = ReadContent(content.value_or(JsonView{"null", view.position}));
  if (!read) return read.error();
  message.content = std::move(read.value());

  const auto calls = Find(view, "tool_calls");
  if (calls && message.speaker == Speaker::kAssistant) {
    auto read_calls = ReadToolCalls(*calls);
    if (!read_calls) return read_calls.error();
    message.calls = std::move(read_calls.value());
  }
  const auto id = Find(view, "tool_call_id");
  if (id && message.speaker == Speaker::kTool) {
    if (id->kind() != JsonKind::kString) return WrongKind("tool_call_id", *id, "a string");
    message.tool_call_id = id->String();
  }
  return message;
}

ContentSpec TextContent(std::string text) {
  return {.kind = ContentSpec::Kind::kText, .text = std::move(text)};
}

ContentSpec JsonContent(std::string json) {
  return {.kind = ContentSpec::Kind::kJson, .text = std::move(json)};
}

void AppendToReply(const ChatMessage& message, ContentSpec& reply) {
  if (reply.kind != ContentSpec::Kind::kJson) {
    const ContentSpec text = std::move(reply);
    reply = JsonContent("[]");
    AppendParts(text, reply);
  }
  AppendParts(message.content, reply);
  for (const ToolCall& call : message.calls) AppendPart(call.part, reply);
}

}  // namespace rollover
