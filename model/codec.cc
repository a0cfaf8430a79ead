#include "model/codec.h"

#include <array>
#include <charconv>

#include "model/json_text.h"

namespace rollover {
namespace {

constexpr std::string_view kSequenceKey = "{\"sequence\":";
constexpr std::string_view kThenTurnId = ",\"turn_id\":";
constexpr std::string_view kThenRole = ",\"role\":\"";
constexpr std::string_view kThenContent = "\",\"content\":";
constexpr std::string_view kMessagesKey = "{\"messages\":[";
constexpr std::string_view kEndOfList = "]}";
constexpr std::string_view kChunksKey = "{\"chunks\":[";
constexpr std::string_view kFirstKey = "{\"first\":";
constexpr std::string_view kThenLast = ",\"last\":";
constexpr std::string_view kThenWindowStart = "],\"window_start\":";
constexpr std::string_view kThenOldestKept = ",\"oldest_kept\":";
constexpr std::string_view kTurnIdKey = "{\"turn_id\":";
constexpr std::string_view kThenSequence = ",\"sequence\":";
constexpr std::string_view kLastSequenceKey = "{\"last_sequence\":";
constexpr std::string_view kThenText = ",\"text\":";
constexpr std::string_view kNextSequenceKey = "{\"next_sequence\":";
constexpr std::string_view kThenRunning = ",\"status\":\"running\"}";
constexpr std::string_view kThenIdle = ",\"turn_id\":null,\"status\":\"idle\"}";

static_assert(kMessagesKey.size() + kEndOfList.size() == kChunkWrapperBytes);

// Above this no sequence can be assigned; external cores hold it in a signed 64-bit number.
constexpr std::uint64_t kNumberMax = (std::uint64_t{1} << 63) - 1;

constexpr std::array<std::string_view, 3> kRoleNames = {"user", "assistant", "tool"};

void AppendNumber(std::uint64_t number, std::string& out) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

// Reads left to right; the first thing that does not fit is kept as the error.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool failed() const { return failed_; }
  Error error() const { return {reason_, at_}; }
  std::string_view rest() const { return text_.substr(at_); }
  bool At(std::string_view literal) const { return rest().substr(0, literal.size()) == literal; }

  void Fail(std::string reason) {
    if (failed_) return;
    failed_ = true;
    reason_ = std::move(reason);
  }

  bool Expect(std::string_view literal) {
    if (failed_) return false;
    if (!At(literal)) {
      Fail("expected " + std::string(literal));
      return false;
    }
    at_ += literal.size();
    return true;
  }

  std::uint64_t Number() {
    if (failed_) return 0;
    const char* begin = text_.data() + at_;
    std::uint64_t number = 0;
    const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), number);
    const bool leading_zero = end - begin > 1 && *begin == '0';
    if (code != std::errc() || leading_zero || number > kNumberMax) {
      Fail("expected a number 0 .. 2^63-1 without leading zeros");
      return 0;
    }
    at_ += static_cast<std::size_t>(end - begin);
    return number;
  }

  std::string String() {
    if (failed_) return {};
    auto read = ReadJsonString(rest());
    if (!read) {
      at_ += read.error().position;
      Fail(read.error().reason);
      return {};
    }
    at_ += read.value().length;
    return std::move(read.value().text);
  }

  Content Json() {
    if (failed_) return {};
    const auto extent = JsonExtent(rest());
    if (!extent) {
      at_ += extent.error().position;
      Fail(extent.error().reason);
      return {};
    }
    Content content(std::string(rest().substr(0, extent.value())));
    at_ += extent.value();
    return content;
  }

  void ExpectEnd() {
    if (!failed_ && at_ != text_.size()) Fail("text after the value");
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
  std::string reason_;
};

Role ReadRole(Reader& reader) {
  for (std::size_t i = 0; i < kRoleNames.size(); ++i) {
    if (reader.At(kRoleNames[i])) {
      reader.Expect(kRoleNames[i]);
      return static_cast<Role>(i);
    }
  }
  reader.Fail("expected a role: user, assistant or tool");
  return Role::kUser;
}

