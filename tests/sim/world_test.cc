// Screenplays: a small session, one mishap, what must come of it.
#include "sim/world.h"

#include <gtest/gtest.h>

#include <vector>

#include "sim/cores/bytes_core.h"

namespace rollover {
namespace {

ContentSpec Bytes(std::int64_t bytes) {
  ContentSpec spec;
  spec.amount = bytes;
  return spec;
}

Round Reply(std::int64_t bytes, std::size_t tools = 0) {
  Round round;
  round.reply = Bytes(bytes);
  round.tools.assign(tools, Bytes(30));
  return round;
}

Round Compact(std::uint64_t keep) {
  Round round;
  round.compact = true;
  round.keep = keep;
  round.summary = "so far";
  return round;
}

// Four turns with tools, compactions and an oversized reply, in options so small that messages roll
// over and chunks are deleted.
Scenario SmallSession() {
  Scenario scenario;
  scenario.options = {.message_window_size = 3,
                      .message_chunk_size = 2,
                      .message_chunk_max_bytes = 1024,
                      .retained_message_limit = 4};
  for (int i = 0; i < 4; ++i) {
    Turn turn;
    turn.user = Bytes(20);
    turn.rounds = {Reply(40, 2), Compact(1), Reply(i == 2 ? 1500 : 50)};
    scenario.operations.emplace_back(turn);
  }
  return scenario;
}

struct Outcome {
  Verdict verdict;
  FlowState state;
};

Outcome Play(const Scenario& scenario, CoreFactory factory = MakeModelCore) {
  FixedSource source(scenario);
  World world(scenario.core, scenario.options, scenario.limits, source,
              {.factory = std::move(factory), .audit_every = 1});
  Outcome outcome;
  outcome.verdict = world.Run();
  outcome.state = world.engine().state();
  return outcome;
}

Fault At(FaultKind kind, std::uint64_t turn, StepKind step, std::uint64_t occurrence = 1) {
  Fault fault;
  fault.kind = kind;
  fault.turn = turn;
  fault.step = step;
  fault.occurrence = occurrence;
  return fault;
}

std::string Why(const Verdict& verdict) {
  return verdict.held() ? "held" : verdict.violations.front().what;
}

std::uint64_t Times(const Outcome& outcome, Situation situation) {
  return outcome.verdict.statistics.situations[static_cast<std::size_t>(situation)];
}

TEST(World, ACalmSessionHoldsEveryRule) {
  const Outcome outcome = Play(SmallSession());
  EXPECT_TRUE(outcome.verdict.held()) << Why(outcome.verdict);
  EXPECT_TRUE(outcome.verdict.reached_end);
  EXPECT_GT(Times(outcome, Situation::kDeletedByCompaction), 0u);
  EXPECT_GT(Times(outcome, Situation::kOversizedBehindWindow), 0u);
}

TEST(World, TheSameScenarioLeavesTheSameTrace) {
  EXPECT_EQ(Play(SmallSession()).verdict.hash, Play(SmallSession()).verdict.hash);
  Scenario other = SmallSession();
  std::get<Turn>(other.operations[3]).user = Bytes(21);
  EXPECT_NE(Play(SmallSession()).verdict.hash, Play(other).verdict.hash);
}

TEST(World, BehindBytesTheTraceIsTheSame) {
  const auto bytes = [](CoreKind kind, const Options& options) {
    return MakeBytesCore(MakeModelCore(kind, options));
  };
  EXPECT_EQ(Play(SmallSession()).verdict.hash, Play(SmallSession(), bytes).verdict.hash);
}

// A Worker that dies anywhere and is replaced leaves what one that lives would have left.
TEST(World, AKillAnywhereAndARetryEndInTheSameState) {
  const FlowState calm = Play(SmallSession()).state;
  for (const FaultKind kind :
       {FaultKind::kKillBeforeLoad, FaultKind::kKillInHandler, FaultKind::kKillBeforeCommit,
        FaultKind::kKillMidCommit, FaultKind::kKillAfterCommit, FaultKind::kStall,
        FaultKind::kDuplicateCommit, FaultKind::kEngineCrash}) {
    for (const StepKind step : {StepKind::kStartTurn, StepKind::kRunModel, StepKind::kResumeTurn,
                                StepKind::kCompactContext}) {
      for (std::uint64_t turn = 1; turn <= 4; ++turn) {
        Scenario scenario = SmallSession();
        Fault fault = At(kind, turn, step);
        fault.entries = turn;
        fault.at = Point::kBeforeCommit;
        fault.late = turn % 2 == 0 ? Late::kBefore : Late::kAfter;
        scenario.faults = {fault};
        const Outcome outcome = Play(scenario);
        ASSERT_TRUE(outcome.verdict.held()) << FaultName(kind) << Why(outcome.verdict);
        EXPECT_TRUE(outcome.verdict.unfired.empty()) << FaultName(kind) << StepName(step);
        EXPECT_TRUE(outcome.state == calm)
            << FaultName(kind) << " " << StepName(step) << " " << turn;
      }
    }
  }
}

TEST(World, ACancelAbandonsTheStepInFlightAndFencesItsCommit) {
  Scenario scenario = SmallSession();
  Fault cancel = At(FaultKind::kControl, 2, StepKind::kRunModel, 2);
  cancel.at = Point::kBeforeCommit;
  cancel.late = Late::kAfter;
  scenario.faults = {cancel};
  const Outcome outcome = Play(scenario);
  EXPECT_TRUE(outcome.verdict.held()) << Why(outcome.verdict);
  EXPECT_EQ(Times(outcome, Situation::kCancelInFlight), 1u);
  EXPECT_EQ(Times(outcome, Situation::kControlledCommitFenced), 1u);
}

TEST(World, ASteerTakesTheNextTurnsMessage) {
  Scenario scenario = SmallSession();
  Fault steer = At(FaultKind::kControl, 1, StepKind::kResumeTurn);
  steer.control = ControlKind::kSteer;
  steer.at = Point::kInHandler;
  scenario.faults = {steer};
  const Outcome outcome = Play(scenario);
  EXPECT_TRUE(outcome.verdict.held()) << Why(outcome.verdict);
  EXPECT_EQ(Times(outcome, Situation::kSteerInFlight), 1u);
  EXPECT_TRUE(outcome.verdict.unfired.empty());
}

TEST(World, ASteerWithoutANextMessageFindsNothingToHit) {
  Scenario scenario = SmallSession();
  Fault steer = At(FaultKind::kControl, 4, StepKind::kRunModel);
  steer.control = ControlKind::kSteer;
  scenario.faults = {steer};
  const Outcome outcome = Play(scenario);
  EXPECT_TRUE(outcome.verdict.held());
  ASSERT_EQ(outcome.verdict.unfired.size(), 1u);
  EXPECT_EQ(outcome.verdict.unfired[0], steer);
}

TEST(World, ASteerWhoseMessageIsTooLargeFailsTheOldTurn) {
  Scenario scenario = SmallSession();
  scenario.limits.max_value_bytes = 4000;
  std::get<Turn>(scenario.operations[1]).user = Bytes(5000);
  Fault steer = At(FaultKind::kControl, 1, StepKind::kRunModel);
  steer.control = ControlKind::kSteer;
  scenario.faults = {steer};
  const Outcome outcome = Play(scenario);
  EXPECT_TRUE(outcome.verdict.held()) << Why(outcome.verdict);
  EXPECT_EQ(Times(outcome, Situation::kSteerRefused), 1u);
}

TEST(World, AMessageTooLargeForTheEngineFailsOnlyItsTurn) {
  Scenario scenario = SmallSession();
  scenario.limits.max_value_bytes = 4000;
  std::get<Turn>(scenario.operations[1]).user = Bytes(5000);
  const Outcome outcome = Play(scenario);
  EXPECT_TRUE(outcome.verdict.held()) << Why(outcome.verdict);
  EXPECT_EQ(Times(outcome, Situation::kRefusedAtFirstStore), 1u);
}

TEST(World, AnAsyncCrashQueuesTheUserMessageAgain) {
  Scenario scenario = SmallSession();
  scenario.limits.durability = Durability::kAsync;
  Fault crash = At(FaultKind::kEngineCrash, 3, StepKind::kRunModel);
  crash.at = Point::kBeforeCommit;
  crash.commits = 8;
  scenario.faults = {crash};
  const Outcome outcome = Play(scenario);
  EXPECT_TRUE(outcome.verdict.held()) << Why(outcome.verdict);
  EXPECT_GT(Times(outcome, Situation::kRollBackAcrossUserMessage), 0u);
  EXPECT_TRUE(outcome.state == Play(SmallSession()).state);
}

TEST(World, ASyncCrashLosesNothing) {
  Scenario scenario = SmallSession();
  Fault crash = At(FaultKind::kEngineCrash, 3, StepKind::kRunModel);
  crash.at = Point::kAfterCommit;
  crash.commits = 8;
  scenario.faults = {crash};
  const Outcome outcome = Play(scenario);
  EXPECT_TRUE(outcome.verdict.held());
  EXPECT_EQ(Times(outcome, Situation::kRollBackAcrossUserMessage), 0u);
  EXPECT_TRUE(outcome.state == Play(SmallSession()).state);
}

TEST(World, AModelErrorThatIsFinalFailsTheTurn) {
  Scenario scenario = SmallSession();
  scenario.faults = {At(FaultKind::kModelError, 2, StepKind::kRunModel),
                     At(FaultKind::kKillInHandler, 2, StepKind::kRecordTurnFailure)};
  const Outcome outcome = Play(scenario);
  EXPECT_TRUE(outcome.verdict.held()) << Why(outcome.verdict);
  EXPECT_TRUE(outcome.verdict.unfired.empty());
}

TEST(World, AnOldSessionIsUpgradedInMidTurn) {
  Scenario scenario = SmallSession();
  scenario.core = CoreKind::kLegacy;
  Fault upgrade = At(FaultKind::kCoreSwap, 3, StepKind::kResumeTurn);
  upgrade.core = CoreKind::kReference;
  scenario.faults = {upgrade};
  const Outcome outcome = Play(scenario);
  EXPECT_TRUE(outcome.verdict.held()) << Why(outcome.verdict);
  EXPECT_EQ(Times(outcome, Situation::kLegacyStepAccepted), 1u);
  EXPECT_EQ(Times(outcome, Situation::kLegacyTurnFinishedByNew), 1u);
  EXPECT_GT(Times(outcome, Situation::kHalfMigratedRead), 0u);
}

TEST(World, AnOldWorkerOnAnUpgradedSessionFailsTheTurnAndHarmsNothing) {
  Scenario scenario = SmallSession();
  Fault old = At(FaultKind::kCoreSwap, 3, StepKind::kRunModel);
  old.core = CoreKind::kLegacy;
  old.this_attempt_only = true;
  scenario.faults = {old};
  const Outcome outcome = Play(scenario);
  EXPECT_TRUE(outcome.verdict.held()) << Why(outcome.verdict);
  EXPECT_EQ(Times(outcome, Situation::kLegacyWorkerTurnedAway), 1u);
}

// The guest compacts, the Worker does not: what the one was asked is not what the other is asked.
TEST(World, AGuestWithCompactionLeavesNoInputBehind) {
  Scenario scenario{.core = CoreKind::kNoCompaction,
                    .operations = {Turn{.user = Bytes(20), .rounds = {Compact(0)}}}};
  Fault guest = At(FaultKind::kCoreSwap, 1, StepKind::kRunModel);
  guest.core = CoreKind::kLegacy;
  guest.this_attempt_only = true;
  Fault error = At(FaultKind::kModelError, 1, StepKind::kRunModel);
  error.retryable = true;
  scenario.faults = {guest, error};
  const Outcome outcome = Play(scenario);
  EXPECT_TRUE(outcome.verdict.held()) << Why(outcome.verdict);
  EXPECT_TRUE(outcome.verdict.unfired.empty());
}

// Drops the window deletes of a rollover.
class LeavesLeftovers : public Core {
 public:
  explicit LeavesLeftovers(std::unique_ptr<Core> inner) : inner_(std::move(inner)) {}
  StepOutcome Invoke(const Invocation& invocation) override {
    StepOutcome outcome = inner_->Invoke(invocation);
    if (auto* result = std::get_if<StepResult>(&outcome)) {
      std::erase_if(result->writes, [](const Write& write) {
        return write.name == Name::kMessages && write.deletes();
      });
    }
    return outcome;
  }
  ReadOutcome Read(const ReadRequest& request) override { return inner_->Read(request); }

 private:
  std::unique_ptr<Core> inner_;
};

TEST(World, StopsAtTheFirstBrokenRuleAndSaysWhere) {
  const Outcome outcome = Play(SmallSession(), [](CoreKind kind, const Options& options) {
    return std::make_unique<LeavesLeftovers>(MakeModelCore(kind, options));
  });
  ASSERT_FALSE(outcome.verdict.held());
  EXPECT_EQ(outcome.verdict.violations.front().rule, Rule::kExactlyOnce);
  EXPECT_EQ(outcome.verdict.where.turn, 1u);
  EXPECT_EQ(outcome.verdict.where.step, StepKind::kResumeTurn);
  EXPECT_FALSE(outcome.verdict.reached_end);
  EXPECT_EQ(outcome.verdict.operations_begun, 1u);
}

TEST(World, UntilStopsAfterThatCommit) {
  const Scenario scenario = SmallSession();
  const Verdict verdict = RunScenario(scenario, {.until = 5});
  EXPECT_TRUE(verdict.held());
  EXPECT_FALSE(verdict.reached_end);
  EXPECT_EQ(verdict.statistics.commits, 5u);
}

}  // namespace
}  // namespace rollover
