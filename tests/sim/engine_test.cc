#include "sim/engine.h"

#include <gtest/gtest.h>

namespace rollover {
namespace {

Write SummaryOf(std::uint64_t bytes_of_text) {
  return {Name::kSummary, 0, MakeValue(Summary{1, std::string(bytes_of_text, 'x')})};
}

Write SessionAt(Sequence next) {
  return {Name::kSession, 0, MakeValue(Session{next, std::nullopt})};
}

Sequence NextIn(const Engine& engine) {
  const Session* session = engine.state().Get<Session>(Name::kSession);
  return session != nullptr ? session->next_sequence : 0;
}

CommitAnswer CommitOne(Engine& engine, Token token, const Write& write) {
  engine.Receive(write);
  return engine.Finish(token);
}

class EngineTest : public testing::Test {
 protected:
  Limits limits_{.max_value_bytes = 200, .max_result_bytes = 300, .history_commits = 2};
  Engine engine_{limits_};

  void QueueAndHandOut(Token token) {
    engine_.Queue({.step = StepKind::kRunModel});
    engine_.HandOut(token);
  }
};

TEST_F(EngineTest, AppliesTheCurrentAttemptsCommit) {
  QueueAndHandOut(1);
  EXPECT_EQ(CommitOne(engine_, 1, SessionAt(5)), CommitAnswer::kApplied);
  EXPECT_EQ(NextIn(engine_), 5u);
  EXPECT_FALSE(engine_.has_queued());
}

TEST_F(EngineTest, FencesAnEarlierAttemptBeforeAndAfterItsSuccessor) {
  QueueAndHandOut(1);
  engine_.HandOut(2);
  EXPECT_EQ(CommitOne(engine_, 1, SessionAt(5)), CommitAnswer::kFenced);
  EXPECT_EQ(CommitOne(engine_, 2, SessionAt(6)), CommitAnswer::kApplied);
  EXPECT_EQ(CommitOne(engine_, 1, SessionAt(7)), CommitAnswer::kFenced);
  EXPECT_EQ(NextIn(engine_), 6u);
}

TEST_F(EngineTest, FencesASecondCommitOfTheSameAttempt) {
  QueueAndHandOut(1);
  ASSERT_EQ(CommitOne(engine_, 1, SessionAt(5)), CommitAnswer::kApplied);
  EXPECT_EQ(CommitOne(engine_, 1, SessionAt(6)), CommitAnswer::kFenced);
  EXPECT_EQ(NextIn(engine_), 5u);
}

TEST_F(EngineTest, FencesAStepThatAnotherHasReplaced) {
  QueueAndHandOut(1);
  engine_.Queue({.step = StepKind::kApplyTurnControl});
  EXPECT_EQ(CommitOne(engine_, 1, SessionAt(5)), CommitAnswer::kFenced);
  EXPECT_TRUE(engine_.has_queued());
}

TEST_F(EngineTest, AResultCutShortLeavesNothing) {
  QueueAndHandOut(1);
  engine_.Receive(SessionAt(5));
  engine_.Disconnect();
  EXPECT_EQ(NextIn(engine_), 0u);
  engine_.HandOut(2);
  EXPECT_EQ(CommitOne(engine_, 2, SummaryOf(3)), CommitAnswer::kApplied);
  EXPECT_EQ(NextIn(engine_), 0u) << "the entries of the dead attempt came along";
}

TEST_F(EngineTest, RefusesAValueOneByteOverTheLimitWithItsWholeResult) {
  const std::uint64_t frame = SummaryOf(0).value->encoded_bytes();
  QueueAndHandOut(1);
  engine_.Receive(SessionAt(5));
  EXPECT_EQ(CommitOne(engine_, 1, SummaryOf(200 - frame + 1)), CommitAnswer::kRefused);
  EXPECT_EQ(engine_.refusal(), RefusalCause::kValueLimit);
  EXPECT_EQ(engine_.state().live_bytes(), 0u);
  EXPECT_EQ(CommitOne(engine_, 1, SummaryOf(200 - frame)), CommitAnswer::kApplied);
}

TEST_F(EngineTest, RefusesAResultOneByteOverTheLimit) {
  const std::uint64_t session = SessionAt(5).value->encoded_bytes();
  engine_.set_limits({.max_value_bytes = 300, .max_result_bytes = session + 100});
  const std::uint64_t frame = SummaryOf(0).value->encoded_bytes();
  QueueAndHandOut(1);
  engine_.Receive(SessionAt(5));
  EXPECT_EQ(CommitOne(engine_, 1, SummaryOf(100 - frame + 1)), CommitAnswer::kRefused);
  EXPECT_EQ(engine_.refusal(), RefusalCause::kResultLimit);
  engine_.Receive(SessionAt(5));
  EXPECT_EQ(CommitOne(engine_, 1, SummaryOf(100 - frame)), CommitAnswer::kApplied);
}

TEST_F(EngineTest, SupersededValuesCountUntilTheHistoryWindowPrunesThem) {
  for (Token token = 1; token <= 5; ++token) {
    QueueAndHandOut(token);
    ASSERT_EQ(CommitOne(engine_, token, SummaryOf(100)), CommitAnswer::kApplied);
  }
  EXPECT_EQ(engine_.superseded_bytes(), 2 * SummaryOf(100).value->encoded_bytes());
}

TEST_F(EngineTest, LooksAtTheFlowLimitOnlyWhenACommitGrows) {
  const std::uint64_t size = SummaryOf(100).value->encoded_bytes();
  limits_.max_flow_state_bytes = size;
  engine_.set_limits(limits_);
  QueueAndHandOut(1);
  ASSERT_EQ(CommitOne(engine_, 1, SummaryOf(100)), CommitAnswer::kApplied);
  // The same size again: with the superseded value the sum is twice the limit, but nothing grows.
  QueueAndHandOut(2);
  EXPECT_EQ(CommitOne(engine_, 2, SummaryOf(100)), CommitAnswer::kApplied);
  QueueAndHandOut(3);
  EXPECT_EQ(CommitOne(engine_, 3, SummaryOf(101)), CommitAnswer::kRefused);
  EXPECT_EQ(engine_.refusal(), RefusalCause::kFlowStateLimit);
}

TEST_F(EngineTest, ACopyIsACommitBoundaryToComeBackTo) {
  QueueAndHandOut(1);
  ASSERT_EQ(CommitOne(engine_, 1, SessionAt(5)), CommitAnswer::kApplied);
  const Engine boundary = engine_;
  QueueAndHandOut(2);
  ASSERT_EQ(CommitOne(engine_, 2, SessionAt(6)), CommitAnswer::kApplied);
  engine_ = boundary;
  EXPECT_EQ(NextIn(engine_), 5u);
  EXPECT_EQ(CommitOne(engine_, 2, SessionAt(7)), CommitAnswer::kFenced);
}

}  // namespace
}  // namespace rollover
