#include "sim/situations.h"

#include <algorithm>

#include "model/codec.h"
#include "sim/statistics.h"

namespace rollover {
namespace {

using enum Situation;
constexpr std::array<SituationInfo, kSituationCount> kSituations = {{
    {kOversizedBehindWindow, "oversized-behind-window", 1000,
     "an oversized chunk is stored while older messages are in the window"},
    {kOversizedBlocksRetention, "oversized-blocked", 100,
     "a chunk is beyond summary and limit, but an older message is in the window"},
    {kOversizedBecomesDeletable, "oversized-deleted", 100,
     "such a chunk is deleted once the older messages have left the window"},
    {kRollover1, "rollover-1", 1000, "a commit moves one chunk"},
    {kRollover2, "rollover-2", 100, "a commit moves two chunks"},
    {kRollover3, "rollover-3", 50, "a commit moves three chunks"},
    {kRollover4, "rollover-4", 50, "a commit moves four chunks"},
    {kRunClosedByBytes, "run-closed-by-bytes", 500, "the next message would not fit the chunk"},
    {kRunClosedByCount, "run-closed-by-count", 500, "the chunk holds all it may"},
    {kRunClosedByGap, "run-closed-by-gap", 100, "an oversized message stands in between"},
    {kMovedBytesCap, "moved-bytes-cap", 3, "8 MiB stop a commit before its fourth chunk"},
    {kStoredAndMovedAtOnce, "stored-and-moved", 100, "a message is stored and moved by one commit"},
    {kEmptyWindow, "empty-window", 100, "everything kept is in chunks"},
    {kEverythingDeleted, "everything-deleted", 10, "nothing is kept at all"},
    {kSeveralChunksDeleted, "several-chunks-deleted", 100, "one commit deletes two chunks or more"},
    {kDeletedByStartTurn, "deleted-by-start-turn", 100,
     "StartTurn deletes a chunk it never loaded"},
    {kDeletedByCompaction, "deleted-by-compaction", 100, "CompactContext deletes a chunk"},
    {kSummaryInsideChunk, "summary-inside-chunk", 100, "the summary ends inside a chunk"},
    {kOwnChunkStays, "own-chunk-stays", 10,
     "a commit writes a chunk that would be deletable, and leaves it to the next"},
    {kWindowSizeLowered, "window-size-lowered", 50,
     "a 0.2.0 window holds more than a lowered message_window_size"},
    {kAsciiCapMinus1, "ascii-cap-minus-1", 100, "an ASCII message one byte under the cap"},
    {kAsciiCap, "ascii-cap", 100, "an ASCII message of exactly the cap"},
    {kAsciiCapPlus1, "ascii-cap-plus-1", 100, "an ASCII message one byte over the cap"},
    {kMultiByteCapMinus1, "multi-byte-cap-minus-1", 100, "the same in multi-byte text"},
    {kMultiByteCap, "multi-byte-cap", 100, "the same in multi-byte text"},
    {kMultiByteCapPlus1, "multi-byte-cap-plus-1", 100, "the same in multi-byte text"},
    {kExactlyValueLimit, "exactly-value-limit", 50, "a message whose chunk is exactly the limit"},
    {kRefusedAtFirstStore, "refused-at-first-store", 50, "a message too large for the engine"},
    {kSteerRefused, "steer-refused", 5, "a steer's message is refused: the old turn fails"},
    {kMegabyteMessage, "megabyte-message", 20, "a message of a megabyte or more"},
    {kEmptyContent, "empty-content", 100, "a message whose content is the empty string"},
    {kNestedContent, "nested-content", 100, "a message whose content is a nested document"},
    {kSeveralToolResults, "several-tool-results", 100, "one commit stores four messages or more"},
    {kHalfMigratedRead, "half-migrated-read", 100, "a read of a half-moved 0.1.0 session"},
    {kLegacyTurnFinishedByNew, "legacy-turn-finished", 50, "0.2.0 ends a turn that 0.1.0 started"},
    {kLegacyTurnCounted, "legacy-turn-counted", 50, "... and counts its replies by scanning"},
    {kLegacyStepAccepted, "legacy-step-accepted", 50, "0.2.0 runs a Step that 0.1.0 queued"},
    {kLegacyWorkerTurnedAway, "legacy-worker-turned-away", 50,
     "0.1.0 fails a turn because it cannot read what was moved"},
    {kDeletedSeenWithoutCompaction, "deleted-without-compaction", 20,
     "a core without compaction opens a session with deleted messages"},
    {kPageAtChunkFirst, "page-at-chunk-first", 100, "a page anchored at a chunk's first message"},
    {kPageInsideChunk, "page-inside-chunk", 100, "a page anchored inside a chunk"},
    {kPageAtChunkLast, "page-at-chunk-last", 100, "a page anchored at a chunk's last message"},
    {kPageAtWindowStart, "page-at-window-start", 100, "a page anchored at the window's start"},
    {kPageBelowOldestKept, "page-below-oldest-kept", 100, "a page anchored in the deleted range"},
    {kPageAcrossChunkAndWindow, "page-across", 100, "a page with messages from chunk and window"},
    {kPageEmpty, "page-empty", 100, "a page with nothing in it"},
    {kReadRefused, "read-refused", 100, "a read with arguments out of range"},
    {kReadRacesCommit, "read-races-commit", 100,
     "a read loads before a commit and is answered after it"},
    {kSteerInFlight, "steer-in-flight", 100, "a steer abandons a Step in flight"},
    {kCancelInFlight, "cancel-in-flight", 100, "a cancel abandons a Step in flight"},
    {kControlledCommitFenced, "controlled-commit-fenced", 100,
     "the commit of a Step that a control abandoned arrives late, and is fenced"},
    {kLateCommitFencedBefore, "late-commit-fenced-before", 100,
     "a stalled Worker's commit arrives before its successor's, and is fenced"},
    {kLateCommitFencedAfter, "late-commit-fenced-after", 100,
     "a stalled Worker's commit arrives after its successor's, and is fenced"},
    {kRolloverRetried, "rollover-retried", 100,
     "a rollover is lost with its Worker and done again"},
    {kDeletionRetried, "deletion-retried", 20, "a deletion is lost with its Worker and done again"},
    {kRollBackAcrossRollover, "roll-back-across-rollover", 20, "an engine crash undoes a rollover"},
    {kRollBackAcrossDeletion, "roll-back-across-deletion", 10, "an engine crash undoes a deletion"},
    {kRollBackAcrossUserMessage, "roll-back-across-user-message", 50,
     "an engine crash undoes a StartTurn: its user message is queued again"},
    {kWindowDrainedInQuiet, "window-drained-in-quiet", 20,
     "a window that was too large drains in quiet times"},
}};

bool IsOversizedStore(const ChunkPut& put, Sequence first_new, const Options& options) {
  return put.chunk().messages.size() == 1 && put.key >= first_new &&
         put.value->encoded_bytes() > options.chunk_cap();
}

bool MultiByte(const Content& content) {
  const auto text = content.encoded();
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

const std::array<SituationInfo, kSituationCount>& Situations() { return kSituations; }

void SituationSpotter::OnCommit(const Commit& commit, const Judge& judge, Statistics& statistics) {
  OnMessages(commit, judge, statistics);
  OnRollover(commit, judge, statistics);
  OnRetention(commit, judge, statistics);
  const Sequence next = judge.ledger().next();
  const bool stores = next > next_before_;
  if (judge.turn() && judge.turn()->first >= next_before_ && stores) {
    legacy_turn_ = commit.profile.legacy;
  }
  if (!commit.profile.legacy && !commit.loads.empty()) {
    const bool names_index =
        std::any_of(commit.loads.begin(), commit.loads.end(),
                    [](const Load& load) { return load.name == Name::kIndex; });
    if (!names_index) statistics.Count(Situation::kLegacyStepAccepted);
  }
  for (const Event& event : commit.result.events) {
    if (event.kind == EventKind::kWarning) {
      statistics.Count(Situation::kDeletedSeenWithoutCompaction);
    } else if (legacy_turn_ && !commit.profile.legacy) {
      statistics.Count(Situation::kLegacyTurnFinishedByNew);
      if (event.replies > 0) statistics.Count(Situation::kLegacyTurnCounted);
    }
  }
  next_before_ = next;
}

void SituationSpotter::OnMessages(const Commit& commit, const Judge& judge,
                                  Statistics& statistics) const {
  const Ledger& ledger = judge.ledger();
  const std::uint64_t cap = commit.options.chunk_cap();
  if (ledger.next() - next_before_ >= 4) statistics.Count(Situation::kSeveralToolResults);
  for (Sequence s = std::max(next_before_, ledger.first()); s < ledger.next(); ++s) {
    const ExpectedMessage& message = ledger.At(s);
    const std::uint64_t content_bytes = message.content.encoded().size();
    const std::uint64_t bytes =
        MessageHeaderBytes(s, message.turn_id, message.role) + content_bytes;
    const std::uint64_t alone = AloneBytes(bytes);
    statistics.stored_bytes += bytes;
    if (!commit.profile.legacy && alone + 1 >= cap && alone <= cap + 1) {
      const auto first =
          MultiByte(message.content) ? Situation::kMultiByteCapMinus1 : Situation::kAsciiCapMinus1;
      statistics.Count(static_cast<Situation>(static_cast<std::uint64_t>(first) + alone + 1 - cap));
    }
    if (alone == commit.limits.max_value_bytes) statistics.Count(Situation::kExactlyValueLimit);
    if (bytes >= kMebibyte) statistics.Count(Situation::kMegabyteMessage);
    if (content_bytes == 2) statistics.Count(Situation::kEmptyContent);
    if (message.content.encoded().front() != '"') statistics.Count(Situation::kNestedContent);
  }
}

void SituationSpotter::OnRollover(const Commit& commit, const Judge& judge,
                                  Statistics& statistics) const {
  const Stored& stored = judge.stored();
  const Options& options = commit.options;
  const InstanceMap& window = stored.window();
  std::vector<ChunkPut> moved;
  for (const ChunkPut& put : stored.change().chunk_puts) {
    if (!IsOversizedStore(put, next_before_, options)) {
      moved.push_back(put);
      continue;
    }
    if (!window.empty() && window.front().key < put.key) {
      statistics.Count(Situation::kOversizedBehindWindow);
    }
  }
  const bool too_large = window.size() > options.message_window_size;
  if (window.empty() && !stored.chunks().empty()) statistics.Count(Situation::kEmptyWindow);
  if (moved.empty()) return;
  const auto count = static_cast<std::uint64_t>(moved.size()) - 1;
  if (count < kCommitChunksMax) {
    statistics.Count(
        static_cast<Situation>(static_cast<std::uint64_t>(Situation::kRollover1) + count));
  }
  std::sort(moved.begin(), moved.end(),
            [](const ChunkPut& a, const ChunkPut& b) { return a.key < b.key; });
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const Chunk& chunk = moved[i].chunk();
    if (chunk.last() >= next_before_) statistics.Count(Situation::kStoredAndMovedAtOnce);
    if (chunk.messages.size() >= options.message_chunk_size) {
      statistics.Count(Situation::kRunClosedByCount);
      continue;
    }
    const Sequence next = i + 1 < moved.size() ? moved[i + 1].key
                          : window.empty()     ? 0
                                               : window.front().key;
    if (next == chunk.last() + 1) statistics.Count(Situation::kRunClosedByBytes);
    if (next > chunk.last() + 1) statistics.Count(Situation::kRunClosedByGap);
  }
  if (too_large && moved.size() < commit.options.commit_chunks_max)
    statistics.Count(Situation::kMovedBytesCap);
}

void SituationSpotter::OnRetention(const Commit& commit, const Judge& judge,
                                   Statistics& statistics) {
  const Stored& stored = judge.stored();
  const Change& change = stored.change();
  const InstanceMap& chunks = stored.chunks();
  const Sequence summary = judge.summary().last_sequence;
  const Sequence next = judge.ledger().next();
  const auto window_start = stored.WindowStart();
  const auto deletable = [&](Sequence last) {
    return commit.compaction() && commit.options.retained_message_limit && last <= summary &&
           next - 1 - last >= *commit.options.retained_message_limit;
  };
  if (change.chunk_deletes.size() > 1) statistics.Count(Situation::kSeveralChunksDeleted);
  for (const ChunkDelete& gone : change.chunk_deletes) {
    if (commit.step() == StepKind::kStartTurn) statistics.Count(Situation::kDeletedByStartTurn);
    if (commit.step() == StepKind::kCompactContext) {
      statistics.Count(Situation::kDeletedByCompaction);
    }
    const auto at = std::find(blocked_chunks_.begin(), blocked_chunks_.end(), gone.key);
    if (at == blocked_chunks_.end()) continue;
    statistics.Count(Situation::kOversizedBecomesDeletable);
    blocked_chunks_.erase(at);
  }
  if (!change.chunk_deletes.empty() && chunks.empty() && stored.window().empty()) {
    statistics.Count(Situation::kEverythingDeleted);
  }
  for (const ChunkPut& put : change.chunk_puts) {
    if (deletable(put.chunk().last())) statistics.Count(Situation::kOwnChunkStays);
  }
  if (chunks.empty()) return;
  const Chunk& oldest = *chunks.front().value->as<Chunk>();
  if (oldest.first() <= summary && summary < oldest.last()) {
    statistics.Count(Situation::kSummaryInsideChunk);
  }
  const bool blocked = window_start && *window_start < oldest.first() && deletable(oldest.last());
  if (blocked && std::find(blocked_chunks_.begin(), blocked_chunks_.end(), oldest.first()) ==
                     blocked_chunks_.end()) {
    statistics.Count(Situation::kOversizedBlocksRetention);
    blocked_chunks_.push_back(oldest.first());
    if (blocked_chunks_.size() > 64) blocked_chunks_.erase(blocked_chunks_.begin());
  }
}

void SituationSpotter::OnRead(const ReadArguments& arguments, const ReadOutcome& outcome,
                              const Judge& judge, Profile profile, Statistics& statistics) {
  const Stored& stored = judge.stored();
  const auto* page = std::get_if<Page>(&outcome);
  if (page == nullptr) {
    statistics.Count(Situation::kReadRefused);
    return;
  }
  if (!profile.legacy && judge.HoldsLegacyMessages() && !stored.chunks().empty()) {
    statistics.Count(Situation::kHalfMigratedRead);
  }
  if (page->messages.empty()) statistics.Count(Situation::kPageEmpty);
  const auto window_start = stored.WindowStart();
  if (!page->messages.empty() && window_start && !stored.chunks().empty()) {
    const Sequence first = page->messages.front()->message().sequence;
    const Sequence last = page->messages.back()->message().sequence;
    if (first < *window_start && last >= *window_start) {
      statistics.Count(Situation::kPageAcrossChunkAndWindow);
    }
  }
  const auto& given =
      arguments.after_sequence ? arguments.after_sequence : arguments.before_sequence;
  if (!given || *given < 0) return;
  const auto anchor = static_cast<Sequence>(*given);
  if (anchor < judge.ledger().first() && judge.ledger().first() > 1) {
    statistics.Count(Situation::kPageBelowOldestKept);
  }
  if (window_start && anchor == *window_start) statistics.Count(Situation::kPageAtWindowStart);
  for (const auto& instance : stored.chunks()) {
    const Chunk& chunk = *instance.value->as<Chunk>();
    if (anchor < chunk.first() || anchor > chunk.last()) continue;
    if (anchor == chunk.first()) statistics.Count(Situation::kPageAtChunkFirst);
    if (anchor == chunk.last()) statistics.Count(Situation::kPageAtChunkLast);
    if (anchor > chunk.first() && anchor < chunk.last())
      statistics.Count(Situation::kPageInsideChunk);
  }
}

}  // namespace rollover
