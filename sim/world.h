// World: one session, its engine, its Workers and its fate, from a scenario to a verdict.
//
// Fault model: Workers die at any moment of an attempt, stall, or answer late; the engine crashes
// and, if durability is async, comes back at an earlier commit boundary; limits, options and core
// versions change; models and tools fail; users steer, cancel and read at any time. Not covered:
// two sessions in one engine, clocks, a network that damages bytes, an engine that breaks its own
// contract.
//
// The run has a fault phase (the scenario) and then a quiet phase (small messages, no faults), in
// which the liveness rules must come true. It stops at the first broken rule.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/protocol/core.h"
#include "model/rules/judge.h"
#include "sim/engine.h"
#include "sim/scenario.h"
#include "sim/source.h"
#include "sim/statistics.h"
#include "sim/step_inputs.h"
#include "sim/trace.h"

namespace rollover {

// Starts a Worker process. The kind is the scenario's; which code stands behind it is the run's
// choice.
using CoreFactory = std::function<std::unique_ptr<Core>(CoreKind, const Options&)>;
std::unique_ptr<Core> MakeModelCore(CoreKind kind, const Options& options);
Profile ProfileOf(CoreKind kind);

struct WorldConfig {
  CoreFactory factory = MakeModelCore;
  TraceSink trace{};               // none: hash only
  std::uint64_t until = 0;         // stop before the hand-out behind this commit; 0: never
  bool checks = true;              // judge.h
  std::uint64_t audit_every = 64;  // commits; the end is always audited
  bool keep_unfired = true;        // Verdict::unfired, which grows with the session
  // Called whenever the session is idle after a turn (soak checkpoints).
  std::function<void(const class World&)> on_turn_end{};
};

struct Verdict {
  std::vector<Violation> violations{};  // empty: all held; else the most telling first
  TraceEvent where{};                   // of the first violation
  TraceHash hash{};
  Statistics statistics{};
  // Decisions that found nothing to hit, in the order in which their turns came.
  std::vector<Fault> unfired{};
  std::uint64_t turns_begun = 0;  // scenario turns accepted; operations consumed
  std::uint64_t operations_begun = 0;
  // The last lines of an external core's standard error, when it misbehaved.
  std::vector<std::string> core_log{};
  bool reached_end = false;  // not stopped by a violation or by `until`

  bool held() const { return violations.empty(); }
};

// Of a set of fault kinds.
constexpr std::uint32_t BitOf(FaultKind kind) { return 1u << static_cast<std::uint32_t>(kind); }

class World {
 public:
  World(CoreKind core, const Options& options, const Limits& limits, ScenarioSource& source,
        const WorldConfig& config);

  Verdict Run();

  const Engine& engine() const { return engine_; }
  const Judge& judge() const { return judge_; }
  const Statistics& statistics() const { return statistics_; }
  const Options& options() const { return options_; }

 private:
  // The turn that runs, as the engine's queue would know it: goes back with a roll-back.
  struct Current {
    std::uint64_t turn = 0;
    TurnPlace place{};
    std::array<std::uint32_t, kStepKindCount> occurrences{};  // Steps queued, by kind
    ControlKind control = ControlKind::kCancel;
    std::uint64_t steered_to = 0;
    std::string failure{};
  };
  struct Progress {
    std::deque<std::uint64_t> pending;  // accepted user messages whose turns have not started
    std::optional<Current> current;
    std::uint64_t accepted = 0;  // turns so far
  };
  struct Checkpoint {
    Engine engine;
    Judge judge;
    Progress progress;
    SituationSpotter spotter;
  };
  // What is known of a turn whatever the engine forgets: goes on through a roll-back.
  struct TurnMemory {
    Turn turn;
    TurnId turn_id;
    std::vector<Fault> faults{};  // fired ones are removed
    std::optional<Content> user{};
    struct HandOuts {
      StepKind step;
      std::uint32_t occurrence;
      std::uint32_t count;
    };
    boost::container::small_vector<HandOuts, 8> hand_outs{};
  };
  struct LateCommit {
    Token token = 0;
    StepResult result;
    Late late = Late::kBefore;
    bool controlled = false;
    std::unique_ptr<Core> worker{};  // stalled: goes on, and dies, when its commit has arrived
  };
  struct RacingRead {
    FlowState state;
    Ledger ledger;
    bool upgraded = false;
    std::uint64_t commit = 0;
    ReadArguments arguments;
  };

