// Situations: the rare combinations that a run must have reached to be worth its green.
//
// Each has a name, and how often a default run (20,000 seeds) must reach it. Beside these, every
// pair of a fault and a Step that it can hit is a situation too (statistics.h, faults_at). The list
// with the reasons is docs/situations.md; a test keeps the two alike.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/history.h"
#include "model/rules/judge.h"

namespace rollover {

enum class Situation : std::uint8_t {
  kOversizedBehindWindow,
  kOversizedBlocksRetention,
  kOversizedBecomesDeletable,
  kRollover1,
  kRollover2,
  kRollover3,
  kRollover4,
  kRunClosedByBytes,
  kRunClosedByCount,
  kRunClosedByGap,
  kMovedBytesCap,
  kStoredAndMovedAtOnce,
  kEmptyWindow,
  kEverythingDeleted,
  kSeveralChunksDeleted,
  kDeletedByStartTurn,
  kDeletedByCompaction,
  kSummaryInsideChunk,
  kOwnChunkStays,
  kWindowSizeLowered,
  kAsciiCapMinus1,
  kAsciiCap,
  kAsciiCapPlus1,
  kMultiByteCapMinus1,
  kMultiByteCap,
  kMultiByteCapPlus1,
  kExactlyValueLimit,
  kRefusedAtFirstStore,
  kSteerRefused,
  kMegabyteMessage,
  kEmptyContent,
  kNestedContent,
  kSeveralToolResults,
  kHalfMigratedRead,
  kLegacyTurnFinishedByNew,
  kLegacyTurnCounted,
  kLegacyStepAccepted,
  kLegacyWorkerTurnedAway,
  kDeletedSeenWithoutCompaction,
  kPageAtChunkFirst,
  kPageInsideChunk,
  kPageAtChunkLast,
  kPageAtWindowStart,
  kPageBelowOldestKept,
  kPageAcrossChunkAndWindow,
  kPageEmpty,
  kReadRefused,
  kReadRacesCommit,
  kSteerInFlight,
  kCancelInFlight,
  kControlledCommitFenced,
  kLateCommitFencedBefore,
  kLateCommitFencedAfter,
  kRolloverRetried,
  kDeletionRetried,
  kRollBackAcrossRollover,
  kRollBackAcrossDeletion,
  kRollBackAcrossUserMessage,
  kWindowDrainedInQuiet,
};
inline constexpr std::size_t kSituationCount = 59;

struct SituationInfo {
  Situation situation;
  std::string_view name;
  std::uint64_t minimum;  // in 20,000 seeds of the default swarm
  std::string_view says;
};
const std::array<SituationInfo, kSituationCount>& Situations();

struct Statistics;

// Recognises situations from what the judge saw. Remembers little: a copy is as good as a snapshot.
class SituationSpotter {
 public:
  // After the judge heard of the commit.
  void OnCommit(const Commit& commit, const Judge& judge, Statistics& statistics);
  void OnRead(const ReadArguments& arguments, const ReadOutcome& outcome, const Judge& judge,
              Profile profile, Statistics& statistics);

 private:
  void OnRollover(const Commit& commit, const Judge& judge, Statistics& statistics) const;
  void OnMessages(const Commit& commit, const Judge& judge, Statistics& statistics) const;
  void OnRetention(const Commit& commit, const Judge& judge, Statistics& statistics);

  Sequence next_before_ = 1;
  bool legacy_turn_ = false;  // the running turn was started by 0.1.0
  std::vector<Sequence>
      blocked_chunks_;  // oversized, with older messages in the window when stored
};

}  // namespace rollover
