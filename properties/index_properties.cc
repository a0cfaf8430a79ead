// The index: what it says of chunks and window is so, after every single commit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "properties/rules_hold.h"
#include "properties/stored_session.h"

namespace rollover {
namespace {

TEST(Index, RulesHold) {
  ExpectRulesHold({.faults = Kills(), .compaction_odds = {1, 3}},
                  {Rule::kIndexWriteRule, Rule::kIndexMatchesChunks});
}

std::string Wrong(const StoredSession& session) {
  const Index* index = session.state().Get<Index>(Name::kIndex);
  const InstanceMap& chunks = session.state().Map(Name::kChunks);
  const InstanceMap& window = session.state().Map(Name::kMessages);
  if (index == nullptr) return chunks.empty() ? "" : "chunks, and no index";
  const Sequence window_start = window.empty() ? session.next() : window.front().key;
  if (index->window_start != window_start) {
    return fmt::format("window_start {}, not {}", index->window_start, window_start);
  }
  const Sequence oldest = chunks.empty() ? window_start : std::min(window_start, chunks[0].key);
  if (index->oldest_kept != oldest) {
    return fmt::format("oldest_kept {}, not {}", index->oldest_kept, oldest);
  }
  if (index->chunks.size() != chunks.size()) {
    return fmt::format("{} ranges for {} chunks", index->chunks.size(), chunks.size());
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const Chunk& chunk = *chunks[i].value->as<Chunk>();
    const ChunkRange range{chunk.first(), chunk.last()};
    if (!(index->chunks[i] == range) || chunks[i].key != range.first) {
      return fmt::format("chunk {} is {}..{}", chunks[i].key, range.first, range.last);
    }
  }
  return {};
}

TEST(Index, SaysWhatIsStored) {
  ForAll<StorageCase>(
      StorageCases(),
      [](const StorageCase& storage) {
        StoredSession session(storage);
        session.Store(storage.batch);
        const std::string wrong = Wrong(session);
        return wrong.empty() ? Held() : Broken("index", wrong);
      },
      5000);
}

}  // namespace
}  // namespace rollover
