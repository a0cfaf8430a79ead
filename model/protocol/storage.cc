#include "model/protocol/storage.h"

#include <algorithm>

#include "model/protocol/retention.h"
#include "model/protocol/rollover.h"

namespace rollover {
namespace {

// A message, and what the core adds to it: the reply sequence and the session.
constexpr std::size_t kWritesMostly = 4;

class StorageCommit {
 public:
  explicit StorageCommit(const StorageView& view)
      : view_(view), window_(view.window), next_sequence_(view.next_sequence) {
    change_.writes.reserve(kWritesMostly);
  }

  void Store(const TurnId& turn_id, const NewMessage& message) {
    ValueRef value = MakeValue(Message{next_sequence_++, turn_id, message.role, message.content});
    if (Oversized(value->encoded_bytes(), view_.options)) {
      // The first store writes the largest value this message will ever need: should the engine
      // refuse it, this turn fails at once and no later rollover can wedge on it.
      WriteChunk({std::move(value)});
    } else {
      window_.Add(std::move(value));
    }
  }

  void RollOver() {
    std::uint64_t moved_chunks = 0;
    std::uint64_t moved_bytes = 0;
    while (window_.size() > view_.options.message_window_size &&
           moved_chunks < view_.options.commit_chunks_max) {
      const Run run = CutRun(window_, view_.options);
      // The first chunk always moves: a session must never wedge on one large run.
      if (moved_chunks > 0 && moved_bytes + run.chunk_bytes > view_.options.commit_moved_max_bytes)
        break;
      MoveRun(run);
      ++moved_chunks;
      moved_bytes += run.chunk_bytes;
    }
  }

  StorageChange Finish() {
    for (std::size_t i = window_.added_removed(); i < window_.added().size(); ++i) {
      const ValueRef& message = window_.added()[i];
      change_.writes.push_back({Name::kMessages, message->message().sequence, message});
    }
    change_.next_sequence = next_sequence_;
    Retain();
    return std::move(change_);
  }

 private:
  void MoveRun(const Run& run) {
    std::vector<ValueRef> messages;
    messages.reserve(run.messages);
    for (std::size_t i = 0; i < run.messages; ++i) {
      messages.push_back(window_[i]);
      if (window_.WasLoaded(i)) {
        change_.writes.push_back({Name::kMessages, window_[i]->message().sequence, nullptr});
      }
    }
    window_.Remove(run.messages);
    WriteChunk(std::move(messages));
  }

  void WriteChunk(std::vector<ValueRef> messages) {
    Chunk chunk{std::move(messages)};
    const ChunkRange range{chunk.first(), chunk.last()};
    Index& index = IndexToChange();
    const auto after = std::find_if(index.chunks.begin(), index.chunks.end(),
                                    [&](const ChunkRange& r) { return r.first > range.first; });
    index.chunks.insert(after, range);
    written_.push_back(range.first);
    change_.writes.push_back({Name::kChunks, range.first, MakeValue(std::move(chunk))});
  }

  void Retain() {
    const Index& index = change_.new_index ? *change_.new_index : LoadedIndex();
    const Sequence window_start = window_.empty() ? next_sequence_ : window_[0]->message().sequence;
    if (change_.new_index) change_.new_index->window_start = window_start;
    const std::size_t count = DeletableChunks({.options = view_.options,
                                               .index = index,
                                               .next_sequence = next_sequence_,
                                               .summary_last_sequence = view_.summary_last_sequence,
                                               .written = written_});
    if (count == 0 && !change_.new_index) return;  // no chunk touched, no index written
    auto& chunks = IndexToChange().chunks;
    for (std::size_t i = 0; i < count; ++i) {
      change_.writes.push_back({Name::kChunks, chunks[i].first, nullptr});
    }
    chunks.erase(chunks.begin(), chunks.begin() + static_cast<std::ptrdiff_t>(count));
    change_.new_index->window_start = window_start;
    change_.new_index->oldest_kept =
        chunks.empty() ? window_start : std::min(window_start, chunks.front().first);
    change_.writes.push_back({Name::kIndex, 0, MakeValue(*change_.new_index)});
  }

  const Index& LoadedIndex() const {
    static const Index none;
    return view_.index != nullptr ? *view_.index : none;
  }

  Index& IndexToChange() {
    if (!change_.new_index) change_.new_index = LoadedIndex();
    return *change_.new_index;
  }

  const StorageView& view_;
  Window window_;
  Sequence next_sequence_;
  std::vector<Sequence> written_;
  StorageChange change_;
};

}  // namespace

StorageChange StoreMessages(const StorageView& view, const TurnId& turn_id,
                            std::span<const NewMessage> messages) {
  StorageCommit commit(view);
  for (const NewMessage& message : messages) commit.Store(turn_id, message);
  commit.RollOver();
  return commit.Finish();
}

StorageChange RetainOnly(const StorageView& view) { return StorageCommit(view).Finish(); }

}  // namespace rollover
