// chunk-caps, commit-caps, migration-bounded, full-runs: how messages leave the window.
#include <fmt/format.h>

#include <algorithm>

#include "model/codec.h"
#include "model/rules/commit_view.h"

namespace rollover {
namespace {

std::uint64_t BytesOf(const std::vector<ChunkPut>& chunks) {
  std::uint64_t bytes = 0;
  for (const ChunkPut& put : chunks) bytes += put.value->encoded_bytes();
  return bytes;
}

void CheckChunkCaps(const CommitView& view, Findings& findings) {
  const Options& options = view.commit.options;
  for (const ChunkPut& put : view.change().chunk_puts) {
    findings.Evaluated(Rule::kChunkCaps);
    const std::size_t messages = put.chunk().messages.size();
    const std::uint64_t bytes = put.value->encoded_bytes();
    if (messages > options.message_chunk_size) {
      findings.Broken(Rule::kChunkCaps, fmt::format("chunk {} holds {} messages; the cap is {}",
                                                    put.key, messages, options.message_chunk_size));
    }
    if (messages > 1 && bytes > CapOf(options)) {
      findings.Broken(Rule::kChunkCaps, fmt::format("chunk {} is {} bytes; the cap is {}", put.key,
                                                    bytes, CapOf(options)));
    }
  }
}

void CheckCommitCaps(const Options& options, const std::vector<ChunkPut>& moved,
                     Findings& findings) {
  if (moved.empty()) return;
  findings.Evaluated(Rule::kCommitCaps);
  const std::uint64_t bytes = BytesOf(moved);
  if (moved.size() > options.commit_chunks_max ||
      (moved.size() > 1 && bytes > options.commit_moved_max_bytes)) {
    findings.Broken(
        Rule::kCommitCaps,
        fmt::format("{} chunks of {} bytes are moved; the caps are {} and {}", moved.size(), bytes,
                    options.commit_chunks_max, options.commit_moved_max_bytes));
  }
}

void CheckMigration(const CommitView& view, const std::vector<ChunkPut>& moved,
                    Findings& findings) {
  const bool too_large = view.stored.window().size() > view.commit.options.message_window_size;
  if (!view.migrating || view.legacy() || !view.stores()) return;
  if (moved.empty() && !too_large) return;  // what is left fits the window
  findings.Evaluated(Rule::kMigrationBounded);
  if (moved.empty()) {
    findings.Broken(Rule::kMigrationBounded,
                    fmt::format("the window holds {} messages, and the commit moves none",
                                view.stored.window().size()));
  }
  if (moved.size() > view.commit.options.commit_chunks_max) {
    findings.Broken(Rule::kMigrationBounded, fmt::format("{} chunks are moved", moved.size()));
  }
}

// Size of the chunk that the oldest window messages would make together, and how many they are.
struct Prospect {
  std::size_t messages = 0;
  std::uint64_t bytes = 0;
};

Prospect NextRun(const InstanceMap& window, const Options& options) {
  Prospect run{0, kChunkWrapperBytes};
  for (const auto& instance : window) {
    const std::uint64_t comma = run.messages > 0 ? 1 : 0;
    const std::uint64_t bytes = run.bytes + comma + instance.value->encoded_bytes();
    const bool neighbour = instance.key == window.front().key + run.messages;
    const bool fits = run.messages == 0 || bytes <= CapOf(options);
    if (!neighbour || !fits || run.messages == options.message_chunk_size) break;
    run = {run.messages + 1, bytes};
  }
  return run;
}

// Why a moved chunk may end where it does: it is full by count, the next message is no neighbour,
// or would not fit. `next` is the oldest message that stayed behind it.
bool RunIsFull(const ChunkPut& put, const Message& next, std::uint64_t next_bytes,
               const Options& options) {
  return put.chunk().messages.size() >= options.message_chunk_size ||
         next.sequence != put.chunk().last() + 1 ||
         put.value->encoded_bytes() + 1 + next_bytes > CapOf(options);
}

void CheckEachRunIsFull(const CommitView& view, const std::vector<ChunkPut>& moved,
                        Findings& findings) {
  const InstanceMap& window = view.stored.window();
  for (std::size_t i = 0; i < moved.size(); ++i) {
    ValueRef next;
    if (i + 1 < moved.size()) {
      next = moved[i + 1].chunk().messages.front();
    } else if (!window.empty()) {
      next = window.front().value;
    }
    if (!next) continue;  // nothing stayed behind it
    if (next->message().sequence < moved[i].chunk().last()) {
      findings.Broken(Rule::kFullRuns,
                      fmt::format("chunk {} left the window before the older message {}",
                                  moved[i].key, next->message().sequence));
    } else if (!RunIsFull(moved[i], next->message(), next->encoded_bytes(), view.commit.options)) {
      findings.Broken(Rule::kFullRuns,
                      fmt::format("chunk {} ends at {}, but {} would fit", moved[i].key,
                                  moved[i].chunk().last(), next->message().sequence));
    }
  }
}

void CheckFullRuns(const CommitView& view, const std::vector<ChunkPut>& moved, Findings& findings) {
  const Options& options = view.commit.options;
  const InstanceMap& window = view.stored.window();
  const bool too_large = window.size() > options.message_window_size;
  if (view.legacy() || (moved.empty() && !(too_large && view.stores()))) return;
  findings.Evaluated(Rule::kFullRuns);
  if (!moved.empty() && !view.stores()) {
    findings.Broken(
        Rule::kFullRuns,
        fmt::format("chunk {} is moved by a commit that stores nothing", moved.front().key));
    return;
  }
  CheckEachRunIsFull(view, moved, findings);
  // Before its last chunk moved, the window must have been too large; after it, it may not be.
  if (!moved.empty()) {
    const std::size_t before_last = window.size() + moved.back().chunk().messages.size();
    if (before_last <= options.message_window_size) {
      findings.Broken(Rule::kFullRuns,
                      fmt::format("chunk {} is moved though the window held only {} messages",
                                  moved.back().key, before_last));
    }
  }
  if (!too_large || moved.size() >= options.commit_chunks_max || view.StoppedByBytes()) return;
  findings.Broken(
      Rule::kFullRuns,
      fmt::format("the window holds {} messages, the size is {}, and {} chunks are moved",
                  window.size(), options.message_window_size, moved.size()));
}

}  // namespace

std::uint64_t CapOf(const Options& options) {
  const bool told = options.value_max_bytes.has_value();
  const bool lower = told && *options.value_max_bytes < options.message_chunk_max_bytes;
  return lower ? *options.value_max_bytes : options.message_chunk_max_bytes;
}

bool CommitView::IsOversizedStore(const ChunkPut& put) const {
  const auto& messages = put.chunk().messages;
  return messages.size() == 1 && messages[0]->message().sequence >= first_new &&
         put.value->encoded_bytes() > CapOf(commit.options);
}

std::vector<ChunkPut> CommitView::MovedChunks() const {
  std::vector<ChunkPut> moved;
  for (const ChunkPut& put : change().chunk_puts) {
    if (!IsOversizedStore(put)) moved.push_back(put);
  }
  std::sort(moved.begin(), moved.end(),
            [](const ChunkPut& a, const ChunkPut& b) { return a.key < b.key; });
  return moved;
}

bool CommitView::StoppedByBytes() const {
  const std::vector<ChunkPut> moved = MovedChunks();
  const std::uint64_t next_bytes = NextRun(stored.window(), commit.options).bytes;
  return !moved.empty() && BytesOf(moved) + next_bytes > commit.options.commit_moved_max_bytes;
}

void CheckChunks(const CommitView& view, Findings& findings) {
  CheckChunkCaps(view, findings);
  const std::vector<ChunkPut> moved = view.MovedChunks();
  CheckCommitCaps(view.commit.options, moved, findings);
  CheckMigration(view, moved, findings);
  CheckFullRuns(view, moved, findings);
}

}  // namespace rollover