Message ReadMessage(Reader& reader) {
  reader.Expect(kSequenceKey);
  const Sequence sequence = reader.Number();
  reader.Expect(kThenTurnId);
  TurnId turn_id = reader.String();
  reader.Expect(kThenRole);
  const Role role = ReadRole(reader);
  reader.Expect(kThenContent);
  Content content = reader.Json();
  reader.Expect("}");
  return {sequence, std::move(turn_id), role, std::move(content)};
}

Chunk ReadChunk(Reader& reader) {
  Chunk chunk;
  reader.Expect(kMessagesKey);
  do {
    Message message = ReadMessage(reader);
    if (reader.failed()) return chunk;
    chunk.messages.push_back(MakeValue(std::move(message)));
  } while (reader.At(",") && reader.Expect(","));
  reader.Expect(kEndOfList);
  return chunk;
}

Index ReadIndex(Reader& reader) {
  Index index;
  reader.Expect(kChunksKey);
  if (!reader.At("]")) {
    do {
      ChunkRange range;
      reader.Expect(kFirstKey);
      range.first = reader.Number();
      reader.Expect(kThenLast);
      range.last = reader.Number();
      reader.Expect("}");
      if (reader.failed()) return index;
      index.chunks.push_back(range);
    } while (reader.At(",") && reader.Expect(","));
  }
  reader.Expect(kThenWindowStart);
  index.window_start = reader.Number();
  reader.Expect(kThenOldestKept);
  index.oldest_kept = reader.Number();
  reader.Expect("}");
  return index;
}

TurnReply ReadTurnReply(Reader& reader) {
  TurnReply reply;
  reader.Expect(kTurnIdKey);
  reply.turn_id = reader.String();
  reader.Expect(kThenSequence);
  reply.sequence = reader.Number();
  reader.Expect("}");
  return reply;
}

Summary ReadSummary(Reader& reader) {
  Summary summary;
  reader.Expect(kLastSequenceKey);
  summary.last_sequence = reader.Number();
  reader.Expect(kThenText);
  summary.text = reader.String();
  reader.Expect("}");
  return summary;
}

Session ReadSession(Reader& reader) {
  Session session;
  reader.Expect(kNextSequenceKey);
  session.next_sequence = reader.Number();
  if (reader.At(kThenIdle)) {
    reader.Expect(kThenIdle);
    return session;
  }
  reader.Expect(kThenTurnId);
  session.turn_id = reader.String();
  reader.Expect(kThenRunning);
  return session;
}

template <typename T>
Result<ValueRef> Finish(Reader& reader, T body) {
  reader.ExpectEnd();
  if (reader.failed()) return reader.error();
  return MakeValue(std::move(body));
}

void Append(const Message& message, std::string& out) {
  out += kSequenceKey;
  AppendNumber(message.sequence, out);
  out += kThenTurnId;
  AppendJsonString(message.turn_id, out);
  out += kThenRole;
  out += RoleName(message.role);
  out += kThenContent;
  out += message.content.encoded();
  out.push_back('}');
}

void Append(const Chunk& chunk, std::string& out) {
  out += kMessagesKey;
  for (std::size_t i = 0; i < chunk.messages.size(); ++i) {
    if (i > 0) out.push_back(',');
    Append(chunk.messages[i]->message(), out);
  }
  out += kEndOfList;
}

void Append(const Index& index, std::string& out) {
  out += kChunksKey;
  for (std::size_t i = 0; i < index.chunks.size(); ++i) {
    if (i > 0) out.push_back(',');
    out += kFirstKey;
    AppendNumber(index.chunks[i].first, out);
    out += kThenLast;
    AppendNumber(index.chunks[i].last, out);
    out.push_back('}');
  }
  out += kThenWindowStart;
  AppendNumber(index.window_start, out);
  out += kThenOldestKept;
  AppendNumber(index.oldest_kept, out);
  out.push_back('}');
}

void Append(const TurnReply& reply, std::string& out) {
  out += kTurnIdKey;
  AppendJsonString(reply.turn_id, out);
  out += kThenSequence;
  AppendNumber(reply.sequence, out);
  out.push_back('}');
}

