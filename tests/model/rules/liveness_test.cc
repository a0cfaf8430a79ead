// no-wedge, window-drains.
#include <fmt/format.h>

#include "tests/model/rules/history.h"

namespace rollover {
namespace {

RULE_BREAKS(kNoWedge, ATurnNeverEnds) {
  History history;
  for (const char* turn : {"t1", "t2", "t3", "t4", "t5", "t6"})
    history.judge.OnTurnAccepted(turn, 9);
  history.Legal(Start("t1"));
  history.Legal(Reply("t1"));  // completed
  history.Legal(Start("t2"));
  history.Legal(Steer("t2", "t3"));  // steered
  history.Legal(Cancel("t3"));
  history.Legal(FinishCancel("t3"));  // cancelled
  history.Legal(Start("t4"));
  history.Legal(Fail("t4"));   // failed
  history.Legal(Start("t5"));  // still running; t6 is still queued
  history.judge.OnEnd();
  const std::vector<Violation> broken = history.judge.TakeViolations();
  ASSERT_EQ(broken.size(), 2u);
  EXPECT_EQ(broken[0].what, "t5 never ended");
  EXPECT_EQ(broken[1].what, "t6 never ended");
  EXPECT_EQ(broken[0].rule, Rule::kNoWedge);
}

RULE_BREAKS(kNoWedge, ATurnTakesTooManyHandOuts) {
  History history;
  history.judge.OnTurnAccepted("t1", 3);
  for (int i = 0; i < 3; ++i) history.judge.OnHandOut("t1");
  history.judge.OnHandOut("t0");
  EXPECT_EQ(history.FirstViolation(), "");
  history.judge.OnHandOut("t1");
  EXPECT_EQ(history.FirstViolation(), "no-wedge: t1 has not ended after 3 Steps");
  history.judge.OnHandOut("t1");
  EXPECT_EQ(history.FirstViolation(), "") << "told once";
}

RULE_BREAKS(kNoWedge, AStepFailsOnItsOwn) {
  History history;
  EXPECT_EQ(history.Failed(Start("t1"), true), "");
  EXPECT_EQ(history.Failed(Start("t1")), "no-wedge: StartTurn of t1 fails on its own: it broke");
  EXPECT_EQ(history.Failed(Start("t1"), false, true),
            "no-wedge: StartTurn of t1 fails on its own: it broke");
  history.profile.legacy = true;  // all messages are in the window: 0.1.0 has no reason either
  history.Turns(2);
  EXPECT_EQ(history.Failed(Start("t5")), "no-wedge: StartTurn of t5 fails on its own: it broke");
}

// {"sequence":1,"turn_id":"t1","role":"user","content":} is 54 bytes, the chunk around it 15.
RULE_BREAKS(kNoWedge, AStepIsRefusedThoughItsMessageFits) {
  for (const std::size_t alone : {999u, 1000u, 1001u}) {
    History history;
    history.limits.max_value_bytes = 1000;
    EXPECT_EQ(history.Refused(Start("t1", Text(alone - 15 - 54))),
              alone > 1000 ? ""
                           : fmt::format("no-wedge: StartTurn of t1 is refused, though its own "
                                         "messages ({} bytes) fit",
                                         alone));
  }
}

RULE_BREAKS(kNoWedge, AStepIsRefusedThoughItsResultFits) {
  for (const std::uint64_t limit : {161u, 162u, 163u}) {  // two tool results of 54 + 12 + 15
    History history;
    history.Legal(Start("t1"));
    history.Legal(Reply("t1", 2));
    history.limits.max_result_bytes = limit;
    EXPECT_EQ(history.Refused(Resume("t1", 2), RefusalCause::kResultLimit).empty(), limit < 162);
  }
}

RULE_BREAKS(kNoWedge, AStepThatStoresNothingIsRefused) {
  History history;
  history.Legal(Start("t1"));
  EXPECT_EQ(history.Refused(Fail("t1"), RefusalCause::kFlowStateLimit),
            "no-wedge: RecordTurnFailure of t1 is refused, though its own messages (0 bytes) fit");
}

TEST(Liveness, ASteerWhoseMessageIsRefusedEndsTheNewTurnAtOnce) {
  History history;
  history.judge.OnTurnAccepted("t1", 9);
  history.judge.OnTurnAccepted("t2", 9);
  history.Legal(Start("t1"));
  history.limits.max_value_bytes = 10;
  EXPECT_EQ(history.Refused(Steer("t1", "t2")), "");
  history.limits.max_value_bytes = 1000;
  history.Legal(Fail("t1"));
  history.judge.OnEnd();
  EXPECT_EQ(history.FirstViolation(), "");
}

TEST(Liveness, ARetryableFailureOfASteerDoesNotEndTheNewTurn) {
  History history;
  history.judge.OnTurnAccepted("t2", 9);
  EXPECT_EQ(history.Failed(Steer("t1", "t2"), true, true), "");
  history.judge.OnEnd();
  EXPECT_EQ(history.FirstViolation(), "no-wedge: t2 never ended");
}

// 24 messages in the window, whose size a restart has set to 4: an excess of 20.
History Excess20() {
  History history;
  history.options.message_window_size = 24;
  history.Turns(12);
  history.options.message_window_size = 4;
  history.judge.OnQuiet(history.options);
  return history;
}

void MoveNothing(StepResult& r) {
  std::erase_if(r.writes, [](const Write& w) {
    return w.deletes() || w.name == Name::kChunks || w.name == Name::kIndex;
  });
}

// 24 commits are allowed. The first `idle` move nothing, each later one eight messages; the answer
// is what the last of the 24 says.
std::string AfterIdling(int idle) {
  History history = Excess20();
  std::string last;
  for (int commit = 0; commit < 24; ++commit) {
    const TurnId turn = commit % 2 == 0 ? history.NextTurn() : history.judge.turn()->turn_id;
    last = history.Tampered(commit % 2 == 0 ? Start(turn) : Reply(turn), [&](StepResult& r) {
      if (commit < idle) MoveNothing(r);
    });
  }
  return last;
}

RULE_BREAKS(kWindowDrains, TheWindowIsStillTooLargeAfterItsExcessAndFourCommits) {
  EXPECT_EQ(AfterIdling(17), "");
  EXPECT_EQ(AfterIdling(18), "");
  EXPECT_EQ(AfterIdling(19),
            "window-drains: after 24 storing commits the window still holds 8; its size is 4");
}

TEST(Liveness, TheCoreDrainsTheWindowInTime) {
  History history = Excess20();
  history.Turns(12);
  EXPECT_EQ(history.Evaluations(Rule::kWindowDrains), 24u);
}

RULE_BREAKS(kWindowDrains, ADrainedWindowGrowsAgain) {
  History history;
  history.judge.OnQuiet(history.options);
  history.Legal(Start("t1"));
  history.Legal(Reply("t1", 20));
  EXPECT_EQ(history.Tampered(Resume("t1", 20), [](auto&) {}),
            "window-drains: the window holds 14 messages in quiet times; its size is 4");
}

// Two neighbours are over 8 MiB together, so each commit moves one and stores one.
TEST(Liveness, TheWindowDrainsLaterWhenTheByteCapStopsEachCommit) {
  History history({.message_window_size = 2, .message_chunk_size = 2});
  history.profile.legacy = true;
  const Content large = Text(5 * kMebibyte);
  for (int i = 0; i < 6; ++i) {
    const TurnId turn = history.NextTurn();
    history.Legal(Start(turn, large));
    history.Legal(Reply(turn, 0, large));
  }
  history.profile.legacy = false;
  history.judge.OnQuiet(history.options);
  history.Turns(12);
  EXPECT_EQ(history.state.Map(Name::kMessages).size(), 2u);
}

}  // namespace
}  // namespace rollover
