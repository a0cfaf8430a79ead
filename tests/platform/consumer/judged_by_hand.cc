// A history written by hand, told to the rules: one turn that is right, and one whose reply takes
// the place of the user's message. Prints what each commit broke, one line a commit.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "model/rules/judge.h"

namespace {

using namespace rollover;

const std::string kTurn = "turn-1";

Write Stored(Sequence sequence, Role role, const std::string& json) {
  return {Name::kMessages, sequence, MakeValue(Message{sequence, kTurn, role, Content(json)})};
}

Write SessionOf(Sequence next, std::optional<TurnId> running) {
  return {Name::kSession, 0, MakeValue(Session{next, std::move(running)})};
}

// What every Step of a session without chunks may read, and the turn's own value.
LoadList Loads() {
  return {{.name = Name::kSession},
          {.name = Name::kIndex},
          {.name = Name::kSummary},
          {.name = Name::kMessages, .all = true},
          {.name = Name::kTurnReply}};
}

// The user asks: message 1, and what is running from here on.
StepResult Asked() {
  StepResult result{};
  result.writes = {Stored(1, Role::kUser, R"("hello")"),
                   {Name::kTurnReply, 0, MakeValue(TurnReply{kTurn, 2})},
                   SessionOf(2, kTurn)};
  Movement& next = result.next.emplace();
  next.loads = Loads();
  next.control_loads = Loads();
  return result;
}

// The model answers: a message at `sequence`, which ends the turn.
StepResult Answered(Sequence sequence) {
  StepResult result{};
  result.writes = {Stored(sequence, Role::kAssistant, R"("good day")"),
                   SessionOf(sequence + 1, std::nullopt)};
  result.events = {{.kind = EventKind::kTurnCompleted, .turn_id = kTurn, .replies = 1}};
  result.model_input.emplace().Append(1);
  return result;
}

class Told {
 public:
  Told() { judge_.OnTurnAccepted(kTurn, 16); }

  // Commits `result`; the first broken rule and what it says of it, or "holds".
  std::string Commits(const StepInput& input, const LoadList& loads, const StepResult& result) {
    judge_.OnHandOut(kTurn);
    for (const Write& write : result.writes) state_.Apply(write);
    judge_.OnCommit({.number = judge_.commits() + 1,
                     .input = input,
                     .attempt = 1,
                     .result = result,
                     .loads = loads,
                     .profile = {},
                     .options = options_,
                     .limits = limits_});
    return FirstBroken();
  }

  std::string Ends() {
    judge_.Audit(state_);
    judge_.OnEnd();
    return FirstBroken();
  }

 private:
  std::string FirstBroken() {
    const std::vector<Violation> violations = judge_.TakeViolations();
    if (violations.empty()) return "holds";
    return std::string(RuleName(violations.front().rule)) + ": " + violations.front().what;
  }

  Options options_;
  Limits limits_;
  FlowState state_;
  Judge judge_;
};

std::string AnsweredAt(Sequence sequence) {
  Told told;
  const std::string asked =
      told.Commits(StartTurn{kTurn, Content(R"("hello")")}, StartTurnLoads(Profile{}), Asked());
  if (asked != "holds") return "the question breaks " + asked;
  const RunModel answer{kTurn, ModelReply{Content(R"("good day")"), 0}, 0};
  const std::string answered = told.Commits(answer, Loads(), Answered(sequence));
  return answered == "holds" ? told.Ends() : answered;
}

}  // namespace

int main() {
  std::printf("answer at 2: %s\n", AnsweredAt(2).c_str());
  std::printf("answer at 1: %s\n", AnsweredAt(1).c_str());
}