  // world.cc: the session's life
  bool Stopped() { return stopped_ || (judge_.has_violations() && StopAtViolations()); }
  bool StopAtViolations();
  void RunToEnd();
  void RunOperations();
  void RunQuietPhase();
  void RunUntilIdle();
  void Perform(Operation operation);
  std::uint64_t Accept(Turn turn);
  void Forget(const TurnMemory& turn);
  void StartNextTurn();
  bool Compacts() const;  // the Worker that runs now
  void RestartWorker(const Restart& restart);
  void SetLimits(const ChangeLimits& change);
  void NewWorker();
  void TakeCheckpoint();
  void RollBack(std::uint64_t commits);
  void ReadWholeLog();

  // attempt.cc: one hand-out of one Step, and what strikes it
  void RunAttempt();
  void RunWorker(std::uint32_t attempt);
  std::uint32_t CountHandOut(TurnMemory& memory, StepKind step) const;
  std::optional<Doom> Doomed();
  std::optional<Fault> Take(FaultKind kind) {
    return (strikes_ & BitOf(kind)) != 0 ? TakeStriking(kind) : std::nullopt;
  }
  std::optional<Fault> TakeStriking(FaultKind kind);
  void ApplySettings();
  bool StruckAt(Point point, const StepResult* result);
  bool Strike(const Fault& fault, const StepResult* result);
  bool CanControl(const Fault& fault);
  void ApplyControl(const Fault& fault, const StepResult* result);
  void Die(const char* when);
  void FailStep(const StepFailure& failure, bool injected, std::span<const Load> loads);
  void FailTurn(std::string reason);

  // committing.cc: a result on its way into the engine, and after it
  CommitAnswer Send(Token token, const StepResult& result);
  void CommitResult(const StepResult& result, std::span<const Load> loads, std::uint32_t attempt);
  void AfterCommit(const StepResult& result, std::span<const Load> loads, std::uint32_t attempt);
  void MoveOn(const StepResult& result);
  void DeliverLate(Late late);
  void TraceCommit(const Commit& commit);

  // reading.cc
  void Perform(const Read& read);
  void StartRace(const Read& read);
  void FinishRaces();
  ReadArguments Resolve(const Read& read) const;
  std::int64_t Resolve(const Anchor& anchor) const;
  void TraceRead(const ReadArguments& arguments, const ReadOutcome& outcome);

  // inputs.cc
  const StepInput& Input();
  StepInput MakeInput(StepKind step);
  const Content& UserContent(std::uint64_t turn);
  InputFrame FrameOf(const TurnMemory& memory) const;
  TurnMemory& Memory(std::uint64_t turn);

  void Queue(const Movement& movement);
  Core& ActiveCore() { return guest_ ? *guest_ : *worker_; }
  CoreKind ActiveKind() const { return guest_ ? guest_kind_ : core_kind_; }

  WorldConfig config_;
  ScenarioSource& source_;
  CoreKind core_kind_;
  CoreKind modern_kind_;  // what runs when it is not 0.1.0
  bool modern_ran_ = false;
  Options options_;
  std::unique_ptr<Core> worker_;
  std::unique_ptr<Core> guest_;  // the other version, for this attempt
  CoreKind guest_kind_ = CoreKind::kReference;

  Engine engine_;
  Judge judge_;
  Progress progress_;
  SituationSpotter spotter_;
  std::deque<Checkpoint> checkpoints_;  // async durability only; oldest first, the newest is now

  Token next_token_ = 0;
  Token token_ = 0;  // of the attempt in flight
  std::deque<std::unique_ptr<TurnMemory>> turns_;
  std::uint64_t turns_first_ = 1;  // number of turns_.front()
  std::optional<StepInput> input_;
  std::uint32_t attempt_ = 0;     // of the hand-out in flight
  std::uint32_t occurrence_ = 0;  // of its Step in its turn
  std::uint32_t strikes_ = 0;     // the kinds of fault that its turn had for it, a bit each
  std::vector<LateCommit> late_commits_;
  std::vector<RacingRead> races_;
  bool quiet_ = false;

  Trace trace_;
  Statistics statistics_;
  Verdict verdict_;
  bool stopped_ = false;
};

// Runs a scenario that is valid (scenario.h).
Verdict RunScenario(const Scenario& scenario, const WorldConfig& config = {});

}  // namespace rollover
