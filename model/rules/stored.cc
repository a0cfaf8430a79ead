#include "model/rules/stored.h"

#include <fmt/format.h>

#include <algorithm>

namespace rollover {
namespace {

// A history may claim any sequence; no more than this many counts are kept past the oldest.
constexpr Sequence kCountedMax = 1 << 24;

bool IsMessage(const ValueRef& value) { return value && value->as<Message>() != nullptr; }

// Null, or why this write cannot be taken: whoever tells a history may tell anything.
const char* Malformed(const Write& write) {
  if (!IsMap(write.name) && write.key != 0) return "has a key, and is no map";
  if (write.deletes()) return nullptr;
  if (write.value->body().index() != static_cast<std::size_t>(KindOf(write.name))) {
    return "holds another kind of value";
  }
  const Chunk* chunk = write.value->as<Chunk>();
  if (chunk == nullptr) return nullptr;
  if (chunk->messages.empty()) return "holds no message";
  const bool all = std::all_of(chunk->messages.begin(), chunk->messages.end(), IsMessage);
  return all ? nullptr : "holds something that is no message";
}

}  // namespace

void Stored::Apply(const std::vector<Write>& writes) {
  change_.message_puts.clear();
  change_.message_deletes.clear();
  change_.chunk_puts.clear();
  change_.chunk_deletes.clear();
  change_.index.reset();
  change_.turn_reply.reset();
  change_.summary.reset();
  change_.session.reset();
  change_.malformed.clear();
  change_.window_before = window().size();
  for (const Write& write : writes) {
    const char* malformed = Malformed(write);
    if (malformed == nullptr) {
      Record(write, state_.Apply(write));
    } else if (change_.malformed.empty()) {
      change_.malformed = fmt::format("{}[{}] {}", NameText(write.name), write.key, malformed);
    }
  }
}

void Stored::Record(const Write& write, const ValueRef& old) {
  const bool existed = static_cast<bool>(old);
  switch (write.name) {
    case Name::kMessages:
      if (existed) Count(old->message().sequence, -1);
      if (write.deletes()) {
        change_.message_deletes.push_back({write.key, existed});
      } else {
        Count(write.value->message().sequence, +1);
        change_.message_puts.push_back({write.key, write.value, existed});
      }
      return;
    case Name::kChunks:
      if (existed) CountChunk(*old, -1);
      if (write.deletes()) {
        change_.chunk_deletes.push_back({write.key, old});
      } else {
        CountChunk(*write.value, +1);
        change_.chunk_puts.push_back({write.key, write.value, existed});
      }
      return;
    default:
      break;
  }
  auto& slot = write.name == Name::kIndex       ? change_.index
               : write.name == Name::kTurnReply ? change_.turn_reply
               : write.name == Name::kSummary   ? change_.summary
                                                : change_.session;
  if (slot) change_.malformed = fmt::format("{} is written twice", NameText(write.name));
  slot = AttributeWrite{old, write.value};
}

void Stored::Count(Sequence sequence, int by) {
  if (sequence < copies_first_ || sequence - copies_first_ > kCountedMax) return;
  const std::size_t at = sequence - copies_first_;
  if (at >= copies_.size()) copies_.resize(at + 1, 0);
  copies_[at] = static_cast<std::uint32_t>(static_cast<int>(copies_[at]) + by);
}

void Stored::CountChunk(const Value& value, int by) {
  for (const ValueRef& message : value.as<Chunk>()->messages)
    Count(message->message().sequence, by);
}

std::uint32_t Stored::Copies(Sequence sequence) const {
  if (sequence < copies_first_ || sequence - copies_first_ >= copies_.size()) return 0;
  return copies_[sequence - copies_first_];
}

void Stored::ForgetBefore(Sequence sequence) {
  if (sequence <= copies_first_) return;
  const std::size_t gone = std::min<std::size_t>(sequence - copies_first_, copies_.size());
  copies_.DropFront(gone);
  copies_first_ += gone;
}

std::optional<Sequence> Stored::WindowStart() const {
  if (window().empty()) return std::nullopt;
  return window().front().key;
}

std::optional<Sequence> Stored::Oldest() const {
  if (chunks().empty()) return WindowStart();
  if (window().empty()) return chunks().front().key;
  return std::min(window().front().key, chunks().front().key);
}

}  // namespace rollover
