// upgrade-safe, migration-bounded: 0.1.0 sessions, and 0.1.0 Workers on sessions that moved on.
#include "tests/model/rules/history.h"

namespace rollover {
namespace {

// A 0.1.0 session of so many messages, opened by 0.2.0.
History Legacy(int messages) {
  History history;
  history.profile.legacy = true;
  history.Turns(messages / 2);
  history.profile.legacy = false;
  return history;
}

StepResult StoreAs010(const History& history, const TurnId& turn) {
  StepResult result;
  const Sequence s = history.next();
  Put(result, Name::kMessages, s, Message{s, turn, Role::kUser, Text()});
  Put(result, Name::kSession, 0, Session{s + 1, turn});
  const LoadList loads = StartTurnLoads({.legacy = true});
  result.next = Movement{StepKind::kRunModel, loads, loads};
  return result;
}

RULE_BREAKS(kUpgradeSafe, A010WorkerStoresOnAnUpgradedSession) {
  for (const bool upgraded : {false, true}) {
    History history = Legacy(upgraded ? 6 : 2);
    history.Turns(1);
    ASSERT_EQ(history.judge.upgraded(), upgraded);
    history.profile.legacy = true;
    const TurnId turn = history.NextTurn();
    EXPECT_EQ(
        history.Judged(Start(turn), StoreAs010(history, turn)),
        upgraded ? "upgrade-safe: StartTurn commits with a window that is not every message" : "");
  }
}

RULE_BREAKS(kUpgradeSafe, A010WorkerTouchesWhatItDoesNotKnow) {
  const auto store = [](const std::function<void(StepResult&)>& mishap) {
    History history = Legacy(2);
    history.profile.legacy = true;
    return history.Tampered(Start("t3"), mishap);
  };
  const std::string broken =
      "upgrade-safe: 0.1.0's StartTurn writes or deletes what it does not know";
  EXPECT_EQ(store([](auto&) {}), "");
  EXPECT_EQ(store([](auto& r) { Put(r, Name::kTurnReply, 0, TurnReply{"t3", 4}); }), broken);
  EXPECT_EQ(store([](auto& r) { Put(r, Name::kIndex, 0, Index{{}, 1, 1}); }), broken);
  EXPECT_EQ(store([](auto& r) { Delete(r, Name::kMessages, 1); }), broken);
  EXPECT_EQ(store([](auto& r) { Delete(r, Name::kChunks, 1); }), broken);
}

// 0.1.0 queued ResumeTurn, 0.2.0 upgraded the session in between, and 0.2.0 is handed the Step.
RULE_BREAKS(kUpgradeSafe, AStepThat010QueuedStoresOnAnUpgradedSession) {
  History history = Legacy(6);
  history.Turns(1);
  const TurnId turn = history.NextTurn();
  history.Legal(Start(turn));
  history.Legal(Reply(turn, 1));
  const StepResult result = history.Run(Resume(turn, 1));
  history.movement->loads = StartTurnLoads({.legacy = true});
  EXPECT_EQ(history.Judged(Resume(turn, 1), result),
            "upgrade-safe: ResumeTurn commits with a window that is not every message");
}

TEST(UpgradeRules, A010WorkerMayFailTurnsOnAnUpgradedSession) {
  History history = Legacy(6);
  history.Turns(1);
  history.profile.legacy = true;
  const TurnId turn = history.NextTurn();
  EXPECT_TRUE(std::holds_alternative<StepFailure>(history.Outcome(Start(turn))));
  EXPECT_EQ(history.Failed(Start(turn)), "");
  history.Legal(Fail(turn));
  EXPECT_EQ(history.Evaluations(Rule::kUpgradeSafe), 9u);
}

TEST(UpgradeRules, AStepThat010QueuedMayRunWhileTheWindowIsEverything) {
  History history = Legacy(2);
  history.profile.legacy = true;
  history.Legal(Start("t3"));
  history.Legal(Reply("t3", 1));
  history.profile.legacy = false;
  history.Legal(Resume("t3", 1));
  history.Legal(Reply("t3"));
}

TEST(UpgradeRules, AMigrationMovesFourChunksACommitUntilTheWindowFits) {
  History history = Legacy(20);
  history.Legal(Start("t21"));
  EXPECT_EQ(history.state.Map(Name::kChunks).size(), 4u);
  EXPECT_EQ(history.state.Map(Name::kMessages).size(), 13u);
  history.Legal(Reply("t21"));
  history.Turns(5);
  EXPECT_EQ(history.judge.HoldsLegacyMessages(), false);
}

// A window that still holds 0.1.0's messages but is not too large has nothing to move.
TEST(UpgradeRules, ASmallSessionOf010NeedNotMigrate) {
  for (const int messages : {2, 4, 6}) {
    History history = Legacy(messages);
    history.Turns(6);
    EXPECT_GT(history.Evaluations(Rule::kMigrationBounded), 0u);
  }
}

RULE_BREAKS(kMigrationBounded, TheFirstNewMessageMovesNothing) {
  History history = Legacy(20);
  EXPECT_EQ(history.Tampered(Start("t21"),
                             [](StepResult& r) {
                               std::erase_if(r.writes, [](const Write& w) {
                                 return w.deletes() || w.name == Name::kChunks ||
                                        w.name == Name::kIndex;
                               });
                             }),
            "migration-bounded: the window holds 21 messages, and the commit moves none");
}

RULE_BREAKS(kMigrationBounded, AHalfMovedSessionIsUnreadable) {
  History history = Legacy(20);
  history.Legal(Start("t21"));
  EXPECT_EQ(history.Read({}, ReadRefusal{"half moved"}),
            "migration-bounded: a half-moved session is unreadable: half moved");
  EXPECT_EQ(history.Read({}, history.CoreRead({})), "");
}

// The bounded rollover takes what it may, in a migration too.
RULE_BREAKS(kFullRuns, AMigrationMovesOneChunkWhereFourMayGo) {
  History history = Legacy(20);
  EXPECT_EQ(history.Tampered(Start("t21"),
                             [](StepResult& r) {
                               std::erase_if(r.writes, [](const Write& w) {
                                 return (w.name == Name::kMessages && w.deletes() && w.key > 2) ||
                                        (w.name == Name::kChunks && w.key > 1);
                               });
                               Put(r, Name::kIndex, 0, Index{{{1, 2}}, 3, 1});
                             }),
            "full-runs: the window holds 19 messages, the size is 4, and 1 chunks are moved");
}

}  // namespace
}  // namespace rollover
