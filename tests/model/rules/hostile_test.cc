// Whoever tells a history may tell anything. The judge reports; it never aborts and never hangs.
#include "tests/model/rules/history.h"

namespace rollover {
namespace {

constexpr Sequence kHuge = Sequence{1} << 62;
constexpr Sequence kLargest = ~Sequence{0};

// Six messages, then StartTurn with these writes besides, then whatever comes after.
std::string Telling(const std::function<void(StepResult&)>& mishap) {
  History history;
  history.Turns(3);
  const StepInput start = Start("t7");
  StepResult result = history.Run(start);
  mishap(result);
  const FlowState engine = history.state;  // cores CHECK what they load: it never sees the mishap
  const std::string first = history.Judged(start, result);
  history.judge.Audit(history.state);
  const Judge copy = history.judge;
  for (const StepInput& input :
       {Reply("t7", 1), Resume("t7", 2), TooLong("t7", kHuge), Compact("t7", kHuge),
        Steer("t7", "t8"), Cancel("t8"), FinishCancel("t8"), Start("t9"), Fail("t9")}) {
    history.Judged(input, StepResult{});
    history.Read({}, Page{});
    history.Refused(input);
    history.Failed(input);
  }
  history.judge.OnQuiet(history.options);
  history.judge.RollBackTo(copy);
  history.judge.OnEnd();
  history.judge.Audit(engine);
  EXPECT_FALSE(history.judge.TakeViolations().empty());
  return first;
}

Value::Body AnyMessage(Sequence sequence) { return Message{sequence, "t7", Role::kUser, Text()}; }

TEST(Hostile, ValuesOfTheWrongKind) {
  const std::vector<Value::Body> bodies = {AnyMessage(7), Chunk{{TextMessage(1, "t", Role::kTool)}},
                                           Index{},       TurnReply{},
                                           Summary{},     Session{}};
  for (std::size_t name = 0; name < kNameCount; ++name) {
    for (std::size_t kind = 0; kind < bodies.size(); ++kind) {
      if (kind == name) continue;
      const Name under = static_cast<Name>(name);
      const Key key = IsMap(under) ? 900 : 0;
      const auto first = Telling([&](auto& r) { Put(r, under, key, bodies[kind]); });
      EXPECT_TRUE(first.starts_with("in-order: " + std::string(NameText(under)))) << first;
    }
  }
}

TEST(Hostile, ChunksOfNothingOrOfOtherThings) {
  EXPECT_EQ(Telling([](auto& r) { Put(r, Name::kChunks, 9, Chunk{}); }),
            "in-order: AgentMessageChunks[9] holds no message");
  for (const Value::Body& body :
       {Value::Body(Session{}), Value::Body(Chunk{}), Value::Body(Index{})}) {
    EXPECT_EQ(Telling([&](auto& r) { Put(r, Name::kChunks, 9, Chunk{{MakeValue(body)}}); }),
              "in-order: AgentMessageChunks[9] holds something that is no message");
  }
  const std::vector<std::vector<Sequence>> orders = {
      {7, 6, 5}, {1, 7}, {7, 7}, {0}, {kHuge, 1}, {1, kHuge}, {kLargest}, {kLargest, 0, kLargest}};
  for (const auto& order : orders) {
    Chunk chunk;
    for (const Sequence s : order) chunk.messages.push_back(MakeValue(AnyMessage(s)));
    EXPECT_NE(Telling([&](auto& r) { Put(r, Name::kChunks, order[0], chunk); }), "");
  }
}

TEST(Hostile, AnAttributeUnderAKey) {
  EXPECT_EQ(Telling([](auto& r) { Put(r, Name::kIndex, 3, Index{}); }),
            "in-order: AgentMessageIndex[3] has a key, and is no map");
  EXPECT_EQ(Telling([](auto& r) { Delete(r, Name::kSession, kLargest); }),
            "in-order: AgentSession[18446744073709551615] has a key, and is no map");
}

TEST(Hostile, HugeSequences) {
  for (const Sequence s : {Sequence{0}, Sequence{8}, (Sequence{1} << 24) + 1, kHuge, kLargest}) {
    EXPECT_TRUE(Telling([&](auto& r) {
                  Put(r, Name::kMessages, s, AnyMessage(s));
                }).find("AgentMessages[") != std::string::npos);
    EXPECT_NE(Telling([&](auto& r) {
                Put(r, Name::kSession, 0, Session{s, "t7"});
              }),
              s == 8 ? "x" : "");  // 8 is what is so
    EXPECT_NE(Telling([&](auto& r) {
                Put(r, Name::kTurnReply, 0, TurnReply{"t7", s});
              }),
              s == 8 ? "x" : "");
    EXPECT_NE(Telling([&](auto& r) { Put(r, Name::kIndex, 0, Index{{{s, s}}, s, s}); }), "");
    EXPECT_NE(Telling([&](auto& r) { Put(r, Name::kSummary, 0, Summary{s, ""}); }), "");
  }
}

TEST(Hostile, KeysWrittenTwiceAndDeletesOfNothing) {
  for (std::size_t name = 0; name < kNameCount; ++name) {
    for (const Key key : {Key{0}, Key{1}, Key{7}, kHuge, kLargest}) {
      EXPECT_NE(Telling([&](StepResult& r) {
                  Delete(r, static_cast<Name>(name), key);
                  Delete(r, static_cast<Name>(name), key);
                }),
                "");
    }
  }
  EXPECT_EQ(Telling([](StepResult& r) {
              r.writes.push_back({Name::kSession, 0, MakeValue(Session{8, "t7"})});
            }),
            "in-order: AgentSession is written twice");
  EXPECT_EQ(Telling([](StepResult& r) {
              r.writes.push_back({Name::kMessages, 7, MakeValue(AnyMessage(7))});
            }),
            "window-write-once: AgentMessages[7] is written again");
}

TEST(Hostile, EventsMovementsAndModelInputsOfAnyKind) {
  EXPECT_EQ(Telling([](auto& r) {
              r.events.push_back({EventKind::kTurnSteered, "nobody", kHuge});
            }),
            "reply-count: turn_steered of nobody by StartTurn");
  EXPECT_EQ(Telling([](auto& r) { r.next.reset(); }),
            "bounded-loads: StartTurn moves to the turn's end; due is RunModel");
  for (std::size_t step = 0; step < kStepKindCount; ++step) {
    if (static_cast<StepKind>(step) == StepKind::kRunModel) continue;
    EXPECT_NE(Telling([&](auto& r) { r.next = Movement{static_cast<StepKind>(step)}; }), "");
  }
  EXPECT_NE(Telling([](StepResult& r) {
              for (Key key = 0; key < 1000; ++key) {
                r.next->loads.push_back({.name = Name::kChunks, .all = key % 2 == 0, .key = kHuge});
              }
            }),
            "");
  EXPECT_EQ(Telling([](auto& r) { r.model_input.emplace().Append(kLargest, 1); }),
            "model-input: the model was called");
}

TEST(Hostile, AHistoryThatBeginsAnywhere) {
  for (const StepInput& input : {Reply("t1"), Resume("t1", 0), TooLong("t1", 0), Compact("t1", 0),
                                 Steer("t1", "t1"), Cancel(""), FinishCancel("t1"), Fail("t1")}) {
    for (const bool legacy : {false, true}) {
      History history;
      history.profile.legacy = legacy;
      history.Judged(input, StepResult{});
      history.judge.Audit(history.state);
      history.judge.OnEnd();
    }
  }
}

// Chunk [1,2] is deleted while the log believes that far more, or far less, is kept.
TEST(Hostile, DeletedChunksThatNeverFitTheLog) {
  for (const Sequence last : {Sequence{1}, Sequence{7}, Sequence{500}, kHuge, kLargest}) {
    History history;
    const auto put = [&](StepResult& r) {
      Put(r, Name::kChunks, 1, Chunk{{MakeValue(AnyMessage(1)), MakeValue(AnyMessage(last))}});
    };
    EXPECT_NE(history.Tampered(Start("t1"), put), "");
    StepResult gone;
    Delete(gone, Name::kChunks, 1);
    Delete(gone, Name::kMessages, 1);
    EXPECT_NE(history.Judged(Fail("t1"), gone), "");
    EXPECT_NE(history.Judged(Start("t2"), StepResult{}), "");
    history.judge.Audit(history.state);
  }
}

TEST(Hostile, PagesOfAnyKind) {
  History history;
  history.Turns(1);
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const ValueRef& value :
       {ValueRef(), MakeValue(Session{}), MakeValue(Chunk{}), MakeValue(AnyMessage(kHuge)),
        TextMessage(1, "t1", Role::kUser, Content("not json")),
        TextMessage(1, "t1", Role::kUser, Content("")),
        TextMessage(1, "t1", Role::kUser, Content(deep))}) {
    EXPECT_EQ(history.Read({}, Page{{value, value}, true, kHuge}),
              "page-exact: place 0 of the page is not message 1");
  }
}

}  // namespace
}  // namespace rollover