void Append(const Summary& summary, std::string& out) {
  out += kLastSequenceKey;
  AppendNumber(summary.last_sequence, out);
  out += kThenText;
  AppendJsonString(summary.text, out);
  out.push_back('}');
}

void Append(const Session& session, std::string& out) {
  out += kNextSequenceKey;
  AppendNumber(session.next_sequence, out);
  if (!session.turn_id) {
    out += kThenIdle;
    return;
  }
  out += kThenTurnId;
  AppendJsonString(*session.turn_id, out);
  out += kThenRunning;
}

std::uint64_t Bytes(const Message& message) {
  return MessageHeaderBytes(message.sequence, message.turn_id, message.role) +
         message.content.encoded().size();
}

std::uint64_t Bytes(const Chunk& chunk) {
  std::uint64_t bytes = kChunkWrapperBytes + chunk.messages.size() - 1;
  for (const ValueRef& message : chunk.messages) bytes += message->encoded_bytes();
  return bytes;
}

std::uint64_t Bytes(const Index& index) {
  constexpr std::uint64_t range_bytes = kFirstKey.size() + kThenLast.size() + 1;
  std::uint64_t bytes = kChunksKey.size() + kThenWindowStart.size() + kThenOldestKept.size() + 1 +
                        DecimalDigits(index.window_start) + DecimalDigits(index.oldest_kept);
  for (const ChunkRange& range : index.chunks) {
    bytes += range_bytes + DecimalDigits(range.first) + DecimalDigits(range.last) + 1;
  }
  return index.chunks.empty() ? bytes : bytes - 1;  // one comma fewer than ranges
}

std::uint64_t Bytes(const TurnReply& reply) {
  return kTurnIdKey.size() + JsonStringBytes(reply.turn_id) + kThenSequence.size() +
         DecimalDigits(reply.sequence) + 1;
}

std::uint64_t Bytes(const Summary& summary) {
  return kLastSequenceKey.size() + DecimalDigits(summary.last_sequence) + kThenText.size() +
         JsonStringBytes(summary.text) + 1;
}

std::uint64_t Bytes(const Session& session) {
  const std::uint64_t head = kNextSequenceKey.size() + DecimalDigits(session.next_sequence);
  if (!session.turn_id) return head + kThenIdle.size();
  return head + kThenTurnId.size() + JsonStringBytes(*session.turn_id) + kThenRunning.size();
}

}  // namespace

std::string_view RoleName(Role role) { return kRoleNames.at(static_cast<std::size_t>(role)); }

std::uint64_t DecimalDigits(std::uint64_t number) {
  std::uint64_t digits = 1;
  for (; number >= 10; number /= 10) ++digits;
  return digits;
}

std::uint64_t MessageHeaderBytes(Sequence sequence, std::string_view turn_id, Role role) {
  return kSequenceKey.size() + DecimalDigits(sequence) + kThenTurnId.size() +
         JsonStringBytes(turn_id) + kThenRole.size() + RoleName(role).size() + kThenContent.size() +
         1;
}

std::uint64_t EncodedBytes(const Value::Body& body) {
  return std::visit([](const auto& b) { return Bytes(b); }, body);
}

void EncodeTo(const Value::Body& body, std::string& out) {
  std::visit([&out](const auto& b) { Append(b, out); }, body);
}

std::string Encode(const Value& value) {
  std::string out;
  out.reserve(value.encoded_bytes());
  EncodeTo(value.body(), out);
  return out;
}

Result<ValueRef> Decode(ValueKind kind, std::string_view encoded) {
  Reader reader(encoded);
  switch (kind) {
    case ValueKind::kMessage:
      return Finish(reader, ReadMessage(reader));
    case ValueKind::kChunk:
      return Finish(reader, ReadChunk(reader));
    case ValueKind::kIndex:
      return Finish(reader, ReadIndex(reader));
    case ValueKind::kTurnReply:
      return Finish(reader, ReadTurnReply(reader));
    case ValueKind::kSummary:
      return Finish(reader, ReadSummary(reader));
    case ValueKind::kSession:
      return Finish(reader, ReadSession(reader));
  }
  CHECK(false);
  return Error{};
}

}  // namespace rollover
