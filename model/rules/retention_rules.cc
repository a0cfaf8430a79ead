// never-deletes, retention-safe, retention-done, bounded-state: what goes, and what stays.
#include <fmt/format.h>

#include <algorithm>

#include "model/codec.h"
#include "model/rules/commit_view.h"

namespace rollover {
namespace {

void CheckNeverDeletes(const CommitView& view, Findings& findings) {
  if (view.commit.compaction() || view.legacy()) return;
  findings.Evaluated(Rule::kNeverDeletes);
  for (const ChunkDelete& gone : view.change().chunk_deletes) {
    findings.Broken(Rule::kNeverDeletes,
                    fmt::format("chunk {} is deleted, and compaction is off", gone.key));
  }
}

void CheckSafe(const CommitView& view, Findings& findings) {
  if (!view.commit.compaction()) return;
  for (const ChunkDelete& gone : view.change().chunk_deletes) {
    findings.Evaluated(Rule::kRetentionSafe);
    if (!gone.old) {
      findings.Broken(Rule::kRetentionSafe, fmt::format("chunk {} was not there", gone.key));
      continue;
    }
    const Sequence last = gone.old->as<Chunk>()->last();
    const std::uint64_t after = view.next() - 1 - std::min(last, view.next() - 1);
    if (!view.limit()) {
      findings.Broken(Rule::kRetentionSafe,
                      fmt::format("chunk {} is deleted, and no limit is set", gone.key));
    } else if (last > view.summary_after.last_sequence) {
      findings.Broken(
          Rule::kRetentionSafe,
          fmt::format("chunk {} is deleted; its last message {} is after the summary {}", gone.key,
                      last, view.summary_after.last_sequence));
    } else if (after < *view.limit()) {
      findings.Broken(Rule::kRetentionSafe,
                      fmt::format("chunk {} is deleted with {} messages after it; the limit is {}",
                                  gone.key, after, *view.limit()));
    } else if (!view.stores() && !view.compacts()) {
      findings.Broken(Rule::kRetentionSafe, fmt::format("chunk {} is deleted by {}", gone.key,
                                                        StepName(view.commit.step())));
    }
  }
}

void CheckDone(const CommitView& view, Findings& findings) {
  const bool retains = view.stores() || view.compacts();
  if (!retains || view.legacy() || !view.commit.compaction() || !view.limit()) return;
  findings.Evaluated(Rule::kRetentionDone);
  const InstanceMap& chunks = view.stored.chunks();
  if (chunks.empty()) return;
  const Chunk& oldest = *chunks.front().value->as<Chunk>();
  const auto window_start = view.stored.WindowStart();
  if (window_start && *window_start < oldest.first()) return;  // only a prefix may go
  const auto own = std::any_of(view.change().chunk_puts.begin(), view.change().chunk_puts.end(),
                               [&](const ChunkPut& put) { return put.key == chunks.front().key; });
  const bool summarised = oldest.last() <= view.summary_after.last_sequence;
  const std::uint64_t after = view.next() - 1 - std::min(oldest.last(), view.next() - 1);
  if (own || !summarised || after < *view.limit()) return;
  findings.Broken(
      Rule::kRetentionDone,
      fmt::format("chunk {} [..{}] stays: the summary reaches {}, {} messages are after "
                  "it, the limit is {}",
                  chunks.front().key, oldest.last(), view.summary_after.last_sequence, after,
                  *view.limit()));
}

}  // namespace

namespace {

// The oldest message that no prefix of the chunks can have passed: the window's first, or, where
// older chunks stand behind a chunk of this commit (which may not go before the next), its first.
Sequence UndrainedFrom(const CommitView& view) {
  const Sequence window = view.stored.WindowStart().value_or(view.next());
  const InstanceMap& chunks = view.stored.chunks();
  const std::vector<ChunkPut>& puts = view.change().chunk_puts;
  if (puts.empty() || puts.size() > chunks.size()) return window;
  const auto own = std::min_element(puts.begin(), puts.end(),
                                    [](const auto& a, const auto& b) { return a.key < b.key; });
  const bool newest = chunks[chunks.size() - puts.size()].key == own->key;
  return newest ? window : std::min(window, own->key);
}

}  // namespace

// The most that may be stored: enough messages for the limit, for what follows the summary, or for
// what has not drained yet, whichever is most; one chunk that is not wholly beyond them, perhaps of
// an earlier, larger message_chunk_size; the chunks and messages of this very commit, which it may
// not delete; and the small values.
std::optional<std::uint64_t> StateBound(const CommitView& view) {
  const bool retains = view.stores() || view.compacts();
  if (!retains || view.legacy() || !view.commit.compaction() || !view.limit()) return std::nullopt;
  const Options& options = view.commit.options;
  const Sequence next = view.next();
  const std::uint64_t after_summary =
      next - 1 - std::min(view.summary_after.last_sequence, next - 1);
  const std::uint64_t not_drained = next - std::min(UndrainedFrom(view), next);
  const std::uint64_t own =
      (next - view.first_new) + view.change().chunk_puts.size() * options.message_chunk_size;
  const std::uint64_t messages =
      std::max({*view.limit(), after_summary, not_drained}) + view.largest_chunk_size + own;
  const std::uint64_t per_message = AloneBytes(view.ledger.largest_message_bytes());
  std::uint64_t small = 0;
  for (const Name name : {Name::kIndex, Name::kTurnReply, Name::kSummary, Name::kSession}) {
    small += view.stored.state().live_bytes(name);
  }
  // A bound that no state can reach is as good as none.
  constexpr std::uint64_t kUnreachable = std::uint64_t{1} << 62;
  return messages > kUnreachable / per_message ? kUnreachable : messages * per_message + small;
}

namespace {

void CheckBounded(const CommitView& view, Findings& findings) {
  if (!view.state_bound) return;
  findings.Evaluated(Rule::kBoundedState);
  const std::uint64_t live = view.stored.state().live_bytes();
  if (live <= *view.state_bound) return;
  findings.Broken(Rule::kBoundedState,
                  fmt::format("{} bytes are live; the bound is {}", live, *view.state_bound));
}

}  // namespace

void CheckRetention(const CommitView& view, Findings& findings) {
  CheckNeverDeletes(view, findings);
  CheckSafe(view, findings);
  CheckDone(view, findings);
  CheckBounded(view, findings);
}

}  // namespace rollover
