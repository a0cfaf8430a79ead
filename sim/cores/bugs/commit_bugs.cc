// Commits: what one of them holds, and which loads it lists for the next Step.
#include <algorithm>

#include "model/protocol/loads.h"
#include "model/protocol/rollover.h"
#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

class LateIndexCore : public ResultChanger {
 public:
  using ResultChanger::ResultChanger;

 private:
  void Change(Draft& draft) override {
    if (draft.TouchesChunks()) {
      late_ = draft.WrittenIndex();
      draft.Drop(Name::kIndex, 0);
    } else if (late_) {
      draft.PutIndex(*std::exchange(late_, std::nullopt));
    }
  }

  std::optional<Index> late_;
};

class LateDeletesCore : public ResultChanger {
 public:
  using ResultChanger::ResultChanger;

 private:
  void Change(Draft& draft) override {
    std::vector<Sequence> late;
    for (const Write& write : draft.result().writes) {
      if (write.name == Name::kMessages && write.deletes()) late.push_back(write.key);
    }
    for (const Sequence sequence : late) draft.Drop(Name::kMessages, sequence);
    for (const Sequence sequence : late_) draft.Delete(Name::kMessages, sequence);
    late_ = std::move(late);
  }

  std::vector<Sequence> late_;
};

void WriteIndexEachTurn(Draft& draft) {
  const bool starts = draft.step() == StepKind::kStartTurn;
  if (starts && draft.IndexBefore() != nullptr) draft.PutIndex(draft.IndexAfter());
}

// The next run of a window that is still too large, and the bytes that the commit then moves.
void MoveOneMore(Draft& draft, bool (*may_move)(std::size_t moved, std::uint64_t bytes)) {
  const auto moved = draft.MovedChunks();
  const InstanceMap after = draft.WindowAfter();
  if (moved.empty() || after.size() <= draft.options().message_window_size) return;
  const Window window(after);
  const Run cut = CutRun(window, draft.options());
  std::uint64_t bytes = cut.chunk_bytes;
  for (const ValueRef& chunk : moved) bytes += chunk->encoded_bytes();
  if (!may_move(moved.size(), bytes)) return;
  std::vector<ValueRef> run;
  for (std::size_t i = 0; i < cut.messages; ++i) run.push_back(window[i]);
  draft.MoveRun(std::move(run));
}

void MoveAFifthChunk(Draft& draft) {
  MoveOneMore(draft, [](std::size_t moved, std::uint64_t bytes) {
    return moved == kCommitChunksMax && bytes <= kCommitMovedBytesMax;
  });
}

void MoveMoreBytes(Draft& draft) {
  MoveOneMore(draft, [](std::size_t moved, std::uint64_t) { return moved < kCommitChunksMax; });
}

// The loaded chunk that ends where the given one begins; null: none, or not loaded.
ValueRef ChunkBefore(const Draft& draft, const ValueRef& chunk) {
  for (const ValueRef& loaded : draft.loaded().Chunks()) {
    if (RangeOf(loaded).last + 1 == RangeOf(chunk).first) return loaded;
  }
  return nullptr;
}

// As if all that was loaded had to be written with what is new.
void WriteTheChunkBeforeAgain(Draft& draft) {
  const auto moved = draft.MovedChunks();
  if (moved.size() != 1) return;
  const ValueRef before = ChunkBefore(draft, moved.front());
  if (!before || before->as<Chunk>()->messages.size() < draft.options().message_chunk_size) return;
  Index index = draft.IndexAfter();
  const Sequence first = RangeOf(before).first;
  if (RangeAt(index, first) != nullptr) draft.Put(Name::kChunks, first, before);
}

