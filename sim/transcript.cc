#include "sim/transcript.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/json_text.h"
#include "sim/chat_message.h"
#include "sim/turn_builder.h"

namespace rollover {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kIdBytesMax = 200;

// An id is printed; one that would not fit in a line of text is not used.
std::optional<std::string> UsableId(JsonView id) {
  if (id.kind() == JsonKind::kNumber && id.text.size() <= kIdBytesMax) return std::string(id.text);
  const std::string said = id.String();
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (said.empty() || said.size() > kIdBytesMax) return std::nullopt;
  if (std::any_of(said.begin(), said.end(), control)) return std::nullopt;
  return said;
}

Result<Conversation> ReadConversation(JsonView view, std::uint64_t line) {
  std::string id = fmt::format("line {}", line);
  std::optional<JsonView> messages;
  if (view.kind() == JsonKind::kArray) {
    messages = view;
  } else {
    for (JsonItems members(view); members.Next();) {
      const std::string name = members.key();
      if (name == "messages") messages = members.value();
      if (name == "id") id = UsableId(members.value()).value_or(std::move(id));
    }
  }
  if (!messages) return Error{"not a conversation: an object without \"messages\"", view.position};
  if (messages->kind() != JsonKind::kArray) {
    return Error{fmt::format("not a conversation: \"messages\" is {}, not an array",
                             JsonKindName(messages->kind())),
                 messages->position};
  }
  TurnBuilder builder(std::move(id));
  std::uint64_t number = 0;
  for (JsonItems items(*messages); items.Next();) {
    ++number;
    auto message = ReadChatMessage(items.value());
    auto error = message ? builder.Add(std::move(message.value())) : message.error();
    if (error) {
      return Error{fmt::format("message {}: {}", number, error->reason), error->position};
    }
  }
  return builder.Take();
}

std::size_t SkipSpace(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Bytes of the UTF-8 sequence that starts like this; 1 if none does.
std::size_t SequenceBytes(char c) {
  const auto lead = static_cast<unsigned char>(c);
  return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
}

// Where a sequence that is not UTF-8 starts, when that is what stopped the parser at `position`.
std::optional<std::size_t> NotUtf8Near(std::string_view text, std::size_t position) {
  constexpr std::size_t sequence_bytes_max = 4;
  std::size_t at = position - std::min(position, sequence_bytes_max - 1);
  while (at < position && IsContinuation(text[at])) ++at;  // of one that starts before
  while (at <= position && at < text.size()) {
    const std::string_view sequence = text.substr(at, SequenceBytes(text[at]));
    if (!ValidUtf8(sequence)) return at;
    at += sequence.size();
  }
  return std::nullopt;
}

// The parser stopped behind \ud800 .. \udbff, at something that is not its other half.
bool BehindHalfASurrogatePair(std::string_view text, std::size_t position) {
  constexpr std::size_t escape_bytes = 6;
  if (position < escape_bytes) return false;
  const std::string_view escape = text.substr(position - escape_bytes, escape_bytes);
  return escape.starts_with("\\u") && (escape[2] == 'd' || escape[2] == 'D') &&
         std::string_view("89abAB").find(escape[3]) != std::string_view::npos;
}

// The parser's reason, or a more telling one.
Error NotJson(std::string_view text, const Error& error) {
  if (const auto at = NotUtf8Near(text, error.position)) {
    return {fmt::format("not valid UTF-8: byte 0x{:02x}", static_cast<unsigned char>(text[*at])),
            *at};
  }
  if (BehindHalfASurrogatePair(text, error.position)) {
    return {"not JSON: half a surrogate pair", error.position};
  }
  return error;
}

// One behind the array or object that starts at `start`.
Result<std::size_t> ConversationEnd(std::string_view text, std::size_t start) {
  const auto first = static_cast<unsigned char>(text[start]);
  if (first != '[' && first != '{') {
    const bool visible = first > 0x20 && first < 0x7F;
    return Error{
        fmt::format("not a conversation: starts with {}, not with [ or {{",
                    visible ? std::string(1, text[start]) : fmt::format("byte 0x{:02x}", first)),
        start};
  }
  const auto extent = JsonExtent(text.substr(start));
  if (!extent) return NotJson(text, {extent.error().reason, start + extent.error().position});
  return start + extent.value();
}

using Conversations = std::vector<Conversation>;

Result<Conversations> ReadLines(std::string_view text, std::size_t start, std::uint64_t line) {
  Conversations read;
  for (std::size_t end = 0; start < text.size(); start = end + 1, ++line) {
    end = std::min(text.find('\n', start), text.size());
    const std::string_view up_to_end = text.substr(0, end);
    const std::size_t first = SkipSpace(up_to_end, start);
    if (first == end) continue;
    if (read.size() == kConversationsMax) {
      return Error{fmt::format("more than {} conversations", kConversationsMax), first};
    }
    const auto value_end = ConversationEnd(up_to_end, first);
    if (!value_end) return value_end.error();
    const std::size_t rest = SkipSpace(up_to_end, value_end.value());
    if (rest != end) return Error{"text after the conversation", rest};
    auto conversation =
        ReadConversation({text.substr(first, value_end.value() - first), first}, line);
    if (!conversation) return conversation.error();
    read.push_back(std::move(conversation.value()));
  }
  return read;
}

// A first line without an end is JSONL's all the same when a conversation follows on a line of its
// own. Else the blame would fall on the second line, which only looks wrong behind the first.
bool ConversationFollows(std::string_view text, std::size_t line_end) {
  const std::size_t start = SkipSpace(text, line_end);
  if (start == text.size()) return false;
  const std::string_view line = text.substr(0, std::min(text.find('\n', start), text.size()));
  const auto end = ConversationEnd(line, start);
  if (!end || SkipSpace(line, end.value()) != line.size()) return false;
  return ReadConversation({line.substr(start, end.value() - start), start}, 0).ok();
}

std::uint64_t LineOf(std::string_view text, std::size_t position) {
  const auto before = text.substr(0, position);
  return 1 + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
}

Result<Conversations> ReadFile(std::string_view text) {
  const bool marked = text.starts_with(kByteOrderMark);
  const std::size_t start = SkipSpace(text, marked ? kByteOrderMark.size() : 0);
  if (start == text.size()) return Error{"the transcript is empty", start};
  const std::uint64_t line = LineOf(text, start);
  const std::size_t line_end = std::min(text.find('\n', start), text.size());
  const auto end = ConversationEnd(text, start);
  if (!end) {
    if (ConversationFollows(text, line_end)) return ReadLines(text, start, line);
    return end.error();
  }
  const std::size_t rest = SkipSpace(text, end.value());
  if (rest < text.size()) {
    if (end.value() <= line_end && rest > line_end) return ReadLines(text, start, line);
    return Error{"text after the conversation", rest};
  }
  auto conversation = ReadConversation({text.substr(start, end.value() - start), start}, line);
  if (!conversation) return conversation.error();
  Conversations one;
  one.push_back(std::move(conversation.value()));
  return one;
}

}  // namespace

Result<std::vector<Conversation>> ReadTranscripts(std::string_view text) {
  if (text.size() > kTranscriptBytesMax) {
    return Error{fmt::format("the transcript is {} bytes; valid: 1 .. {}", text.size(),
                             kTranscriptBytesMax)};
  }
  auto read = ReadFile(text);
  if (!read) {
    const Error& error = read.error();
    const std::size_t position = std::min(error.position, text.size());
    const std::size_t before =
        position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
    const std::size_t line_start = before == std::string_view::npos ? 0 : before + 1;
    return Error{fmt::format("line {}, byte {}: {}", LineOf(text, position),
                             position - line_start + 1, error.reason),
                 position};
  }
  const auto has_turns = [](const Conversation& one) { return !one.turns.empty(); };
  const auto& all = read.value();
  if (std::none_of(all.begin(), all.end(), has_turns)) {
    return Error{"line 1, byte 1: no user message: nothing to replay"};
  }
  return read;
}

Scenario ScenarioFrom(const Conversation& conversation) {
  Scenario scenario;
  scenario.operations.assign(conversation.turns.begin(), conversation.turns.end());
  return scenario;
}

std::vector<Fault> SteerFaults(const Conversation& conversation, std::uint64_t turns_before) {
  std::vector<Fault> faults;
  for (const std::size_t turn : conversation.steered) {
    faults.push_back({.kind = FaultKind::kControl,
                      .turn = turns_before + turn + 1,
                      .step = StepKind::kRunModel,
                      .occurrence = conversation.turns[turn].rounds.size() + 1,
                      .at = Point::kInHandler,
                      .control = ControlKind::kSteer});
  }
  return faults;
}

}  // namespace rollover
