// How messages leave the window: runs, caps, sizes, migration.
#include <algorithm>

#include "model/codec.h"
#include "model/protocol/rollover.h"
#include "model/rules/ledger.h"
#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

void KeepLastOfRun(Draft& draft) {
  const auto moved = draft.MovedChunks();
  if (moved.empty()) return;
  const Sequence last = RangeOf(moved.back()).last;
  if (last < draft.NextBefore()) draft.Drop(Name::kMessages, last);
}

void DropLastOfRun(Draft& draft) {
  for (const ValueRef& chunk : draft.MovedChunks()) {
    const ChunkRange range = RangeOf(chunk);
    if (range.first == range.last || range.last >= draft.NextBefore()) continue;
    std::vector<ValueRef> messages = chunk->as<Chunk>()->messages;
    messages.pop_back();
    draft.Put(Name::kChunks, range.first, MakeValue(Chunk{std::move(messages)}));
    Index index = draft.IndexAfter();
    if (ChunkRange* listed = RangeAt(index, range.first)) --listed->last;
    draft.PutIndex(std::move(index));
  }
}

Options OneLate(Options options) {
  ++options.message_window_size;
  return options;
}

void MoveAFifthChunk(Draft& draft) {
  const auto moved = draft.MovedChunks();
  const InstanceMap after = draft.WindowAfter();
  if (moved.size() != kCommitChunksMax || after.size() <= draft.options().message_window_size) {
    return;
  }
  const Window window(after);
  const Run run = CutRun(window, draft.options());
  std::uint64_t bytes = run.chunk_bytes;
  for (const ValueRef& chunk : moved) bytes += chunk->encoded_bytes();
  if (bytes > kCommitMovedBytesMax) return;
  Chunk chunk;
  for (std::size_t i = 0; i < run.messages; ++i) {
    chunk.messages.push_back(window[i]);
    draft.TakeFromWindow(window[i]);
  }
  Index index = draft.IndexAfter();
  const auto place = std::find_if(index.chunks.begin(), index.chunks.end(),
                                  [&](const ChunkRange& r) { return r.first > chunk.first(); });
  index.chunks.insert(place, {chunk.first(), chunk.last()});
  index.window_start =
      run.messages < window.size() ? window[run.messages]->message().sequence : draft.NextAfter();
  const Sequence key = chunk.first();
  draft.Put(Name::kChunks, key, MakeValue(std::move(chunk)));
  draft.PutIndex(std::move(index));
  draft.RefreshMovement();
}

// Adds to the chunk before it what fits of the first moved one.
void TopUp(Draft& draft) {
  const auto moved = draft.MovedChunks();
  if (moved.empty()) return;
  const ChunkRange range = RangeOf(moved.front());
  ValueRef before;
  for (const ValueRef& chunk : draft.loaded().Chunks()) {
    if (RangeOf(chunk).last + 1 == range.first) before = chunk;
  }
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
  draft.Put(Name::kChunks, grown->first, MakeValue(Chunk{std::move(messages)}));
  draft.Put(Name::kChunks, rest_first, MakeValue(Chunk{std::move(rest)}));
  draft.PutIndex(std::move(index));
  draft.RefreshMovement();
}

// The path of a session without an index: a message that no chunk can take undoes the whole
// rollover.
void SkipWhereOversized(Draft& draft) {
  if (draft.IndexBefore() != nullptr) return;
  const std::vector<ValueRef> moved = draft.MovedChunks();
  const bool skips = std::any_of(moved.begin(), moved.end(), [&](const ValueRef& chunk) {
    return chunk->encoded_bytes() > draft.options().message_chunk_max_bytes;
  });
  if (!skips) return;
  Index index = draft.IndexAfter();
  for (const ValueRef& chunk : moved) {
    const Sequence first = RangeOf(chunk).first;
    for (const ValueRef& message : chunk->as<Chunk>()->messages) draft.ReturnToWindow(message);
    draft.Drop(Name::kChunks, first);
    std::erase(index.chunks, RangeOf(chunk));
    index.window_start = std::min(index.window_start, first);
    index.oldest_kept = std::min(index.oldest_kept, first);
  }
  if (draft.TouchesChunks()) {
    draft.PutIndex(std::move(index));
  } else {
    draft.Drop(Name::kIndex, 0);
  }
  draft.RefreshMovement();
}

// Measures new messages as the strings of its language do.
class CodePointsCore : public Core {
 public:
  explicit CodePointsCore(const Options& options)
      : options_(options), inner_(MakeReferenceCore(options)) {}

  StepOutcome Invoke(const Invocation& invocation) override {
    const Session* session = invocation.state.Attribute<Session>(Name::kSession);
    Sequence sequence = session != nullptr ? session->next_sequence : 1;
    Options lenient = options_;
    for (const ExpectedMessage& message : ExpectedMessages(invocation.input)) {
      const std::string_view content = message.content.encoded();
      const std::uint64_t header =
          MessageHeaderBytes(sequence++, message.turn_id, message.role) + kChunkWrapperBytes;
      if (header + CodePoints(content) > options_.message_chunk_max_bytes) continue;
      lenient.message_chunk_max_bytes =
          std::max(lenient.message_chunk_max_bytes, header + content.size());
    }
    if (lenient == options_) return inner_->Invoke(invocation);
    return MakeReferenceCore(lenient)->Invoke(invocation);
  }

  ReadOutcome Read(const ReadRequest& request) override { return inner_->Read(request); }

 private:
  static std::uint64_t CodePoints(std::string_view text) {
    return static_cast<std::uint64_t>(std::count_if(text.begin(), text.end(), [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    }));
  }

  Options options_;
  std::unique_ptr<Core> inner_;
};

std::unique_ptr<Core> InCodePoints(const Options& options) {
  return std::make_unique<CodePointsCore>(options);
}

}  // namespace

std::span<const PlantedBug> RolloverBugs() {
  static constexpr PlantedBug bugs[] = {
      {"rolled-message-not-deleted",
       "Rolled-over messages are deleted up to, not including, the last of the run.",
       Rule::kExactlyOnce, "positional memory: openai/openai-agents-js#701",
       WithResult<KeepLastOfRun>},
      {"last-of-run-dropped",
       "The chunk is cut one message short of the run that leaves the window.", Rule::kNothingLost,
       "two caps, two answers: scylladb/scylladb#20095", WithResult<DropLastOfRun>},
      {"rollover-one-late",
       "Rollover waits until the window exceeds its size by two messages instead of one.",
       Rule::kFullRuns, "off by one: > written for >=", WithOptions<OneLate>},
      {"five-chunks-in-one-commit",
       "The cap of four moved chunks is tested after a chunk has moved, so a fifth goes along.",
       Rule::kCommitCaps, "limit wedges: restatedev/restate#4129", WithResult<MoveAFifthChunk>},
      {"chunk-topped-up",
       "A chunk that has room left is written again with the first messages of the next run.",
       Rule::kChunkImmutable, "append to a sealed segment", WithResult<TopUp>},
      {"legacy-oversized-skipped",
       "A message above the cap makes the first migration commit move nothing, again and again.",
       Rule::kMigrationBounded, "limit wedges: tldraw/tldraw#10133",
       WithResult<SkipWhereOversized>},
      {"size-in-code-points",
       "Whether a new message is oversized is decided by its characters, not by its bytes.",
       Rule::kWindowWriteOnce, "bytes vs characters: Expensify/App#13988", InCodePoints},
  };
  return bugs;
}

}  // namespace rollover
