#include "sim/cores/bugs/draft.h"

#include <algorithm>

#include "model/codec.h"
#include "model/protocol/loads.h"

namespace rollover {

Sequence Draft::NextBefore() const {
  const Session* session = loaded().Attribute<Session>(Name::kSession);
  return session != nullptr ? session->next_sequence : 1;
}

const Index* Draft::IndexBefore() const {
  return loaded().Names(Name::kIndex) ? loaded().Attribute<Index>(Name::kIndex) : nullptr;
}

const TurnReply* Draft::TurnReplyBefore() const {
  if (!loaded().Names(Name::kTurnReply)) return nullptr;
  return loaded().Attribute<TurnReply>(Name::kTurnReply);
}

Sequence Draft::NextAfter() const {
  const Write* write = Find(Name::kSession, 0);
  return write != nullptr ? write->value->as<Session>()->next_sequence : NextBefore();
}

Sequence Draft::SummaryLastAfter() const {
  const Write* write = Find(Name::kSummary, 0);
  if (write != nullptr) return write->value->as<Summary>()->last_sequence;
  const Summary* summary = loaded().Attribute<Summary>(Name::kSummary);
  return summary != nullptr ? summary->last_sequence : 0;
}

InstanceMap Draft::WindowAfter() const {
  InstanceMap window = WindowBefore();
  for (const Write& write : result_.writes) {
    if (write.name != Name::kMessages) continue;
    if (write.deletes()) {
      window.Erase(write.key);
    } else {
      window.Put(write.key, write.value);
    }
  }
  return window;
}

bool Draft::StoresOrCompacts() const {
  return NextAfter() > NextBefore() || step() == StepKind::kCompactContext;
}

std::optional<Index> Draft::WrittenIndex() const {
  const Write* write = Find(Name::kIndex, 0);
  if (write == nullptr) return std::nullopt;
  return *write->value->as<Index>();
}

Index Draft::IndexAfter() const {
  if (auto written = WrittenIndex()) return *written;
  return IndexBefore() != nullptr ? *IndexBefore() : Index{};
}

bool Draft::Writes(Name name, Key key) const {
  const Write* write = Find(name, key);
  return write != nullptr && !write->deletes();
}

bool Draft::TouchesChunks() const {
  return std::any_of(result_.writes.begin(), result_.writes.end(),
                     [](const Write& write) { return write.name == Name::kChunks; });
}

bool Draft::IsOversizedStore(const Write& write) const {
  return write.key >= NextBefore() && write.value->as<Chunk>()->messages.size() == 1 &&
         write.value->encoded_bytes() > options_.message_chunk_max_bytes;
}

std::vector<ValueRef> Draft::MovedChunks() const {
  std::vector<ValueRef> moved;
  for (const Write& write : result_.writes) {
    if (write.name != Name::kChunks || write.deletes()) continue;
    if (!IsOversizedStore(write)) moved.push_back(write.value);
  }
  return moved;
}

std::vector<ValueRef> Draft::OversizedStores() const {
  std::vector<ValueRef> stores;
  for (const Write& write : result_.writes) {
    if (write.name != Name::kChunks || write.deletes()) continue;
    if (IsOversizedStore(write)) stores.push_back(write.value->as<Chunk>()->messages.front());
  }
  return stores;
}

void Draft::Put(Name name, Key key, ValueRef value) {
  Drop(name, key);
  result_.writes.push_back({name, key, std::move(value)});
}

void Draft::Delete(Name name, Key key) { Put(name, key, nullptr); }

void Draft::Drop(Name name, Key key) {
  std::erase_if(result_.writes,
                [&](const Write& write) { return write.name == name && write.key == key; });
}

void Draft::PutIndex(Index index) { Put(Name::kIndex, 0, MakeValue(std::move(index))); }

void Draft::TakeFromWindow(const ValueRef& message) {
  const Sequence sequence = message->message().sequence;
  if (sequence < NextBefore()) {
    Delete(Name::kMessages, sequence);
  } else {
    Drop(Name::kMessages, sequence);
  }
}

void Draft::ReturnToWindow(const ValueRef& message) {
  const Sequence sequence = message->message().sequence;
  if (sequence < NextBefore()) {
    Drop(Name::kMessages, sequence);
  } else {
    Put(Name::kMessages, sequence, message);
  }
}

void Draft::MoveRun(std::vector<ValueRef> run) {
  for (const ValueRef& message : run) TakeFromWindow(message);
  Chunk chunk{std::move(run)};
  const ChunkRange range{chunk.first(), chunk.last()};
  Put(Name::kChunks, range.first, MakeValue(std::move(chunk)));
  Index index = IndexAfter();
  AddRange(index, range);
  Settle(std::move(index));
}

void Draft::UndoRollover() {
  const std::vector<ValueRef> moved = MovedChunks();
  if (moved.empty()) return;
  Index index = IndexAfter();
  for (const ValueRef& chunk : moved) {
    for (const ValueRef& message : chunk->as<Chunk>()->messages) ReturnToWindow(message);
    Drop(Name::kChunks, RangeOf(chunk).first);
    std::erase(index.chunks, RangeOf(chunk));
  }
  Settle(std::move(index));
}

void Draft::RollOverAgain(CutRunOf cut) {
  if (MovedChunks().empty()) return;
  UndoRollover();
  std::uint64_t bytes = 0;
  for (std::uint64_t moved = 0; moved < kCommitChunksMax; ++moved) {
    const InstanceMap window = WindowAfter();
    if (window.size() <= options_.message_window_size) return;
    std::vector<ValueRef> run = cut(window, options_);
    bytes += kChunkWrapperBytes + run.size() - 1;
    for (const ValueRef& message : run) bytes += message->encoded_bytes();
    if (moved > 0 && bytes > kCommitMovedBytesMax) return;
    MoveRun(std::move(run));
  }
}

void Draft::Settle(Index index) {
  const InstanceMap window = WindowAfter();
  index.window_start = window.empty() ? NextAfter() : window.front().key;
  index.oldest_kept = index.window_start;
  if (!index.chunks.empty()) {
    index.oldest_kept = std::min(index.oldest_kept, index.chunks.front().first);
  }
  if (TouchesChunks()) {
    PutIndex(std::move(index));
  } else {
    Drop(Name::kIndex, 0);
  }
  RefreshMovement();
}

void Draft::RefreshMovement() {
  if (!result_.next) return;
  const Index index = IndexAfter();
  const auto* model = std::get_if<RunModel>(&input());
  result_.next = MoveTo(result_.next->step,
                        {.compaction = options_.compaction,
                         .index = &index,
                         .summary_last_sequence = SummaryLastAfter()},
                        model != nullptr ? model->compact_through : 0);
}

const Write* Draft::Find(Name name, Key key) const {
  for (const Write& write : result_.writes) {
    if (write.name == name && write.key == key) return &write;
  }
  return nullptr;
}

ChunkRange RangeOf(const ValueRef& chunk) {
  return {chunk->as<Chunk>()->first(), chunk->as<Chunk>()->last()};
}

ChunkRange* RangeAt(Index& index, Sequence first) {
  for (ChunkRange& range : index.chunks) {
    if (range.first == first) return &range;
  }
  return nullptr;
}

void AddRange(Index& index, const ChunkRange& range) {
  const auto place = std::find_if(index.chunks.begin(), index.chunks.end(),
                                  [&](const ChunkRange& r) { return r.first > range.first; });
  index.chunks.insert(place, range);
}

}  // namespace rollover