// Adds to the chunk before it what fits of the first moved one.
void TopUp(Draft& draft) {
  const auto moved = draft.MovedChunks();
  if (moved.empty()) return;
  const ChunkRange range = RangeOf(moved.front());
  const ValueRef before = ChunkBefore(draft, moved.front());
  Index index = draft.IndexAfter();
  ChunkRange* grown = before ? RangeAt(index, RangeOf(before).first) : nullptr;
  if (grown == nullptr) return;  // deleted, or none
  std::vector<ValueRef> messages = before->as<Chunk>()->messages;
  std::vector<ValueRef> rest = moved.front()->as<Chunk>()->messages;
  std::uint64_t bytes = before->encoded_bytes();
  while (rest.size() > 1 && messages.size() < draft.options().message_chunk_size) {
    bytes += 1 + rest.front()->encoded_bytes();
    if (bytes > draft.options().message_chunk_max_bytes) break;
    messages.push_back(rest.front());
    rest.erase(rest.begin());
  }
  if (messages.size() == before->as<Chunk>()->messages.size()) return;
  grown->last = messages.back()->message().sequence;
  const Sequence rest_first = grown->last + 1;
  RangeAt(index, range.first)->first = rest_first;
  draft.Drop(Name::kChunks, range.first);
  draft.Put(Name::kChunks, RangeOf(before).first, MakeValue(Chunk{std::move(messages)}));
  draft.Put(Name::kChunks, rest_first, MakeValue(Chunk{std::move(rest)}));
  draft.Settle(std::move(index));
}

void ListLoadsTooEarly(Draft& draft) {
  if (!draft.result().next || !draft.WrittenIndex()) return;
  const auto* model = std::get_if<RunModel>(&draft.input());
  draft.result().next = MoveTo(draft.result().next->step,
                               {.compaction = draft.options().compaction,
                                .index = draft.IndexBefore(),
                                .summary_last_sequence = draft.SummaryLastAfter()},
                               model != nullptr ? model->compact_through : 0);
}

void MissTheNewestChunk(Draft& draft) {
  auto& next = draft.result().next;
  if (!next) return;
  for (LoadList* loads : {&next->loads, &next->control_loads}) {
    const bool ends_with_chunk = loads->back().name == Name::kChunks && !loads->back().all;
    if (ends_with_chunk) loads->pop_back();
  }
}

void GiveControlsTheStepsLoads(Draft& draft) {
  auto& next = draft.result().next;
  if (next) next->control_loads = next->loads;
}

}  // namespace

std::span<const PlantedBug> CommitBugs() {
  static constexpr PlantedBug bugs[] = {
      {"index-one-commit-late",
       "A commit writes the chunk, and the next one the index that lists it.",
       Rule::kIndexWriteRule, "not one commit: nats-io/nats-server#6778",
       Remembering<LateIndexCore>},
      {"window-deletes-one-commit-late",
       "A commit writes the chunk, and the next one deletes what moved into it.",
       Rule::kExactlyOnce, "not one commit: nats-io/nats-server#6778",
       Remembering<LateDeletesCore>},
      {"index-rewritten-every-turn",
       "The index is written with each turn's user message, changed or not.", Rule::kIndexWriteRule,
       "write amplification", WithResult<WriteIndexEachTurn>},
      {"five-chunks-in-one-commit",
       "The cap of four moved chunks is tested after a chunk has moved, so a fifth goes along.",
       Rule::kCommitCaps, "limit wedges: restatedev/restate#4129", WithResult<MoveAFifthChunk>},
      {"moved-bytes-not-capped",
       "A commit moves up to four chunks, and does not count the bytes of all of them together.",
       Rule::kCommitCaps, "limit wedges: restatedev/restate#4129", WithResult<MoveMoreBytes>,
       CoreKind::kReference,
       "one session in 200 stores mebibytes, and few of these have 8 MiB to move at once"},
      {"chunk-topped-up",
       "A chunk that has room left is written again with the first messages of the next run.",
       Rule::kChunkImmutable, "append to a sealed segment", WithResult<TopUp>},
      {"chunk-before-written-again",
       "A new chunk is written together with the loaded one before it, which has not changed.",
       Rule::kChunkImmutable, "write amplification", WithResult<WriteTheChunkBeforeAgain>},
      {"loads-from-index-before-rollover",
       "The next Step's loads are listed from the index as it was before this commit's rollover.",
       Rule::kBoundedLoads, "torn read: dapr/dapr#10242", WithResult<ListLoadsTooEarly>},
      {"loads-miss-newest-chunk", "A load list ends before the newest chunk instead of behind it.",
       Rule::kBoundedLoads, "torn read: dapr/dapr#10058", WithResult<MissTheNewestChunk>},
      {"control-loads-of-the-step",
       "A control that strikes instead of the next Step finds that Step's loads, not its own.",
       Rule::kBoundedLoads, "torn read: dapr/dapr#10242", WithResult<GiveControlsTheStepsLoads>},
  };
  return bugs;
}

}  // namespace rollover
