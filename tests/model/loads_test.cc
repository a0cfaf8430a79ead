// The loads column of the protocol's Step table, row by row.
#include "model/protocol/loads.h"

#include <gtest/gtest.h>

#include "tests/model/builders.h"

namespace rollover {
namespace {

using test::Show;
using test::Texts;

const Index kFourChunks{{{1, 2}, {3, 4}, {5, 5}, {6, 7}}, 8, 1};

Texts Sorted(Texts texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

// Session, index, summary and the whole window; and these.
Texts WindowAnd(const Texts& more) {
  Texts texts = {"AgentMessageIndex", "AgentMessages (all)", "AgentSession", "ContextSummary"};
  texts.insert(texts.end(), more.begin(), more.end());
  return Sorted(texts);
}

Texts RunModelAfterThree() {
  return WindowAnd({"TurnReplySequence", "AgentMessageChunks 3", "AgentMessageChunks 5",
                    "AgentMessageChunks 6"});
}

LoadsView SummaryUpTo(Sequence last) {
  return {.index = &kFourChunks, .summary_last_sequence = last};
}

TEST(Loads, StartTurnLoadsTheWindowAndNoChunk) {
  EXPECT_EQ(Show(StartTurnLoads({})), WindowAnd({}));
}

TEST(Loads, RunModelLoadsTheChunksThatReachPastTheSummary) {
  const auto chunks = [](Sequence summary) {
    std::vector<Key> keys;
    for (const Load& load : MoveTo(StepKind::kRunModel, SummaryUpTo(summary)).loads) {
      if (load.name == Name::kChunks) keys.push_back(load.key);
    }
    return keys;
  };
  EXPECT_EQ(chunks(0), (std::vector<Key>{1, 3, 5, 6}));
  EXPECT_EQ(chunks(1), (std::vector<Key>{1, 3, 5, 6}));
  EXPECT_EQ(chunks(2), (std::vector<Key>{3, 5, 6}));
  EXPECT_EQ(chunks(3), (std::vector<Key>{3, 5, 6}));
  EXPECT_EQ(chunks(4), (std::vector<Key>{5, 6}));
  EXPECT_EQ(chunks(6), (std::vector<Key>{6}));
  EXPECT_EQ(chunks(7), (std::vector<Key>{}));
}

TEST(Loads, RunModelLoadsTheReplySequence) {
  EXPECT_EQ(Show(MoveTo(StepKind::kRunModel, SummaryUpTo(3)).loads), RunModelAfterThree());
}

TEST(Loads, RunModelWithoutIndexLoadsNoChunk) {
  EXPECT_EQ(Show(MoveTo(StepKind::kRunModel, {}).loads), WindowAnd({"TurnReplySequence"}));
}

TEST(Loads, WithoutCompactionRunModelLoadsEveryChunk) {
  LoadsView view = SummaryUpTo(3);
  view.compaction = false;
  const Texts every = WindowAnd({"TurnReplySequence", "AgentMessageChunks (all)"});
  EXPECT_EQ(Show(MoveTo(StepKind::kRunModel, view).loads), every);
  EXPECT_EQ(Show(MoveTo(StepKind::kFinishTurnCancellation, view).loads), every);
  EXPECT_EQ(Show(MoveTo(StepKind::kResumeTurn, view).control_loads), every);
  EXPECT_EQ(Show(MoveTo(StepKind::kResumeTurn, view).loads), WindowAnd({}));
}

TEST(Loads, ResumeTurnLoadsTheWindowAndNoChunk) {
  EXPECT_EQ(Show(MoveTo(StepKind::kResumeTurn, SummaryUpTo(3)).loads), WindowAnd({}));
}

TEST(Loads, CompactContextLoadsOnlyTheChunksItSummarises) {
  const auto loads = [](Sequence summary, Sequence through) {
    return Show(MoveTo(StepKind::kCompactContext, SummaryUpTo(summary), through).loads);
  };
  EXPECT_EQ(loads(3, 4), WindowAnd({"AgentMessageChunks 3"}));
  EXPECT_EQ(loads(3, 5), WindowAnd({"AgentMessageChunks 3", "AgentMessageChunks 5"}));
  EXPECT_EQ(loads(4, 5), WindowAnd({"AgentMessageChunks 5"}));
  EXPECT_EQ(loads(4, 6), WindowAnd({"AgentMessageChunks 5", "AgentMessageChunks 6"}));
  EXPECT_EQ(loads(7, 9), WindowAnd({}));
}

TEST(Loads, FinishTurnCancellationLoadsAsRunModel) {
  EXPECT_EQ(Show(MoveTo(StepKind::kFinishTurnCancellation, SummaryUpTo(3)).loads),
            RunModelAfterThree());
}

TEST(Loads, EveryMovementCarriesWhatAControlWouldLoad) {
  for (const StepKind step : {StepKind::kRunModel, StepKind::kResumeTurn, StepKind::kCompactContext,
                              StepKind::kFinishTurnCancellation}) {
    const Movement movement = MoveTo(step, SummaryUpTo(3), 5);
    EXPECT_EQ(movement.step, step);
    EXPECT_EQ(Show(movement.control_loads), RunModelAfterThree()) << StepName(step);
  }
}

TEST(Loads, RecordTurnFailureLoadsEveryKeptChunk) {
  EXPECT_EQ(Show(RecordTurnFailureLoads({})),
            WindowAnd({"TurnReplySequence", "AgentMessageChunks (all)"}));
}

TEST(Loads, ReadsLoadIndexWindowSummaryAndEveryChunk) {
  EXPECT_EQ(Show(ReadLoads({})), Sorted({"AgentMessageIndex", "AgentMessages (all)",
                                         "ContextSummary", "AgentMessageChunks (all)"}));
}

TEST(Loads, WithoutCompactionTheStaticLoadsAreTheSame) {
  const Profile without{.compaction = false};
  EXPECT_EQ(StartTurnLoads(without), StartTurnLoads({}));
  EXPECT_EQ(RecordTurnFailureLoads(without), RecordTurnFailureLoads({}));
  EXPECT_EQ(ReadLoads(without), ReadLoads({}));
}

TEST(Loads, ALegacyCoreLoadsSessionSummaryAndWindowForEverything) {
  const Texts all = Sorted({"AgentSession", "ContextSummary", "AgentMessages (all)"});
  const Profile legacy{.legacy = true};
  EXPECT_EQ(Show(LegacyLoads()), all);
  EXPECT_EQ(Show(StartTurnLoads(legacy)), all);
  EXPECT_EQ(Show(RecordTurnFailureLoads(legacy)), all);
  EXPECT_EQ(Show(ReadLoads(legacy)), all);
}

}  // namespace
}  // namespace rollover
