#include "model/values.h"

#include <algorithm>
#include <memory>

#include "model/check.h"
#include "model/codec.h"
#include "model/digest.h"

namespace rollover {
namespace {

std::uint64_t DigestOf(const Message& message) {
  return Digest({message.sequence, Digest(message.turn_id),
                 static_cast<std::uint64_t>(message.role), message.content.digest()});
}

std::uint64_t DigestOf(const Chunk& chunk) {
  std::uint64_t digest = chunk.messages.size();
  for (const ValueRef& message : chunk.messages) digest = Digest({digest, message->digest()});
  return digest;
}

std::uint64_t DigestOf(const Index& index) {
  std::uint64_t digest = Digest({index.window_start, index.oldest_kept});
  for (const ChunkRange& range : index.chunks) digest = Digest({digest, range.first, range.last});
  return digest;
}

std::uint64_t DigestOf(const TurnReply& reply) {
  return Digest({Digest(reply.turn_id), reply.sequence});
}

std::uint64_t DigestOf(const Summary& summary) {
  return Digest({summary.last_sequence, Digest(summary.text)});
}

std::uint64_t DigestOf(const Session& session) {
  const std::uint64_t turn = session.turn_id ? Digest(*session.turn_id) : 0;
  return Digest({session.next_sequence, session.turn_id.has_value(), turn});
}

bool Equal(const Chunk& a, const Chunk& b) {
  return std::equal(a.messages.begin(), a.messages.end(), b.messages.begin(), b.messages.end(),
                    [](const ValueRef& x, const ValueRef& y) { return x == y || *x == *y; });
}

}  // namespace

Content::Content(std::string encoded) {
  auto shared = std::make_unique<Shared>();
  shared->encoded = std::move(encoded);
  shared->digest = Digest(shared->encoded);
  shared_ = Ref<const Shared>(shared.release());
}

Sequence Chunk::first() const { return messages.front()->message().sequence; }
Sequence Chunk::last() const { return messages.back()->message().sequence; }

Value::Value(Body&& body)
    : body_(std::move(body)),
      encoded_bytes_(EncodedBytes(body_)),
      digest_(
          Digest({body_.index(), std::visit([](const auto& b) { return DigestOf(b); }, body_)})) {}

const Message& Value::message() const {
  const Message* message = as<Message>();
  CHECK(message != nullptr);
  return *message;
}

bool operator==(const Value& a, const Value& b) {
  if (&a == &b) return true;
  if (a.digest_ != b.digest_ || a.body_.index() != b.body_.index()) return false;
  if (const Chunk* chunk = a.as<Chunk>()) return Equal(*chunk, *b.as<Chunk>());
  if (const Message* message = a.as<Message>()) return *message == *b.as<Message>();
  if (const Index* index = a.as<Index>()) return *index == *b.as<Index>();
  if (const TurnReply* reply = a.as<TurnReply>()) return *reply == *b.as<TurnReply>();
  if (const Summary* summary = a.as<Summary>()) return *summary == *b.as<Summary>();
  return *a.as<Session>() == *b.as<Session>();
}

}  // namespace rollover
