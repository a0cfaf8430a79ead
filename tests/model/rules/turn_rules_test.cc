// reply-sequence-once, reply-count, model-input: what a turn tells the world.
#include "tests/model/rules/history.h"

namespace rollover {
namespace {

RULE_BREAKS(kReplySequenceOnce, ItIsNotWritten) {
  History history;
  EXPECT_EQ(history.Tampered(Start("t1"), [](auto& r) { Drop(r, Name::kTurnReply); }),
            "reply-sequence-once: TurnReplySequence is not written by StartTurn");
}

RULE_BREAKS(kReplySequenceOnce, ItIsWrittenAgainInTheTurn) {
  History history;
  history.Legal(Start("t1"));
  EXPECT_EQ(history.Tampered(Reply("t1", 1),
                             [](auto& r) {
                               Put(r, Name::kTurnReply, 0, TurnReply{"t1", 2});
                             }),
            "reply-sequence-once: TurnReplySequence is written by RunModel");
}

RULE_BREAKS(kReplySequenceOnce, ItIsOffByOneOrNamesAnotherTurn) {
  const auto start = [](TurnReply reply) {
    History history;
    return history.Tampered(Start("t1"), [&](auto& r) { Put(r, Name::kTurnReply, 0, reply); });
  };
  EXPECT_EQ(start({"t1", 2}), "");
  EXPECT_EQ(start({"t1", 1}),
            "reply-sequence-once: TurnReplySequence names t1 at 1; it is t1 at 2");
  EXPECT_EQ(start({"t1", 3}),
            "reply-sequence-once: TurnReplySequence names t1 at 3; it is t1 at 2");
  EXPECT_EQ(start({"t0", 2}),
            "reply-sequence-once: TurnReplySequence names t0 at 2; it is t1 at 2");
}

RULE_BREAKS(kReplySequenceOnce, ItIsDeleted) {
  History history;
  EXPECT_EQ(history.Tampered(Start("t1"),
                             [](StepResult& r) {
                               Drop(r, Name::kTurnReply);
                               Delete(r, Name::kTurnReply, 0);
                             }),
            "reply-sequence-once: TurnReplySequence names nothing at 0; it is t1 at 2");
}

RULE_BREAKS(kReplySequenceOnce, ASteerKeepsTheOldTurnsSequence) {
  History history;
  history.Legal(Start("t1"));
  EXPECT_EQ(history.Tampered(Steer("t1", "t2"), [](auto& r) { Drop(r, Name::kTurnReply); }),
            "reply-sequence-once: TurnReplySequence is not written by ApplyTurnControl");
}

// A turn with two replies so far: an assistant message and a tool result.
History TwoReplies() {
  History history;
  history.Legal(Start("t1"));
  history.Legal(Reply("t1", 1));
  history.Legal(Resume("t1", 1));
  return history;
}

void Recount(StepResult& result, int by) {
  result.events.at(0).replies += static_cast<std::uint64_t>(static_cast<std::int64_t>(by));
}

RULE_BREAKS(kReplyCount, ACompletionIsCountedBeforeItsReply) {
  for (const int by : {-1, 0, 1}) {
    History history = TwoReplies();
    const std::string broken = history.Tampered(Reply("t1"), [&](auto& r) { Recount(r, by); });
    EXPECT_EQ(broken.empty(), by == 0);
    if (by < 0) {
      EXPECT_EQ(broken, "reply-count: turn_completed of t1 counts 2 replies; there are 3");
    }
  }
}

RULE_BREAKS(kReplyCount, ASteerCountsTheNewUserMessage) {
  History history = TwoReplies();
  EXPECT_EQ(history.Tampered(Steer("t1", "t2"), [](auto& r) { Recount(r, 1); }),
            "reply-count: turn_steered of t1 counts 3 replies; there are 2");
}

RULE_BREAKS(kReplyCount, ACancellationCountsOneTooFew) {
  History history = TwoReplies();
  history.Legal(Cancel("t1"));
  EXPECT_EQ(history.Tampered(FinishCancel("t1"), [](auto& r) { Recount(r, -1); }),
            "reply-count: turn_cancelled of t1 counts 1 replies; there are 2");
}

RULE_BREAKS(kReplyCount, AnEndIsNotAnnouncedOrTwiceOrOfAnotherKindOrTurn) {
  const auto finish = [](const StepInput& input, const std::function<void(StepResult&)>& mishap) {
    History history = TwoReplies();
    return history.Tampered(input, mishap);
  };
  EXPECT_EQ(finish(Reply("t1"), [](auto& r) { r.events.clear(); }),
            "reply-count: turn_completed is announced 0 times");
  EXPECT_EQ(finish(Reply("t1"), [](auto& r) { r.events.push_back(r.events[0]); }),
            "reply-count: turn_completed is announced 2 times");
  EXPECT_EQ(finish(Reply("t1"), [](auto& r) { r.events[0].kind = EventKind::kTurnFailed; }),
            "reply-count: turn_failed of t1 by RunModel");
  EXPECT_EQ(finish(Fail("t1"), [](auto& r) { r.events[0].turn_id = "t2"; }),
            "reply-count: turn_failed of t2 by RecordTurnFailure");
  EXPECT_EQ(finish(Reply("t1", 1),
                   [](auto& r) {
                     r.events.push_back({EventKind::kTurnCompleted, "t1", 3});
                   }),
            "reply-count: turn_completed of t1 by RunModel");
}

TEST(TurnRules, CompactionAndRetentionInMidTurnChangeNoCount) {
  History history;
  history.options.retained_message_limit = 0;
  history.Legal(Start("t1"));
  for (int i = 0; i < 5; ++i) {
    history.Legal(Reply("t1", 1));
    history.Legal(Resume("t1", 1));
  }
  history.Legal(TooLong("t1", 11));
  history.Legal(Compact("t1", 11));
  EXPECT_GT(history.judge.ledger().first(), 2u);
  const StepResult result = history.Run(Reply("t1"));
  EXPECT_EQ(result.events.at(0).replies, 11u);
  EXPECT_EQ(history.Judged(Reply("t1"), result), "");
}

TEST(TurnRules, AnyTurnMayBeSteeredCancelledOrFail) {
  History history = TwoReplies();
  history.Legal(Steer("t1", "t2"));
  history.Legal(Cancel("t2"));
  history.Legal(FinishCancel("t2"));
  history.Legal(Start("t3"));
  history.Legal(Fail("t3"));
  history.Turns(3);
}

TEST(TurnRules, ATurnOf010IsCountedWhileItsMessagesAreLoaded) {
  History history({.message_window_size = 1, .message_chunk_size = 1});
  history.profile.legacy = true;
  history.Legal(Start("t1"));
  history.Legal(Reply("t1", 1));
  history.profile.legacy = false;
  history.Legal(Resume("t1", 1));  // moves 1 and 2; the next Step loads their chunks
  History copy = history;
  EXPECT_EQ(copy.Tampered(Reply("t1"), [](auto& r) { Recount(r, 1); }),
            "reply-count: turn_completed of t1 counts 4 replies; there are 3");
  history.Legal(Reply("t1"));
  EXPECT_EQ(history.Evaluations(Rule::kReplyCount), 1u);
}

TEST(TurnRules, ATurnOf010IsNotJudgedWhenItsMessagesAreNotLoaded) {
  History history({.message_window_size = 1, .message_chunk_size = 1});
  history.profile.legacy = true;
  history.Legal(Start("t1"));
  history.Legal(Reply("t1", 1));
  history.profile.legacy = false;
  history.Legal(Resume("t1", 1));
  history.Legal(TooLong("t1", 2));
  history.Legal(Compact("t1", 2));  // chunks 1 and 2 are loaded no more
  EXPECT_EQ(history.Tampered(Reply("t1"), [](auto& r) { Recount(r, 7); }), "");
  EXPECT_EQ(history.Evaluations(Rule::kReplyCount), 0u);
}

std::string Seeing(History history, const std::vector<ChunkRange>& runs) {
  const TurnId turn = *history.state.Get<Session>(Name::kSession)->turn_id;
  return history.Tampered(Reply(turn), [&](StepResult& r) {
    r.model_input.emplace();
    for (const ChunkRange& run : runs) r.model_input->Append(run.first, run.last);
  });
}

RULE_BREAKS(kModelInput, TheModelMissesAMessageOrSeesOneTwiceOrOutOfOrder) {
  History history;  // chunk [1,2], window 3 .. 5
  history.Turns(2);
  history.Legal(Start("t5"));
  EXPECT_EQ(Seeing(history, {{1, 5}}), "");
  EXPECT_EQ(Seeing(history, {{1, 2}, {3, 3}, {4, 5}}), "");
  EXPECT_EQ(Seeing(history, {{2, 5}}), "model-input: the model saw 2..5; it should see 1..5");
  EXPECT_EQ(Seeing(history, {{1, 4}}), "model-input: the model saw 1..4; it should see 1..5");
  EXPECT_EQ(Seeing(history, {{1, 6}}), "model-input: the model saw 1..6; it should see 1..5");
  EXPECT_EQ(Seeing(history, {{1, 2}, {2, 5}}),
            "model-input: the model saw 1..2 2..5; it should see 1..5");
  EXPECT_EQ(Seeing(history, {{3, 5}, {1, 2}}),
            "model-input: the model saw 3..5 1..2; it should see 1..5");
  EXPECT_EQ(Seeing(history, {}), "model-input: the model saw nothing; it should see 1..5");
}

RULE_BREAKS(kModelInput, TheModelSeesWhatIsSummarised) {
  History history;
  history.Turns(2);
  history.Legal(Start("t5"));
  history.Legal(TooLong("t5", 3));
  history.Legal(Compact("t5", 3));
  EXPECT_EQ(Seeing(history, {{4, 5}}), "");
  EXPECT_EQ(Seeing(history, {{3, 5}}), "model-input: the model saw 3..5; it should see 4..5");
  EXPECT_EQ(Seeing(history, {{5, 5}}), "model-input: the model saw 5..5; it should see 4..5");
  history.options.compaction = false;  // a restart: the summary is no substitute then
  history.movement->loads = history.movement->control_loads =
      RecordTurnFailureLoads(history.profile);
  EXPECT_EQ(Seeing(history, {{4, 5}}), "model-input: the model saw 4..5; it should see 1..5");
  EXPECT_EQ(Seeing(history, {{1, 5}}), "");
}

RULE_BREAKS(kModelInput, TheModelIsNotCalledOrCalledByAnotherStep) {
  History history;
  history.Legal(Start("t1"));
  History copy = history;
  EXPECT_EQ(copy.Tampered(Reply("t1"), [](auto& r) { r.model_input.reset(); }),
            "model-input: the model was not called");
  EXPECT_EQ(history.Tampered(TooLong("t1", 1), [](auto& r) { r.model_input.emplace(); }),
            "model-input: the model was called");
}

}  // namespace
}  // namespace rollover
