// session-state, value-limit: the small values beside the messages, and the size of any.
#include "tests/model/rules/history.h"

namespace rollover {
namespace {

RULE_BREAKS(kSessionState, TheNextSequenceIsWrong) {
  History history;
  EXPECT_EQ(history.Tampered(Start("t1"),
                             [](auto& r) {
                               Put(r, Name::kSession, 0, Session{3, "t1"});
                             }),
            "session-state: AgentSession says next 3, turn t1; it is next 2, turn t1");
}

RULE_BREAKS(kSessionState, AnEndedTurnIsStillNamed) {
  History history;
  history.Legal(Start("t1"));
  EXPECT_EQ(history.Tampered(Reply("t1"),
                             [](auto& r) {
                               Put(r, Name::kSession, 0, Session{3, "t1"});
                             }),
            "session-state: AgentSession says next 3, turn t1; it is next 3, turn none");
}

RULE_BREAKS(kSessionState, TheSessionIsNotWritten) {
  History history;
  EXPECT_EQ(history.Tampered(Start("t1"), [](auto& r) { Drop(r, Name::kSession); }),
            "session-state: AgentSession says next 1, turn none; it is next 2, turn t1");
}

RULE_BREAKS(kSessionState, TheSessionIsDeleted) {
  History history;
  history.Turns(1);
  EXPECT_EQ(history.Tampered(Start("t3"),
                             [](StepResult& r) {
                               Drop(r, Name::kSession);
                               Delete(r, Name::kSession, 0);
                             }),
            "session-state: AgentSession says next 1, turn none; it is next 4, turn t3");
}

RULE_BREAKS(kSessionState, TheSessionIsWrittenWithoutAChange) {
  History history;
  history.Legal(Start("t1"));
  EXPECT_EQ(history.Tampered(Cancel("t1"),
                             [](auto& r) {
                               Put(r, Name::kSession, 0, Session{2, "t1"});
                             }),
            "session-state: AgentSession is written without a change");
}

TEST(SmallValueRules, AFailureBeforeAnythingIsStoredWritesNoSession) {
  History history;
  history.Legal(Fail("t1"));
  EXPECT_EQ(history.state.Get<Session>(Name::kSession), nullptr);
}

RULE_BREAKS(kSessionState, TheSummaryReachesElsewhere) {
  const auto compact = [](Summary summary) {
    History history;
    history.Turns(1);
    history.Legal(Start("t3"));
    history.Legal(TooLong("t3", 2));
    return history.Tampered(Compact("t3", 2),
                            [&](auto& r) { Put(r, Name::kSummary, 0, std::move(summary)); });
  };
  EXPECT_EQ(compact({2, "so far"}), "");
  EXPECT_EQ(compact({3, "so far"}),
            "session-state: ContextSummary reaches 3; the compaction reached 2");
  EXPECT_EQ(compact({1, "so far"}),
            "session-state: ContextSummary reaches 1; the compaction reached 2");
  EXPECT_EQ(compact({2, "so fa"}),
            "session-state: ContextSummary reaches 2; the compaction reached 2");
}

RULE_BREAKS(kSessionState, ACompactionWritesNoSummary) {
  History history;
  history.Legal(Start("t1"));
  history.Legal(TooLong("t1", 1));
  EXPECT_EQ(history.Tampered(Compact("t1", 1), [](auto& r) { Drop(r, Name::kSummary); }),
            "session-state: CompactContext writes no ContextSummary");
}

RULE_BREAKS(kSessionState, TheSummaryIsWrittenByAnotherStep) {
  History history;
  EXPECT_EQ(history.Tampered(Start("t1"),
                             [](auto& r) {
                               Put(r, Name::kSummary, 0, Summary{1, ""});
                             }),
            "session-state: ContextSummary is written by StartTurn");
}

RULE_BREAKS(kValueLimit, AMessageIsOneByteOverTheLimit) {
  const std::uint64_t bytes = TextMessage(1, "t1", Role::kUser, Text(500))->encoded_bytes();
  for (const std::uint64_t limit : {bytes - 1, bytes, bytes + 1}) {
    History history;
    history.limits.max_value_bytes = limit;
    EXPECT_EQ(history.Tampered(Start("t1", Text(500)), [](auto&) {}),
              limit >= bytes ? "" : "value-limit: AgentMessages[1] is 554 bytes; the limit is 553");
  }
}

// Two messages of 500 bytes fit one by one; their chunk is 1,129 bytes.
RULE_BREAKS(kValueLimit, AChunkIsOverTheLimitThoughItsMessagesWereNot) {
  History history;
  history.options.message_chunk_max_bytes = 2048;
  history.limits.max_value_bytes = 1000;
  history.TurnsOf(500, 2);
  const std::string broken = history.Tampered(Start("t5"), [](auto&) {});
  EXPECT_EQ(broken, "value-limit: AgentMessageChunks[1] is 1129 bytes; the limit is 1000");
}

}  // namespace
}  // namespace rollover
