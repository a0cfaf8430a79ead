// index-write-rule, index-matches-chunks.
#include <fmt/format.h>

#include "model/rules/commit_view.h"

namespace rollover {
namespace {

void CheckWriteRule(const CommitView& view, Findings& findings) {
  const auto& write = view.change().index;
  findings.Evaluated(Rule::kIndexWriteRule);
  if (write.has_value() && !write->after) {
    findings.Broken(Rule::kIndexWriteRule, "the index is deleted");
  } else if (write.has_value() && !view.touches_chunks()) {
    findings.Broken(Rule::kIndexWriteRule, "the index is written, and no chunk is");
  } else if (!write.has_value() && view.touches_chunks()) {
    findings.Broken(Rule::kIndexWriteRule, "a chunk is written or deleted, and the index is not");
  }
}

void CheckRanges(const Index& index, const InstanceMap& chunks, Findings& findings) {
  if (index.chunks.size() != chunks.size()) {
    findings.Broken(Rule::kIndexMatchesChunks, fmt::format("index lists {} chunks; {} are stored",
                                                           index.chunks.size(), chunks.size()));
    return;
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const ChunkRange& range = index.chunks[i];
    const Chunk& chunk = *chunks[i].value->as<Chunk>();
    if (range.first == chunks[i].key && range.first == chunk.first() &&
        range.last == chunk.last()) {
      continue;
    }
    findings.Broken(Rule::kIndexMatchesChunks,
                    fmt::format("index lists [{},{}]; chunk {} holds {}..{}", range.first,
                                range.last, chunks[i].key, chunk.first(), chunk.last()));
  }
}

void CheckMatch(const CommitView& view, Findings& findings) {
  const Index* index = view.stored.state().Get<Index>(Name::kIndex);
  const InstanceMap& chunks = view.stored.chunks();
  if (index == nullptr) {
    if (chunks.empty()) return;  // never rolled over
    findings.Broken(Rule::kIndexMatchesChunks,
                    fmt::format("{} chunks are stored, and there is no index", chunks.size()));
    return;
  }
  findings.Evaluated(Rule::kIndexMatchesChunks);
  if (view.touches_chunks() || view.change().index) CheckRanges(*index, chunks, findings);
  const Sequence window_start = view.stored.WindowStart().value_or(view.next());
  if (index->window_start != window_start) {
    findings.Broken(Rule::kIndexMatchesChunks,
                    fmt::format("window_start is {}; the window starts at {}", index->window_start,
                                window_start));
  }
  const Sequence oldest = view.stored.Oldest().value_or(view.next());
  if (index->oldest_kept != oldest) {
    findings.Broken(Rule::kIndexMatchesChunks,
                    fmt::format("oldest_kept is {}; the oldest is {}", index->oldest_kept, oldest));
  }
}

}  // namespace

void CheckIndex(const CommitView& view, Findings& findings) {
  CheckWriteRule(view, findings);
  CheckMatch(view, findings);
}

}  // namespace rollover
