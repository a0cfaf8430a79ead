// The persisted values of a session, and the shared immutable form in which they travel.
//
//   AgentMessages[sequence]      Message   the window: the newest messages, one value each
//   AgentMessageChunks[first]    Chunk     older messages, a contiguous range, immutable
//   AgentMessageIndex            Index     ranges of the kept chunks, window start, oldest kept
//   TurnReplySequence            TurnReply where the running turn's replies start
//   ContextSummary               Summary   how far compaction has summarised
//   AgentSession                 Session   next sequence, running turn
//
// Their encoding, and every size, is in codec.h. Not here: what may be written when (protocol/),
// what must hold (rules/).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/ref.h"

namespace rollover {

// 1, 2, 3, ... without gaps over the life of a session.
using Sequence = std::uint64_t;
using TurnId = std::string;

enum class Role : std::uint8_t { kUser, kAssistant, kTool };

// A message's content: encoded JSON, embedded verbatim wherever it goes, never parsed and written
// again, so that every core persists the same bytes. Copies share the bytes.
class Content {
 public:
  Content() : Content(std::string("\"\"")) {}
  // `encoded` must be one JSON value in UTF-8; whoever reads it from outside checks (json_text.h).
  explicit Content(std::string encoded);

  std::string_view encoded() const { return shared_->encoded; }
  std::uint64_t digest() const { return shared_->digest; }
  friend bool operator==(const Content& a, const Content& b) {
    return a.shared_ == b.shared_ || a.encoded() == b.encoded();
  }

 private:
  struct Shared : RefCounted {
    std::string encoded;
    std::uint64_t digest = 0;
  };
  Ref<const Shared> shared_;
};

struct Message {
  Sequence sequence = 0;
  TurnId turn_id;
  Role role = Role::kUser;
  Content content;

  friend bool operator==(const Message&, const Message&) = default;
};

class Value;
using ValueRef = Ref<const Value>;

struct Chunk {
  std::vector<ValueRef> messages;  // each a Message; at least one

  Sequence first() const;
  Sequence last() const;
};

struct ChunkRange {
  Sequence first = 0;
  Sequence last = 0;  // inclusive

  friend bool operator==(const ChunkRange&, const ChunkRange&) = default;
};

struct Index {
  std::vector<ChunkRange> chunks;  // ascending
  Sequence window_start = 1;       // smallest sequence in the window, else the next sequence
  Sequence oldest_kept = 1;        // smallest sequence still stored, else the next sequence

  friend bool operator==(const Index&, const Index&) = default;
};

struct TurnReply {
  TurnId turn_id;
  Sequence sequence = 0;  // of the turn's first reply

  friend bool operator==(const TurnReply&, const TurnReply&) = default;
};

struct Summary {
  Sequence last_sequence = 0;  // every message up to here is in the text
  std::string text;

  friend bool operator==(const Summary&, const Summary&) = default;
};

// `status` is encoded but not stored: it says "running" exactly while a turn is named.
struct Session {
  Sequence next_sequence = 1;
  std::optional<TurnId> turn_id;

  friend bool operator==(const Session&, const Session&) = default;
};

// One persisted value: immutable, shared, its encoded size and digest known without encoding.
class Value : public RefCounted {
 public:
  using Body = std::variant<Message, Chunk, Index, TurnReply, Summary, Session>;
  explicit Value(Body&& body);

  const Body& body() const { return body_; }
  template <typename T>
  const T* as() const {
    return std::get_if<T>(&body_);
  }
  // CHECKs that this value is a message: for values that the caller has placed as such.
  const Message& message() const;

  std::uint64_t encoded_bytes() const { return encoded_bytes_; }
  // Equal for equal values whichever way they came about; same on every platform.
  std::uint64_t digest() const { return digest_; }

  // By meaning, content bytes included.
  friend bool operator==(const Value& a, const Value& b);

 private:
  Body body_;
  std::uint64_t encoded_bytes_;
  std::uint64_t digest_;
};

// `body` is a Value::Body, or one of its kinds.
template <typename T>
ValueRef MakeValue(T body) {
  return ValueRef(new Value(Value::Body(std::move(body))));
}

}  // namespace rollover
