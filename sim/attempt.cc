// One hand-out of one Step, and what strikes it:
//
//   handed-out ─► loads ─► in-handler ─► before-commit ─► entries ─► commit ─► ack ─► after-commit
//      │            │          │              │              │         │         │
//   settings,    kill-      kill-in-       kill-before-   kill-mid-  value-/  kill-after-commit,
//   controls,    before-    handler,       commit, stall  commit     result-  duplicate-commit,
//   reads, ...   load       model-, tool-                            limit    late commits
//                           error
#include <fmt/format.h>

#include <algorithm>

#include "sim/world.h"

namespace rollover {
namespace {

bool Hits(const Fault& fault, StepKind step, std::uint32_t occurrence, std::uint32_t attempt) {
  return fault.step == step && fault.occurrence == occurrence && fault.attempt == attempt;
}

// Those that strike at a point of their choice; each of the others has its place in RunWorker.
constexpr std::uint32_t kHappenAtAPoint =
    BitOf(FaultKind::kEngineCrash) | BitOf(FaultKind::kValueLimit) |
    BitOf(FaultKind::kResultLimit) | BitOf(FaultKind::kControl) | BitOf(FaultKind::kReadRace);

bool HappensAtAPoint(FaultKind kind) { return (kHappenAtAPoint & BitOf(kind)) != 0; }

}  // namespace

void World::RunAttempt() {
  if (config_.until > 0 && judge_.commits() >= config_.until) {
    stopped_ = true;
    return;
  }
  const StepKind step = engine_.queued().step;
  const std::uint64_t turn = progress_.current->turn;
  TurnMemory& memory = Memory(turn);
  occurrence_ = progress_.current->occurrences[static_cast<std::size_t>(step)];
  attempt_ = CountHandOut(memory, step);
  ++statistics_.attempts;
  token_ = ++next_token_;
  engine_.HandOut(token_);
  trace_.At(turn, step, occurrence_, attempt_);
  trace_.Add(TraceKind::kHandOut, {turn, static_cast<std::uint64_t>(step), occurrence_, attempt_},
             [&] { return fmt::format("{} {}", StepName(step), occurrence_); });
  judge_.OnHandOut(memory.turn_id);
  strikes_ = 0;
  for (const Fault& fault : memory.faults) {
    if (Hits(fault, step, occurrence_, attempt_)) strikes_ |= BitOf(fault.kind);
  }
  ApplySettings();
  if (!StruckAt(Point::kHandedOut, nullptr)) RunWorker(attempt_);
  if (guest_) {
    guest_.reset();
    input_.reset();  // it was made for the guest, which may compact where the Worker does not
  }
  if (!Stopped()) FinishRaces();
}

void World::RunWorker(std::uint32_t attempt) {
  if (Take(FaultKind::kKillBeforeLoad)) return Die("before its loads");
  const LoadList loads = LoadsOf(engine_.queued(), ProfileOf(ActiveKind()));
  const LoadedState state(engine_.state(), loads);
  const StepInput& input = Input();  // until something strikes
  if (const auto doom = Doomed()) ActiveCore().Expect(*doom);
  const StepOutcome outcome =
      ActiveCore().Invoke({.input = input, .attempt = attempt, .state = state});
  if (!state.unloaded_read().empty()) judge_.OnUnloadedRead(KindOf(input), state.unloaded_read());
  if (Stopped()) return;

  const auto* result = std::get_if<StepResult>(&outcome);
  if (StruckAt(Point::kInHandler, result)) return;
  if (Take(FaultKind::kKillInHandler)) return Die("in its handler");
  if (const auto error = Take(FaultKind::kModelError)) {
    return FailStep({"the model failed", error->retryable}, true, loads);
  }
  if (const auto error = Take(FaultKind::kToolError)) {
    return FailStep({"a tool failed", error->retryable}, true, loads);
  }
  if (result == nullptr) return FailStep(std::get<StepFailure>(outcome), false, loads);

  if (StruckAt(Point::kBeforeCommit, result)) return;
  if (Take(FaultKind::kKillBeforeCommit)) return Die("before its commit");
  if (const auto stall = Take(FaultKind::kStall)) {
    ActiveCore().Expect(Doom::kStalled);
    if (stall->late != Late::kNever) {
      late_commits_.push_back({token_, *result, stall->late, false, {}});
      if (!guest_) late_commits_.back().worker = std::move(worker_);
    }
    return Die("never, but is taken for dead");
  }
  if (const auto kill = Take(FaultKind::kKillMidCommit)) {
    const std::size_t entries = std::min<std::size_t>(kill->entries, result->writes.size());
    for (std::size_t i = 0; i < entries; ++i) engine_.Receive(result->writes[i]);
    engine_.Disconnect();
    return Die("in mid-commit");
  }
  CommitResult(*result, loads, attempt);
}

std::uint32_t World::CountHandOut(TurnMemory& memory, StepKind step) const {
  for (auto& known : memory.hand_outs) {
    if (known.step == step && known.occurrence == occurrence_) return ++known.count;
  }
  memory.hand_outs.push_back({step, occurrence_, 1});
  return 1;
}

// How the process dies, when nothing that strikes before that needs its answer.
std::optional<Doom> World::Doomed() {
  if (strikes_ == 0) return std::nullopt;
  bool in_handler = false;
  bool mid_reply = false;
  bool answered = false;
  for (const Fault& fault : Memory(trace_.here().turn).faults) {
    if (!Hits(fault, trace_.here().step, occurrence_, attempt_)) continue;
    const bool at_a_point = HappensAtAPoint(fault.kind);
    if (at_a_point && fault.at == Point::kInHandler) return std::nullopt;
    in_handler = in_handler || fault.kind == FaultKind::kKillInHandler;
    mid_reply = mid_reply || fault.kind == FaultKind::kKillMidCommit;
    answered = answered || (at_a_point && fault.at == Point::kBeforeCommit) ||
               fault.kind == FaultKind::kKillBeforeCommit || fault.kind == FaultKind::kStall ||
               fault.kind == FaultKind::kModelError || fault.kind == FaultKind::kToolError;
  }
  if (in_handler) return Doom::kKilledInHandler;
  if (mid_reply && !answered) return Doom::kKilledMidReply;
  return std::nullopt;
}

std::optional<Fault> World::TakeStriking(FaultKind kind) {
  const TraceEvent& here = trace_.here();
  std::vector<Fault>& faults = Memory(here.turn).faults;
  for (auto at = faults.begin(); at != faults.end(); ++at) {
    if (at->kind != kind || !Hits(*at, here.step, occurrence_, attempt_)) continue;
    const Fault fault = *at;
    faults.erase(at);
    statistics_.Count(fault);
    trace_.Add(TraceKind::kFault, {static_cast<std::uint64_t>(kind)},
               [&] { return std::string(FaultName(kind)); });
    return fault;
  }
  return std::nullopt;
}

void World::ApplySettings() {
  if (const auto change = Take(FaultKind::kOptionsChange)) {
    Options options = change->options;
    options.compaction = options_.compaction;  // switched only while no Step is queued
    RestartWorker({.options = options});
  }
  if (const auto swap = Take(FaultKind::kCoreSwap)) {
    const CoreKind kind = swap->core == CoreKind::kLegacy ? CoreKind::kLegacy : modern_kind_;
    input_.reset();
    if (swap->this_attempt_only) {
      guest_kind_ = kind;
      guest_ = config_.factory(kind, options_);
      modern_ran_ = modern_ran_ || kind != CoreKind::kLegacy;
    } else {
      RestartWorker({.core = kind});
    }
  }
}

// Whether what strikes at this point takes the Step away from its Worker.
bool World::StruckAt(Point point, const StepResult* result) {
  if ((strikes_ & kHappenAtAPoint) == 0) return Stopped();
  const TraceEvent& here = trace_.here();
  for (bool found = true; found;) {
    found = false;
    std::vector<Fault>& faults = Memory(here.turn).faults;
    for (auto at = faults.begin(); at != faults.end(); ++at) {
      if (!HappensAtAPoint(at->kind) || at->at != point) continue;
      if (!Hits(*at, here.step, occurrence_, attempt_)) continue;
      if (at->kind == FaultKind::kControl && !CanControl(*at)) continue;
      const Fault fault = *at;
      faults.erase(at);
      statistics_.Count(fault);
      trace_.Add(TraceKind::kFault,
                 {static_cast<std::uint64_t>(fault.kind), static_cast<std::uint64_t>(point)},
                 [&] { return fmt::format("{} {}", FaultName(fault.kind), PointName(point)); });
      if (Strike(fault, result)) return true;
      found = true;
      break;
    }
  }
  return Stopped();
}

bool World::Strike(const Fault& fault, const StepResult* result) {
  const Limits& limits = engine_.limits();
  switch (fault.kind) {
    case FaultKind::kValueLimit:
      SetLimits({.max_value_bytes = fault.bytes, .max_result_bytes = limits.max_result_bytes});
      return false;
    case FaultKind::kResultLimit:
      SetLimits({.max_value_bytes = limits.max_value_bytes, .max_result_bytes = fault.bytes});
      return false;
    case FaultKind::kReadRace:
      StartRace(fault.read);
      return false;
    case FaultKind::kEngineCrash:
      RollBack(fault.commits);
      return true;
    default:
      ApplyControl(fault, result);
      return true;
  }
}

// A control needs a turn that runs, and a steer needs the user's next message.
bool World::CanControl(const Fault& fault) {
  if (fault.at == Point::kAfterCommit) return false;
  if (fault.control == ControlKind::kCancel) return true;
  const Operation* next = source_.Peek();
  return next != nullptr && std::holds_alternative<Turn>(*next);
}

void World::ApplyControl(const Fault& fault, const StepResult* result) {
  engine_.Fence();
  const bool in_flight = result != nullptr;
  if (in_flight && fault.late != Late::kNever) {
    late_commits_.push_back({token_, *result, fault.late, true, {}});
  }
  const bool steer = fault.control == ControlKind::kSteer;
  if (in_flight) {
    statistics_.Count(steer ? Situation::kSteerInFlight : Situation::kCancelInFlight);
  }
  progress_.current->control = fault.control;
  if (steer) {
    ++verdict_.operations_begun;
    progress_.current->steered_to = Accept(std::get<Turn>(source_.Pop()));
    progress_.pending.pop_back();  // it does not wait: the control carries it
  }
  Queue({.step = StepKind::kApplyTurnControl, .loads = engine_.queued().control_loads});
}

void World::Die(const char* when) {
  trace_.Add(TraceKind::kFailed, {1}, [&] { return fmt::format("the Worker dies {}", when); });
  NewWorker();
}

void World::FailStep(const StepFailure& failure, bool injected, std::span<const Load> loads) {
  const StepInput& input = Input();
  const Profile profile = ProfileOf(ActiveKind());
  trace_.Add(TraceKind::kFailed, {2, failure.retryable}, [&] { return failure.error; });
  judge_.OnFailure({.input = input,
                    .failure = failure,
                    .injected = injected,
                    .loads = loads,
                    .profile = profile});
  if (Stopped()) return;
  if (!injected) statistics_.Count(Situation::kLegacyWorkerTurnedAway);
  if (!failure.retryable) FailTurn(failure.error);
}

void World::FailTurn(std::string reason) {
  progress_.current->failure = std::move(reason);
  Queue({.step = StepKind::kRecordTurnFailure});
}

}  // namespace rollover
