// History: hand-written histories of one session, told to a judge.
//
//   History history;                       // window 4, chunks of 2, limit 4, 1 KiB a chunk
//   history.Turns(2);                      // legal: two messages each
//   StepResult result = history.Run(Start("t3"));    // what the reference core would commit
//   Drop(result, Name::kIndex);                      // the mishap
//   EXPECT_EQ(history.Judged(Start("t3"), result), "index-write-rule: ...");
//
// Judged() commits whatever it is given, with the loads that the Step would have had, and answers
// the first violation as "rule: what", or nothing. The cores serve here only to write legal
// histories down shortly; what is tampered with is a plain StepResult.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/rules/judge.h"

namespace rollover {

// The rules that some test of this program shows failing: completeness_test.cc compares.
inline std::set<Rule>& RulesShownFailing() {
  static std::set<Rule> rules;
  return rules;
}

// A test that shows a rule failing. Its body must see the rule reported first.
#define RULE_BREAKS(rule, fact)                              \
  [[maybe_unused]] static const auto shown_##rule##_##fact = \
      RulesShownFailing().insert(Rule::rule);                \
  TEST(RuleBreaks, rule##_##fact)

// A JSON string of so many bytes, quotes included.
Content Text(std::size_t bytes = 12);

inline StepInput Start(TurnId turn_id, Content content = Text()) {
  return StartTurn{std::move(turn_id), std::move(content)};
}
inline StepInput Reply(TurnId turn_id, std::uint64_t tool_calls = 0, Content content = Text()) {
  return RunModel{std::move(turn_id), ModelReply{std::move(content), tool_calls}, 0};
}
inline StepInput TooLong(TurnId turn_id, Sequence compact_through) {
  return RunModel{std::move(turn_id), std::nullopt, compact_through};
}
inline StepInput Resume(TurnId turn_id, std::size_t results, Content content = Text()) {
  return ResumeTurn{std::move(turn_id), std::vector<Content>(results, content)};
}
inline StepInput Compact(TurnId turn_id, Sequence through) {
  return CompactContext{std::move(turn_id), through, "so far"};
}
inline StepInput Steer(TurnId turn_id, TurnId new_turn_id) {
  return ApplyTurnControl{std::move(turn_id), ControlKind::kSteer, std::move(new_turn_id), Text()};
}
inline StepInput Cancel(TurnId turn_id) {
  return ApplyTurnControl{std::move(turn_id), ControlKind::kCancel, {}, {}};
}
inline StepInput FinishCancel(TurnId turn_id) { return FinishTurnCancellation{std::move(turn_id)}; }
inline StepInput Fail(TurnId turn_id) { return RecordTurnFailure{std::move(turn_id), "failed"}; }

inline ValueRef TextMessage(Sequence sequence, TurnId turn_id, Role role,
                            Content content = Text()) {
  return MakeValue(Message{sequence, std::move(turn_id), role, std::move(content)});
}

// Tampering.
void Drop(StepResult& result, Name name, Key key = 0);               // a write or delete
void Put(StepResult& result, Name name, Key key, Value::Body body);  // instead of it, or besides
void Delete(StepResult& result, Name name, Key key);
Value::Body BodyOf(const StepResult& result, Name name, Key key = 0);

class History {
 public:
  explicit History(Options options = {.message_window_size = 4,
                                      .message_chunk_size = 2,
                                      .message_chunk_max_bytes = 1024,
                                      .retained_message_limit = 4});

  Options options;
  Limits limits;
  Profile profile;
  Judge judge;
  FlowState state;  // the engine's

  // What this profile's core would commit now.
  StepResult Run(const StepInput& input) const;
  StepOutcome Outcome(const StepInput& input) const;
  // Commits it; the first violation, or "".
  std::string Judged(const StepInput& input, const StepResult& result);
  // Commits what the core would; must be legal.
  void Legal(const StepInput& input);
  // Tampers with what the core would commit, and commits that.
  std::string Tampered(const StepInput& input, const std::function<void(StepResult&)>& mishap);

  // Legal turns of two messages, named t<first sequence>.
  void Turns(int count);
  void TurnsOf(std::size_t content_bytes, int count);
  // A legal turn that compacts after its user message, and then completes.
  void CompactedTurn(Sequence through);
  // "t" and the sequence that comes next.
  TurnId NextTurn() const;
  Sequence next() const { return judge.ledger().next(); }

  std::string Read(const ReadArguments& arguments, const ReadOutcome& outcome);
  ReadOutcome CoreRead(const ReadArguments& arguments) const;
  std::string Refused(const StepInput& input, RefusalCause cause = RefusalCause::kValueLimit);
  std::string Failed(const StepInput& input, bool injected = false, bool retryable = false);

  std::string FirstViolation();
  std::uint64_t Evaluations(Rule rule) const {
    return judge.evaluations().at(static_cast<std::size_t>(rule));
  }
  // Loads of a Step that comes now.
  LoadList LoadsOf(const StepInput& input) const;

  // The movement of the newest commit; a test may replace it.
  std::optional<Movement> movement;

 private:
  std::unique_ptr<Core> MakeCore() const;
};

}  // namespace rollover
