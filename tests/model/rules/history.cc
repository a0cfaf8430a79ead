#include "tests/model/rules/history.h"

#include <fmt/format.h>

#include <algorithm>

namespace rollover {
namespace {

auto Find(std::vector<Write>& writes, Name name, Key key) {
  return std::find_if(writes.begin(), writes.end(),
                      [&](const Write& write) { return write.name == name && write.key == key; });
}

}  // namespace

Content Text(std::size_t bytes) {
  std::string text(bytes, 'x');
  text.front() = text.back() = '"';
  return Content(std::move(text));
}

void Drop(StepResult& result, Name name, Key key) {
  const auto at = Find(result.writes, name, key);
  ASSERT_NE(at, result.writes.end()) << NameText(name) << "[" << key << "] is not written";
  result.writes.erase(at);
}

void Put(StepResult& result, Name name, Key key, Value::Body body) {
  const auto at = Find(result.writes, name, key);
  Write write{name, key, MakeValue(std::move(body))};
  if (at == result.writes.end()) {
    result.writes.push_back(std::move(write));
  } else {
    *at = std::move(write);
  }
}

void Delete(StepResult& result, Name name, Key key) {
  result.writes.push_back({name, key, nullptr});
}

Value::Body BodyOf(const StepResult& result, Name name, Key key) {
  for (const Write& write : result.writes) {
    if (write.name == name && write.key == key && write.value) return write.value->body();
  }
  ADD_FAILURE() << NameText(name) << "[" << key << "] is not written";
  return Session{};
}

History::History(Options with) : options(with) {}

std::unique_ptr<Core> History::MakeCore() const {
  if (profile.legacy) return MakeLegacyCore(options);
  return profile.compaction ? MakeReferenceCore(options) : MakeNoCompactionCore(options);
}

LoadList History::LoadsOf(const StepInput& input) const {
  switch (KindOf(input)) {
    case StepKind::kStartTurn:
      return StartTurnLoads(profile);
    case StepKind::kRecordTurnFailure:
      return RecordTurnFailureLoads(profile);
    case StepKind::kApplyTurnControl:
      return movement ? movement->control_loads : StartTurnLoads(profile);
    default:
      return movement ? movement->loads : StartTurnLoads(profile);
  }
}

StepOutcome History::Outcome(const StepInput& input) const {
  const LoadList loads = LoadsOf(input);
  const LoadedState loaded(state, loads);
  return MakeCore()->Invoke({.input = input, .attempt = 1, .state = loaded});
}

StepResult History::Run(const StepInput& input) const {
  StepOutcome outcome = Outcome(input);
  if (const auto* failure = std::get_if<StepFailure>(&outcome)) {
    ADD_FAILURE() << StepName(KindOf(input)) << " fails: " << failure->error;
    return {};
  }
  return std::get<StepResult>(std::move(outcome));
}

std::string History::Judged(const StepInput& input, const StepResult& result) {
  const LoadList loads = LoadsOf(input);
  for (const Write& write : result.writes) state.Apply(write);
  judge.OnCommit({.number = judge.commits() + 1,
                  .input = input,
                  .attempt = 1,
                  .result = result,
                  .loads = loads,
                  .profile = profile,
                  .options = options,
                  .limits = limits});
  movement = result.next;
  return FirstViolation();
}

void History::Legal(const StepInput& input) {
  EXPECT_EQ(Judged(input, Run(input)), "") << StepName(KindOf(input)) << " at " << next() - 1;
}

std::string History::Tampered(const StepInput& input,
                              const std::function<void(StepResult&)>& mishap) {
  StepResult result = Run(input);
  mishap(result);
  return Judged(input, result);
}

TurnId History::NextTurn() const { return fmt::format("t{}", next()); }

void History::Turns(int count) { TurnsOf(12, count); }

void History::TurnsOf(std::size_t content_bytes, int count) {
  for (int i = 0; i < count; ++i) {
    const TurnId turn = NextTurn();
    Legal(Start(turn, Text(content_bytes)));
    Legal(Reply(turn, 0, Text(content_bytes)));
  }
}

void History::CompactedTurn(Sequence through) {
  const TurnId turn = NextTurn();
  Legal(Start(turn));
  Legal(TooLong(turn, through));
  Legal(Compact(turn, through));
  Legal(Reply(turn));
}

ReadOutcome History::CoreRead(const ReadArguments& arguments) const {
  const LoadList loads = ReadLoads(profile);
  const LoadedState loaded(state, loads);
  return MakeCore()->Read({.arguments = arguments, .state = loaded});
}

std::string History::Read(const ReadArguments& arguments, const ReadOutcome& outcome) {
  judge.OnRead({.arguments = arguments, .outcome = outcome, .profile = profile});
  return FirstViolation();
}

std::string History::Refused(const StepInput& input, RefusalCause cause) {
  judge.OnRefusal({.cause = cause, .input = input, .profile = profile, .limits = limits});
  return FirstViolation();
}

std::string History::Failed(const StepInput& input, bool injected, bool retryable) {
  const LoadList loads = LoadsOf(input);
  const StepFailure failure{"it broke", retryable};
  judge.OnFailure({.input = input,
                   .failure = failure,
                   .injected = injected,
                   .loads = loads,
                   .profile = profile});
  return FirstViolation();
}

std::string History::FirstViolation() {
  const std::vector<Violation> violations = judge.TakeViolations();
  if (violations.empty()) return "";
  EXPECT_EQ(violations.front().commit, judge.commits());
  return fmt::format("{}: {}", RuleName(violations.front().rule), violations.front().what);
}

}  // namespace rollover
