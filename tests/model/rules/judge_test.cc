// The judge as a whole: audits, roll-backs, copies.
#include "model/rules/judge.h"

#include "tests/model/rules/history.h"

namespace rollover {
namespace {

History RolledOver() {
  History history;
  history.Turns(4);
  return history;
}

std::string Audited(const std::function<void(FlowState&)>& mishap) {
  History history = RolledOver();
  FlowState state = history.state;
  mishap(state);
  history.judge.Audit(state);
  return history.FirstViolation();
}

const std::string kDiffers = "in-order: audit: the engine's state is not what its commits wrote";

TEST(Audit, TheSameStateHoldsUp) {
  EXPECT_EQ(Audited([](auto&) {}), "");
}

TEST(Audit, ALostWindowMessageIsFound) {
  EXPECT_EQ(Audited([](FlowState& s) { s.Apply({Name::kMessages, 6, nullptr}); }), kDiffers);
}

TEST(Audit, AnAlteredContentIsFound) {
  EXPECT_EQ(Audited([](FlowState& s) {
              s.Apply({Name::kMessages, 6, TextMessage(6, "t5", Role::kAssistant, Text(13))});
            }),
            kDiffers);
}

TEST(Audit, AnExtraChunkIsFound) {
  EXPECT_EQ(Audited([](FlowState& s) {
              s.Apply({Name::kChunks, 6, MakeValue(Chunk{{s.Map(Name::kMessages).Find(6)}})});
            }),
            kDiffers);
}

TEST(Audit, AnAttributeThatNoCommitWroteIsFound) {
  EXPECT_EQ(Audited([](FlowState& s) {
              s.Apply({Name::kSession, 0, MakeValue(Session{99, {}})});
            }),
            kDiffers);
}

// The engine's state is what the commits wrote; the commits lost a message.
TEST(Audit, WhatCommitsLostIsFoundAgain) {
  History history = RolledOver();
  history.Tampered(Start("t9"), [](auto& r) { Delete(r, Name::kMessages, 7); });
  history.judge.Audit(history.state);
  EXPECT_EQ(history.FirstViolation(),
            "in-order: audit: place 6 of the kept log is not what was stored");
}

TEST(Audit, AStateOfAnythingAtAllIsJudged) {
  FlowState state;
  state.Apply({Name::kMessages, 1, MakeValue(Session{})});
  state.Apply({Name::kChunks, 1, MakeValue(Chunk{})});
  state.Apply({Name::kChunks, 2, MakeValue(Chunk{{MakeValue(Session{})}})});
  state.Apply({Name::kIndex, 7, MakeValue(TurnReply{})});
  Judge judge;
  judge.Audit(state);
  EXPECT_FALSE(judge.TakeViolations().empty());
}

TEST(RollBack, UsedSequencesAreJudgedAsNew) {
  History history = RolledOver();
  const History earlier = history;
  history.Turns(2);
  const auto evaluations = history.Evaluations(Rule::kExactlyOnce);
  history.judge.RollBackTo(earlier.judge);
  EXPECT_EQ(history.Evaluations(Rule::kExactlyOnce), evaluations) << "what was judged was judged";
  EXPECT_EQ(history.judge.commits(), earlier.judge.commits());
  history.state = earlier.state;
  history.movement = earlier.movement;
  history.TurnsOf(30, 3);  // other contents under the same sequences and keys
  history.judge.Audit(history.state);
  EXPECT_EQ(history.FirstViolation(), "");
}

TEST(RollBack, AStateThatDidNotGoBackIsFound) {
  History history = RolledOver();
  const Judge earlier = history.judge;
  history.Turns(1);
  history.judge.RollBackTo(earlier);
  history.judge.Audit(history.state);
  EXPECT_EQ(history.FirstViolation(), kDiffers);
}

TEST(RollBack, AcceptedTurnsAndHandOutsGoBack) {
  Judge judge;
  judge.OnTurnAccepted("t1", 1);
  const Judge earlier = judge;
  judge.OnHandOut("t1");
  judge.OnTurnAccepted("t2", 1);
  judge.RollBackTo(earlier);
  judge.OnHandOut("t1");
  judge.OnEnd();
  const std::vector<Violation> broken = judge.TakeViolations();
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_EQ(broken[0].what, "t1 never ended");
}

TEST(RollBack, WhatWasFoundBeforeIsStillReported) {
  Judge judge;
  const Judge earlier = judge;
  judge.OnUnloadedRead(StepKind::kRunModel, "AgentSession");
  judge.RollBackTo(earlier);
  EXPECT_EQ(judge.TakeViolations().size(), 1u);
}

TEST(Copies, AreIndependent) {
  History history = RolledOver();
  History copy = history;
  EXPECT_EQ(copy.Tampered(Start("t9"), [](auto& r) { Drop(r, Name::kSession); }).empty(), false);
  copy.Judged(Fail("t9"), {});
  history.Turns(3);
  EXPECT_EQ(history.next(), 15u);
  EXPECT_EQ(copy.next(), 10u);
  copy = history;
  copy.Turns(1);
  history.Turns(1);
}

}  // namespace
}  // namespace rollover
