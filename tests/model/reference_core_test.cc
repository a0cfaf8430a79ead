// The reference core, Step by Step. Sessions that 0.1.0 began: legacy_core_test.cc; without
// compaction: no_compaction_core_test.cc.
#include <gtest/gtest.h>

#include "tests/model/builders.h"

namespace rollover {
namespace {

using test::CoreSession;
using test::Range;
using test::Reference;
using test::Sequences;
using test::Show;
using test::Text;
using test::Texts;

// Window 4, chunks of 2, and a limit that deletes soon.
CoreSession Small(std::optional<std::uint64_t> limit = 2) {
  return Reference({.message_window_size = 4,
                    .message_chunk_size = 2,
                    .message_chunk_max_bytes = kKibibyte,
                    .retained_message_limit = limit});
}

ReadArguments Arguments(Rpc rpc, std::int64_t limit = kPageMessagesMax) {
  ReadArguments arguments;
  arguments.rpc = rpc;
  arguments.limit = limit;
  return arguments;
}

// StartTurn -----------------------------------------------------------------------------------

TEST(StartTurn, StoresTheUserMessageAndWhereRepliesStart) {
  CoreSession session = Small();
  const StepResult result = session.Run(StartTurn{"t1", Text("hello")});
  EXPECT_EQ(Show(result.writes), (Texts{"AgentSession", "TurnReplySequence", "message 1"}));
  EXPECT_TRUE(session.state.Map(Name::kMessages).front().value->message() ==
              (Message{1, "t1", Role::kUser, Text("hello")}));
  EXPECT_EQ(*session.state.Get<TurnReply>(Name::kTurnReply), (TurnReply{"t1", 2}));
  EXPECT_EQ(session.SessionValue(), (Session{2, "t1"}));
  ASSERT_TRUE(result.next);
  EXPECT_EQ(result.next->step, StepKind::kRunModel);
  EXPECT_TRUE(result.events.empty());
}

TEST(StartTurn, AnOversizedUserMessageStillStartsTheTurn) {
  CoreSession session = Small();
  const StepResult result = session.Run(StartTurn{"t1", test::ContentOfBytes(2000)});
  EXPECT_EQ(Show(result.writes),
            (Texts{"AgentMessageIndex", "AgentSession", "TurnReplySequence", "chunk 1-1"}));
  EXPECT_EQ(Show(result.next->loads).front(), "AgentMessageChunks 1");
  EXPECT_EQ(Show(*session.Run(CoreSession::Reply("t1")).model_input), "1-1");
}

// RunModel ------------------------------------------------------------------------------------

TEST(RunModel, WithoutToolCallsCompletesTheTurn) {
  CoreSession session = Small();
  session.Run(StartTurn{"t1", Text("hello")});
  const StepResult result = session.Run(CoreSession::Reply("t1"));
  EXPECT_EQ(Show(result.writes), (Texts{"AgentSession", "message 2"}));
  EXPECT_EQ(Show(result.events), (Texts{"turn_completed t1 1"}));
  EXPECT_EQ(session.SessionValue(), (Session{3, std::nullopt}));
  EXPECT_FALSE(result.next);
  EXPECT_EQ(session.state.Map(Name::kMessages).Find(2)->message().role, Role::kAssistant);
}

TEST(RunModel, WithToolCallsResumesTheTurn) {
  CoreSession session = Small();
  session.Run(StartTurn{"t1", Text("hello")});
  const StepResult result = session.Run(CoreSession::Reply("t1", 2));
  EXPECT_EQ(Show(result.writes), (Texts{"AgentSession", "message 2"}));
  EXPECT_TRUE(result.events.empty());
  EXPECT_EQ(session.SessionValue(), (Session{3, "t1"}));
  ASSERT_TRUE(result.next);
  EXPECT_EQ(result.next->step, StepKind::kResumeTurn);
}

TEST(RunModel, WithTooLongAContextStoresNothingAndCompacts) {
  CoreSession session = Small();
  session.Run(StartTurn{"t1", Text("hello")});
  const StepResult result = session.Run(CoreSession::TooLong("t1", 1));
  EXPECT_EQ(Show(result.writes), Texts{});
  EXPECT_FALSE(result.model_input);
  ASSERT_TRUE(result.next);
  EXPECT_EQ(result.next->step, StepKind::kCompactContext);
}

TEST(RunModel, SeesEveryMessageAcrossChunksAndWindowInOrder) {
  CoreSession session = Small(std::nullopt);
  for (const TurnId turn : {"t1", "t2", "t3", "t4"}) session.RunTurn(turn);
  ASSERT_EQ(session.ShowIndex(), "1-2 3-4 window 5 oldest 1");
  session.Run(StartTurn{"t5", test::ContentOfBytes(2000)});
  ASSERT_EQ(session.ShowIndex(), "1-2 3-4 9-9 window 5 oldest 1");
  EXPECT_EQ(Show(*session.Run(CoreSession::Reply("t5")).model_input), "1-9");
  EXPECT_EQ(session.unloaded_read, "");
}

TEST(RunModel, SeesOnlyWhatIsAfterTheSummary) {
  for (Sequence through = 1; through <= 9; ++through) {
    CoreSession session = Small(std::nullopt);
    for (const TurnId turn : {"t1", "t2", "t3", "t4"}) session.RunTurn(turn);
    session.Run(StartTurn{"t5", Text("hello")});
    session.Run(CoreSession::TooLong("t5", through));
    session.Run(CompactContext{"t5", through, "summary"});
    const StepResult result = session.Run(CoreSession::Reply("t5"));
    EXPECT_EQ(Show(*result.model_input), through == 9 ? "" : Show(ChunkRange{through + 1, 9}));
    EXPECT_EQ(session.unloaded_read, "");
  }
}

// ResumeTurn ----------------------------------------------------------------------------------

TEST(ResumeTurn, StoresAllToolResultsInOneCommit) {
  CoreSession session = Small();
  session.Run(StartTurn{"t1", Text("hello")});
  session.Run(CoreSession::Reply("t1", 2));
  const StepResult result = session.Run(ResumeTurn{"t1", {Text("a"), Text("b")}});
  EXPECT_EQ(Show(result.writes), (Texts{"AgentSession", "message 3", "message 4"}));
  EXPECT_EQ(session.state.Map(Name::kMessages).Find(4)->message(),
            (Message{4, "t1", Role::kTool, Text("b")}));
  EXPECT_EQ(result.next->step, StepKind::kRunModel);
  EXPECT_EQ(Show(session.Run(CoreSession::Reply("t1")).events), (Texts{"turn_completed t1 4"}));
}

TEST(ResumeTurn, ManyResultsRollOverAtMostFourChunks) {
  CoreSession session = Small();
  session.Run(StartTurn{"t1", Text("hello")});
  session.Run(CoreSession::Reply("t1", 20));
  session.Run(ResumeTurn{"t1", std::vector<Content>(20, Text("result"))});
  EXPECT_EQ(session.ShowIndex(), "1-2 3-4 5-6 7-8 window 9 oldest 1");
  EXPECT_EQ(session.SessionValue().next_sequence, 23u);
}

// CompactContext ------------------------------------------------------------------------------

TEST(CompactContext, WritesTheSummaryDeletesAndDoesNotRollOver) {
  CoreSession session = Small(2);
  for (const TurnId turn : {"t1", "t2"}) session.RunTurn(turn);
  session.Run(StartTurn{"t3", Text("hello")});
  ASSERT_EQ(session.ShowIndex(), "1-2 window 3 oldest 1");
  session.Run(CoreSession::TooLong("t3", 4));
  const StepResult result = session.Run(CompactContext{"t3", 4, "summary"});
  EXPECT_EQ(Show(result.writes), (Texts{"-chunk 1", "AgentMessageIndex", "ContextSummary"}));
  EXPECT_EQ(*session.state.Get<Summary>(Name::kSummary), (Summary{4, "summary"}));
  EXPECT_EQ(session.ShowIndex(), "window 3 oldest 3");
  EXPECT_EQ(result.next->step, StepKind::kRunModel);
}

TEST(CompactContext, TheNextLoadsAreThoseAfterTheNewSummary) {
  CoreSession session = Small(std::nullopt);
  for (const TurnId turn : {"t1", "t2", "t3", "t4"}) session.RunTurn(turn);
  session.Run(StartTurn{"t5", Text("hello")});
  session.Run(CoreSession::TooLong("t5", 2));
  EXPECT_EQ(Show(session.movement->loads).front(), "AgentMessageChunks 1");
  const StepResult result = session.Run(CompactContext{"t5", 2, "summary"});
  ASSERT_EQ(session.ShowIndex(), "1-2 3-4 5-6 window 7 oldest 1");
  EXPECT_EQ(Show(result.next->loads).front(), "AgentMessageChunks 3");
  EXPECT_EQ(Show(result.next->control_loads).front(), "AgentMessageChunks 3");
}

// Controls ------------------------------------------------------------------------------------

TEST(Steer, EndsTheTurnAndStartsTheNextInOneCommit) {
  CoreSession session = Small();
  session.Run(StartTurn{"t1", Text("hello")});
  session.Run(CoreSession::Reply("t1", 1));
  const StepResult result =
      session.Run(ApplyTurnControl{"t1", ControlKind::kSteer, "t2", Text("no: that")});
  EXPECT_EQ(Show(result.events), (Texts{"turn_steered t1 1"}));
  EXPECT_EQ(Show(result.writes), (Texts{"AgentSession", "TurnReplySequence", "message 3"}));
  EXPECT_EQ(session.state.Map(Name::kMessages).Find(3)->message(),
            (Message{3, "t2", Role::kUser, Text("no: that")}));
  EXPECT_EQ(*session.state.Get<TurnReply>(Name::kTurnReply), (TurnReply{"t2", 4}));
  EXPECT_EQ(session.SessionValue(), (Session{4, "t2"}));
  EXPECT_EQ(result.next->step, StepKind::kRunModel);
  EXPECT_EQ(session.unloaded_read, "");
}

TEST(Cancel, MovesOnThenEndsTheTurn) {
  CoreSession session = Small();
  session.Run(StartTurn{"t1", Text("hello")});
  session.Run(CoreSession::Reply("t1", 1));
  session.Run(ResumeTurn{"t1", {Text("result")}});
  const StepResult applied = session.Run(CoreSession::Cancel("t1"));
  EXPECT_EQ(Show(applied.writes), Texts{});
  EXPECT_TRUE(applied.events.empty());
  ASSERT_TRUE(applied.next);
  EXPECT_EQ(applied.next->step, StepKind::kFinishTurnCancellation);
  const StepResult finished = session.Run(FinishTurnCancellation{"t1"});
  EXPECT_EQ(Show(finished.events), (Texts{"turn_cancelled t1 2"}));
  EXPECT_EQ(Show(finished.writes), (Texts{"AgentSession"}));
  EXPECT_EQ(session.SessionValue(), (Session{4, std::nullopt}));
  EXPECT_FALSE(finished.next);
}

TEST(Cancel, BeforeAnyReplyCountsZero) {
  CoreSession session = Small();
  session.Run(StartTurn{"t1", Text("hello")});
  session.Run(CoreSession::Cancel("t1"));
  EXPECT_EQ(Show(session.Run(FinishTurnCancellation{"t1"}).events), (Texts{"turn_cancelled t1 0"}));
}

// RecordTurnFailure ---------------------------------------------------------------------------

TEST(RecordTurnFailure, EndsTheTurnAsFailed) {
  CoreSession session = Small();
  session.Run(StartTurn{"t1", Text("hello")});
  const StepResult result = session.Run(RecordTurnFailure{"t1", "refused"});
  EXPECT_EQ(Show(result.events), (Texts{"turn_failed t1"}));
  EXPECT_EQ(Show(result.writes), (Texts{"AgentSession"}));
  EXPECT_EQ(session.SessionValue(), (Session{2, std::nullopt}));
  EXPECT_FALSE(result.next);
  EXPECT_EQ(session.unloaded_read, "");
}

TEST(RecordTurnFailure, OfATurnThatStoredNothingWritesNothing) {
  // Given a StartTurn that the engine refused: the session never left idle.
  CoreSession session = Small();
  EXPECT_EQ(Show(session.Run(RecordTurnFailure{"t1", "too large"}).writes), Texts{});
}

// Counts --------------------------------------------------------------------------------------

TEST(ReplyCount, SurvivesCompactionAndDeletionInMidTurn) {
  // Given a limit of zero and a turn that is compacted and retired while it runs.
  CoreSession session = Small(0);
  session.Run(StartTurn{"t1", Text("hello")});
  for (int round = 0; round < 4; ++round) {
    session.Run(CoreSession::Reply("t1", 2));
    session.Run(ResumeTurn{"t1", {Text("a"), Text("b")}});
  }
  const Sequence last = session.SessionValue().next_sequence - 1;
  session.Run(CoreSession::TooLong("t1", last));
  session.Run(CompactContext{"t1", last, "summary"});
  ASSERT_GT(session.state.Get<Index>(Name::kIndex)->oldest_kept, 2u);
  EXPECT_EQ(Show(session.Run(CoreSession::Reply("t1")).events), (Texts{"turn_completed t1 13"}));
}

TEST(ReplyCount, IsOfTheTurnAlone) {
  CoreSession session = Small();
  EXPECT_EQ(Show(session.RunTurn("t1").events), (Texts{"turn_completed t1 1"}));
  EXPECT_EQ(Show(session.RunTurn("t2").events), (Texts{"turn_completed t2 1"}));
}

TEST(ReplySequence, IsWrittenOnceATurn) {
  CoreSession session = Small();
  session.Run(StartTurn{"t1", Text("hello")});
  for (const StepInput& step :
       std::vector<StepInput>{CoreSession::Reply("t1", 1), ResumeTurn{"t1", {Text("a")}},
                              CoreSession::TooLong("t1", 2), CompactContext{"t1", 2, "summary"},
                              CoreSession::Reply("t1")}) {
    for (const Write& write : session.Run(step).writes) EXPECT_NE(write.name, Name::kTurnReply);
  }
}

// Retries and loads ---------------------------------------------------------------------------

TEST(Retry, OfAnUncommittedStepAnswersTheSame) {
  CoreSession session = Small();
  for (const TurnId turn : {"t1", "t2"}) session.RunTurn(turn);
  const FlowState before = session.state;
  const StepResult first = session.Run(StartTurn{"t3", Text("hello")});
  const FlowState after = session.state;
  session.state = before;
  const StepResult second = session.Run(StartTurn{"t3", Text("hello")});
  EXPECT_EQ(Show(first.writes), Show(second.writes));
  EXPECT_TRUE(session.state == after);
}

TEST(UnloadedRead, IsRecordedForTheRules) {
  // Mishap: the Step is handed out with loads that lack the session.
  CoreSession session = Small();
  session.Run(StartTurn{"t1", Text("hello")});
  auto& loads = session.movement->loads;
  loads.erase(std::remove(loads.begin(), loads.end(), Load{.name = Name::kSession}), loads.end());
  session.Invoke(CoreSession::Reply("t1"));
  EXPECT_EQ(session.unloaded_read, "AgentSession");
}

TEST(UnloadedRead, NeverHappensOverAWholeSession) {
  CoreSession session = Small(2);
  for (int i = 0; i < 12; ++i) {
    const TurnId turn = fmt::format("turn {}", i);
    session.Run(StartTurn{turn, Text("hello")});
    EXPECT_EQ(session.unloaded_read, "");
    if (i % 3 == 0) {
      const Sequence last = session.SessionValue().next_sequence - 1;
      session.Run(CoreSession::TooLong(turn, last));
      session.Run(CompactContext{turn, last, "summary"});
      EXPECT_EQ(session.unloaded_read, "");
    }
    session.Run(CoreSession::Reply(turn));
    EXPECT_EQ(session.unloaded_read, "");
    session.Read({});
    EXPECT_EQ(session.unloaded_read, "");
  }
}

// Reads ---------------------------------------------------------------------------------------

TEST(Read, SaysWhatWasDeletedOnceAnythingWas) {
  CoreSession session = Small(2);
  for (const TurnId turn : {"t1", "t2"}) session.RunTurn(turn);
  session.Run(StartTurn{"t3", Text("hello")});
  const Page whole = std::get<Page>(session.Read({}));
  EXPECT_EQ(Sequences(whole.messages), Range(1, 5));
  EXPECT_FALSE(whole.deleted_before_sequence);

  session.Run(CoreSession::TooLong("t3", 5));
  session.Run(CompactContext{"t3", 5, "summary"});
  for (const Rpc rpc : {Rpc::kGetAgentSnapshot, Rpc::kListAgentMessages}) {
    const Page rest = std::get<Page>(session.Read(Arguments(rpc)));
    EXPECT_EQ(Sequences(rest.messages), Range(3, 5));
    EXPECT_EQ(rest.deleted_before_sequence, Sequence{3});
  }
}

TEST(Read, OfANewSessionIsAnEmptyPage) {
  CoreSession session = Small();
  const Page page = std::get<Page>(session.Read({}));
  EXPECT_TRUE(page.messages.empty());
  EXPECT_FALSE(page.has_more);
  EXPECT_FALSE(page.deleted_before_sequence);
}

TEST(Read, BadArgumentsAreRefusedAndNotAnEmptyPage) {
  CoreSession session = Small();
  const ReadOutcome outcome = session.Read(Arguments(Rpc::kListAgentMessages, 201));
  EXPECT_TRUE(std::holds_alternative<ReadRefusal>(outcome));
}

}  // namespace
}  // namespace rollover
