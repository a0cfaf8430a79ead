// The 0.1.0 core, and what 0.2.0 makes of the sessions it left.
#include <gtest/gtest.h>

#include "tests/model/builders.h"

namespace rollover {
namespace {

using test::CoreSession;
using test::Legacy;
using test::Range;
using test::Sequences;
using test::Show;
using test::Text;
using test::Texts;

const Options kSmall = {.message_window_size = 4,
                        .message_chunk_size = 2,
                        .message_chunk_max_bytes = kKibibyte,
                        .retained_message_limit = std::nullopt};

// Every 0.1.0 Worker stops, then the first 0.2.0 Worker starts.
void Upgrade(CoreSession& session, const Options& options = kSmall) {
  session.core = MakeReferenceCore(options);
  session.profile = {};
}
void Downgrade(CoreSession& session) {
  session.core = MakeLegacyCore({});
  session.profile = {.legacy = true};
}

// 0.1.0 has run `turns` whole turns of two messages.
CoreSession OldSession(int turns) {
  CoreSession session = Legacy();
  for (int i = 1; i <= turns; ++i) session.RunTurn(fmt::format("old {}", i));
  return session;
}

// For good: what is missing does not come back when the Step is handed out again.
bool Failed(const StepOutcome& outcome) {
  const auto* failure = std::get_if<StepFailure>(&outcome);
  return failure != nullptr && !failure->retryable;
}

// 0.1.0 alone ---------------------------------------------------------------------------------

TEST(LegacyCore, StoresEveryMessageInTheWindowForEver) {
  CoreSession session = OldSession(100);
  EXPECT_EQ(test::Keys(session.state.Map(Name::kMessages)), Range(1, 200));
  EXPECT_TRUE(session.state.Map(Name::kChunks).empty());
  EXPECT_EQ(session.ShowIndex(), "none");
  EXPECT_EQ(session.state.Get<TurnReply>(Name::kTurnReply), nullptr);
}

TEST(LegacyCore, EachStepWritesMessagesAndSessionOnly) {
  CoreSession session = Legacy();
  EXPECT_EQ(Show(session.Run(StartTurn{"t1", Text("hello")}).writes),
            (Texts{"AgentSession", "message 1"}));
  EXPECT_EQ(Show(session.Run(CoreSession::Reply("t1", 2)).writes),
            (Texts{"AgentSession", "message 2"}));
  EXPECT_EQ(session.movement->step, StepKind::kResumeTurn);
  EXPECT_EQ(Show(session.Run(ResumeTurn{"t1", {Text("a"), test::ContentOfBytes(9000)}}).writes),
            (Texts{"AgentSession", "message 3", "message 4"}));
  EXPECT_EQ(Show(session.Run(CoreSession::TooLong("t1", 2)).writes), Texts{});
  EXPECT_EQ(Show(session.Run(CompactContext{"t1", 2, "summary"}).writes), Texts{"ContextSummary"});
  const StepResult completed = session.Run(CoreSession::Reply("t1"));
  EXPECT_EQ(Show(completed.writes), (Texts{"AgentSession", "message 5"}));
  EXPECT_EQ(Show(*completed.model_input), "3-4");
  EXPECT_EQ(Show(completed.events), (Texts{"turn_completed t1 4"}));
  EXPECT_EQ(session.SessionValue(), (Session{6, std::nullopt}));
  EXPECT_EQ(session.unloaded_read, "");
}

TEST(LegacyCore, CountsASteeredAndACancelledTurn) {
  CoreSession session = Legacy();
  session.Run(StartTurn{"t1", Text("hello")});
  session.Run(CoreSession::Reply("t1", 1));
  const StepResult steered =
      session.Run(ApplyTurnControl{"t1", ControlKind::kSteer, "t2", Text("no")});
  EXPECT_EQ(Show(steered.events), (Texts{"turn_steered t1 1"}));
  EXPECT_EQ(session.SessionValue(), (Session{4, "t2"}));
  session.Run(CoreSession::Cancel("t2"));
  EXPECT_EQ(Show(session.Run(FinishTurnCancellation{"t2"}).events), (Texts{"turn_cancelled t2 0"}));
}

TEST(LegacyCore, FailsTheTurnWhenAMessageIsMissing) {
  CoreSession session = OldSession(2);
  session.state.Apply({Name::kMessages, 2, nullptr});
  EXPECT_TRUE(Failed(session.Invoke(StartTurn{"t", Text("hello")})));
  EXPECT_FALSE(Failed(session.Invoke(RecordTurnFailure{"t", "messages are missing"})));
  EXPECT_TRUE(std::holds_alternative<ReadRefusal>(session.Read({})));
}

TEST(LegacyCore, ReadsPages) {
  CoreSession session = OldSession(3);
  EXPECT_EQ(Sequences(std::get<Page>(session.Read({})).messages), Range(1, 6));
}

// Upgrade -------------------------------------------------------------------------------------

TEST(Upgrade, AnOldSessionIsReadAsOneLargeWindow) {
  CoreSession session = OldSession(10);
  Upgrade(session);
  const Page page = std::get<Page>(session.Read({}));
  EXPECT_EQ(Sequences(page.messages), Range(1, 20));
  EXPECT_FALSE(page.deleted_before_sequence);
  EXPECT_EQ(session.unloaded_read, "");
}

TEST(Upgrade, TheFirstNewMessageMovesFourChunksAndNoMore) {
  CoreSession session = OldSession(10);
  Upgrade(session);
  session.Run(StartTurn{"t", Text("hello")});
  EXPECT_EQ(session.ShowIndex(), "1-2 3-4 5-6 7-8 window 9 oldest 1");
}

TEST(Upgrade, AHalfMovedSessionReadsAndFeedsTheModelExactly) {
  CoreSession session = OldSession(10);
  Upgrade(session);
  session.Run(StartTurn{"t", Text("hello")});
  ASSERT_GT(session.state.Map(Name::kMessages).size(), kSmall.message_window_size);
  EXPECT_EQ(Sequences(std::get<Page>(session.Read({})).messages), Range(1, 21));
  EXPECT_EQ(Show(*session.Run(CoreSession::Reply("t")).model_input), "1-21");
  EXPECT_EQ(session.unloaded_read, "");
}

TEST(Upgrade, LaterCommitsFinishTheMigration) {
  CoreSession session = OldSession(10);
  Upgrade(session);
  session.RunTurn("t1");
  EXPECT_EQ(session.state.Map(Name::kChunks).size(), 8u);
  EXPECT_EQ(session.state.Map(Name::kMessages).size(), 6u);
  session.Run(StartTurn{"t2", Text("hello")});
  EXPECT_EQ(test::Keys(session.state.Map(Name::kMessages)), Range(21, 23));
  EXPECT_EQ(Sequences(std::get<Page>(session.Read({})).messages), Range(1, 23));
}

TEST(Upgrade, CompactionAloneMovesNothing) {
  CoreSession session = OldSession(10);
  session.Run(StartTurn{"t", Text("hello")});
  session.Run(CoreSession::TooLong("t", 10));
  Upgrade(session);
  EXPECT_EQ(Show(session.Run(CompactContext{"t", 10, "summary"}).writes), Texts{"ContextSummary"});
  EXPECT_EQ(session.ShowIndex(), "none");
}

TEST(Upgrade, ATurnThatTheOldCoreStartedHasTheRightCount) {
  CoreSession session = OldSession(3);
  session.Run(StartTurn{"t", Text("hello")});
  session.Run(CoreSession::Reply("t", 2));
  Upgrade(session);
  session.Run(ResumeTurn{"t", {Text("a"), Text("b")}});
  ASSERT_NE(session.ShowIndex(), "none");
  EXPECT_EQ(Show(session.Run(CoreSession::Reply("t")).events), (Texts{"turn_completed t 4"}));
}

TEST(Upgrade, AReplySequenceOfAnotherTurnIsNotUsed) {
  // Given a turn of 0.2.0, then one that 0.1.0 starts, while nothing has rolled over yet.
  CoreSession session = test::Reference({});
  session.RunTurn("new");
  Downgrade(session);
  session.Run(StartTurn{"old", Text("hello")});
  session.Run(CoreSession::Reply("old", 1));
  Upgrade(session, {});
  session.Run(ResumeTurn{"old", {Text("a")}});
  ASSERT_EQ(session.state.Get<TurnReply>(Name::kTurnReply)->turn_id, "new");
  EXPECT_EQ(Show(session.Run(CoreSession::Reply("old")).events), (Texts{"turn_completed old 3"}));
}

TEST(Upgrade, ATurnThatTheOldCoreStartedIsSteeredAndCancelledWithTheRightCount) {
  for (const ControlKind control : {ControlKind::kSteer, ControlKind::kCancel}) {
    CoreSession session = OldSession(3);
    session.Run(StartTurn{"t", Text("hello")});
    session.Run(CoreSession::Reply("t", 1));
    Upgrade(session);
    StepResult result = session.Run(ApplyTurnControl{"t", control, "next", Text("no")});
    if (control == ControlKind::kCancel) result = session.Run(FinishTurnCancellation{"t"});
    EXPECT_EQ(Show(result.events),
              (Texts{control == ControlKind::kSteer ? "turn_steered t 1" : "turn_cancelled t 1"}));
    EXPECT_EQ(session.unloaded_read, "");
  }
}

// Both at once --------------------------------------------------------------------------------

TEST(Mixed, TheOldCoreFailsTurnsOnAnUpgradedSessionAndLosesNothing) {
  CoreSession session = OldSession(3);
  Upgrade(session);
  session.RunTurn("t1");
  const std::uint64_t stored = session.state.stored_message_bytes();
  Downgrade(session);
  EXPECT_TRUE(Failed(session.Invoke(StartTurn{"t2", Text("hello")})));
  session.Run(RecordTurnFailure{"t2", "messages are missing"});
  EXPECT_EQ(session.state.stored_message_bytes(), stored);
  Upgrade(session);
  EXPECT_EQ(Show(session.RunTurn("t3").events), (Texts{"turn_completed t3 1"}));
  EXPECT_EQ(Sequences(std::get<Page>(session.Read({})).messages), Range(1, 10));
}

TEST(Mixed, AStepThatTheOldCoreQueuedOnAnUpgradedSessionFails) {
  // Given a Step whose loads name the window only, while messages are in chunks.
  for (const StepInput& step :
       std::vector<StepInput>{CoreSession::Reply("t1"), ResumeTurn{"t1", {Text("a")}},
                              CompactContext{"t1", 2, "summary"}, FinishTurnCancellation{"t1"},
                              ApplyTurnControl{"t1", ControlKind::kSteer, "t2", Text("no")}}) {
    CoreSession session = OldSession(3);
    Upgrade(session);
    session.Run(StartTurn{"t1", Text("hello")});
    session.movement = Movement{KindOf(step), LegacyLoads(), LegacyLoads()};
    EXPECT_TRUE(Failed(session.Invoke(step))) << StepName(KindOf(step));
    EXPECT_EQ(session.unloaded_read, "");
    const StepResult recorded = session.Run(RecordTurnFailure{"t1", "messages are missing"});
    EXPECT_EQ(Show(recorded.events), (Texts{"turn_failed t1"}));
  }
}

TEST(Mixed, AStepThatTheOldCoreQueuedOnAnOldSessionRuns) {
  CoreSession session = OldSession(3);
  session.Run(StartTurn{"t", Text("hello")});
  Upgrade(session);
  const StepResult result = session.Run(CoreSession::Reply("t"));
  EXPECT_EQ(session.unloaded_read, "");
  EXPECT_EQ(Show(*result.model_input), "1-7");
  EXPECT_EQ(Show(result.events), (Texts{"turn_completed t 1"}));
  EXPECT_EQ(session.ShowIndex(), "1-2 3-4 window 5 oldest 1");
}

TEST(Mixed, AStepThatTheOldCoreQueuedRunsWhileNothingHasBeenMoved) {
  // Given messages of both, none moved: everything is in the window, whoever stored it.
  CoreSession session = test::Reference({});
  session.RunTurn("new");
  Downgrade(session);
  session.Run(StartTurn{"old", Text("hello")});
  Upgrade(session, {});
  EXPECT_EQ(Show(session.Run(CoreSession::Reply("old")).events), (Texts{"turn_completed old 1"}));
}

}  // namespace
}  // namespace rollover
