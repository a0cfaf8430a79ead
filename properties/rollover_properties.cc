// Rolling over: which messages leave the window together is decided by those messages alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/protocol/rollover.h"
#include "properties/rules_hold.h"
#include "properties/stored_session.h"

namespace rollover {
namespace {

TEST(Rollover, RulesHold) {
  ExpectRulesHold({.faults = Kills(), .compaction_odds = {1, 16}},
                  {Rule::kChunkCaps, Rule::kCommitCaps, Rule::kFullRuns, Rule::kWindowDrains});
}

// The chunks of a change whose last message was stored before it, and whose end something stored
// before it decides: the message after them, too, was there already.
std::vector<ChunkRange> DecidedChunks(const StorageChange& change, Sequence next) {
  std::vector<ChunkRange> decided;
  for (const Write& write : change.writes) {
    if (write.name != Name::kChunks || write.deletes()) continue;
    const Chunk& chunk = *write.value->as<Chunk>();
    if (chunk.last() + 1 < next) decided.push_back({chunk.first(), chunk.last()});
  }
  return decided;
}

std::string Text(const std::vector<ChunkRange>& chunks) {
  std::string text;
  for (const ChunkRange& chunk : chunks) text += fmt::format("[{}..{}]", chunk.first, chunk.last);
  return text;
}

// An attempt dies, and its retry stores something else, and so may move more or fewer chunks: but
// as far as both go, the same ones.
TEST(Rollover, ARetryCutsTheSameChunks) {
  ForAll<StorageCase>(
      StorageCases(),
      [](const StorageCase& storage) {
        const StoredSession session(storage);
        const auto first = DecidedChunks(session.Change(storage.batch), session.next());
        const auto retry = DecidedChunks(session.Change(storage.other_batch), session.next());
        const std::size_t both = std::min(first.size(), retry.size());
        if (std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(both),
                       retry.begin())) {
          return Held();
        }
        return Broken("retry", fmt::format("{} <> {}", Text(first), Text(retry)));
      },
      5000);
}

// R3 and R4 from the outside: the run is full, or the next message would not fit or follow.
TEST(Rollover, ARunIsAsLongAsItMayBeAndNoLonger) {
  ForAll<StorageCase>(
      StorageCases(),
      [](const StorageCase& storage) {
        const StoredSession session(storage);
        const Window window(session.state().Map(Name::kMessages));
        if (window.empty()) return Held();
        const Options& options = session.options();
        const auto run = CutRun(window, options);
        std::uint64_t bytes = kChunkWrapperBytes + run.messages - 1;
        for (std::size_t i = 0; i < run.messages; ++i) bytes += window[i]->encoded_bytes();
        if (bytes != run.chunk_bytes) return Broken("size", fmt::format("{} bytes", bytes));
        const bool too_long = run.messages > options.message_chunk_size;
        const bool too_large = run.messages > 1 && bytes > options.message_chunk_max_bytes;
        if (run.messages == 0 || too_long || too_large)
          return Broken("caps", "over a cap, or empty");
        if (run.messages == window.size() || run.messages == options.message_chunk_size)
          return Held();
        const ValueRef& after = window[run.messages];
        const Sequence last = window[run.messages - 1]->message().sequence;
        const bool follows = after->message().sequence == last + 1;
        const bool fits = bytes + 1 + after->encoded_bytes() <= options.message_chunk_max_bytes;
        return follows && fits ? Broken("short", "the next message would fit") : Held();
      },
      5000);
}

}  // namespace
}  // namespace rollover
