#include "sim/generator.h"

#include <algorithm>

#include "sim/sound.h"
#include "sim/swarm.h"

namespace rollover {
namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, const GeneratorConfig& config)
      : config_(config.swarm.value_or(seed), "configuration"),
        workload_(seed, "workload"),
        content_(seed, "content"),
        fate_(seed, "faults"),
        swarm_(DrawSwarm(config_, config.core)) {
    if (config.options) Fix(*config.options);
    scenario_.core = swarm_.core;
    scenario_.options = DrawOptions(swarm_, config_);
    options_ = scenario_.options;
    scenario_.limits.history_commits = config_.Skewed(0, 64);
    if (config_.Chance({1, 3})) scenario_.limits.durability = Durability::kAsync;
  }

  Scenario FromNothing() {
    for (std::uint64_t turn = 1; turn <= swarm_.turns; ++turn) {
      BetweenTurns(turn);
      scenario_.operations.push_back(DrawTurn());
      DrawFate(turn);
    }
    BetweenTurns(swarm_.turns + 1);
    SettleLimits();
    return MakeSound(std::move(scenario_));
  }

  Scenario Around(std::vector<Operation> operations, std::vector<Fault> faults) {
    scenario_.faults = std::move(faults);
    std::uint64_t turn = 0;
    swarm_.at_value_limit = false;
    swarm_.turns = 0;
    for (const Operation& operation : operations) {
      swarm_.turns += std::holds_alternative<Turn>(operation) ? 1 : 0;
    }
    if (swarm_.core == CoreKind::kLegacy) {
      swarm_.legacy_turns = workload_.Between(1, std::max<std::uint64_t>(swarm_.turns, 1));
    }
    for (Operation& operation : operations) {
      if (!std::holds_alternative<Turn>(operation)) continue;
      ++turn;
      // Where a user message steers, nothing stands between the two turns.
      if (!SteersFrom(turn - 1)) BetweenTurns(turn);
      // A turn that is steered keeps the Step that the steer is tied to.
      const bool steered = SteersFrom(turn);
      if (!steered) MaybeCompact(std::get<Turn>(operation));
      scenario_.operations.push_back(std::move(operation));
      if (!steered) DrawFate(turn);
    }
    BetweenTurns(turn + 1);
    SettleLimits();
    return MakeSound(std::move(scenario_));
  }

 private:
  // Enough turns to roll over, in options that stay.
  void Fix(const Options& options) {
    swarm_.fixed_options = options;
    swarm_.style = options.message_window_size > 40 ? OptionStyle::kDefault : OptionStyle::kTiny;
    swarm_.at_value_limit = false;
  }

  bool SteersFrom(std::uint64_t turn) const {
    return std::any_of(scenario_.faults.begin(), scenario_.faults.end(), [&](const Fault& fault) {
      return fault.turn == turn && fault.kind == FaultKind::kControl &&
             fault.control == ControlKind::kSteer;
    });
  }

  // --- contents

  ContentSpec DrawContent() {
    ContentSpec spec{.fill = swarm_.fills[content_.Below(swarm_.fills.size())]};
    const std::uint64_t draw = content_.Below(100);
    if (swarm_.at_value_limit && draw < 10) {
      spec.base = SizeBase::kLimit;
      spec.amount =
          static_cast<std::int64_t>(content_.Below(3)) - 1;  // -1 fits, 0 fits, 1 does not
      return spec;
    }
    if (swarm_.style == OptionStyle::kHuge && draw < 50) {
      // Below 4 MiB, so that even a 0.1.0 window of them drains at more than one a commit.
      spec.amount = static_cast<std::int64_t>(content_.Between(kMebibyte / 2, 3 * kMebibyte));
      return spec;
    }
    const bool can_afford_cap = swarm_.style != OptionStyle::kDefault || content_.Chance({1, 8});
    if (draw < 20 && can_afford_cap && swarm_.style != OptionStyle::kHuge) {
      spec.base = SizeBase::kCap;
      spec.amount = static_cast<std::int64_t>(content_.Below(5)) - 2;
    } else if (draw < 26 && can_afford_cap && swarm_.style != OptionStyle::kHuge) {
      spec.amount =
          static_cast<std::int64_t>(content_.Skewed(0, 2 * options_.message_chunk_max_bytes));
    } else if (draw < 40) {
      spec.amount = static_cast<std::int64_t>(content_.Below(
          options_.message_chunk_max_bytes / 2 > 4096 ? 4096
                                                      : options_.message_chunk_max_bytes / 2));
    } else if (draw < 45) {
      spec.amount = 2;  // the empty string
    } else if (draw < 50) {
      return {.kind = ContentSpec::Kind::kText, .text = "plain \"words\"\n\u4f1a\u8a71"};
    } else {
      spec.amount = static_cast<std::int64_t>(content_.Skewed(2, 256));
    }
    return spec;
  }

  // --- operations

  Turn DrawTurn() {
    Turn turn;
    turn.user = DrawContent();
    const std::uint64_t rounds = workload_.Skewed(0, 4);
    for (std::uint64_t i = 0; i < rounds; ++i) {
      Round round;
      round.reply = DrawContent();
      if (workload_.Chance(swarm_.tool_odds)) {
        const std::uint64_t tools = workload_.Between(1, swarm_.tools_max);
        for (std::uint64_t t = 0; t < tools; ++t) round.tools.push_back(DrawContent());
      }
      const bool completes = round.tools.empty();
      turn.rounds.push_back(std::move(round));
      if (completes) break;
    }
    MaybeCompact(turn);
    return turn;
  }

  void MaybeCompact(Turn& turn) {
    if (!workload_.Chance(swarm_.compaction_odds)) return;
    const std::uint64_t at = workload_.Below(turn.rounds.size() + 1);
    Round round;
    round.compact = true;
    round.keep = workload_.Skewed(0, swarm_.keep_max);
    round.summary = workload_.Chance({1, 4}) ? "so far:\n\"all well\" \u4f1a" : "so far";
    turn.rounds.insert(turn.rounds.begin() + static_cast<std::ptrdiff_t>(at), std::move(round));
  }

  void BetweenTurns(std::uint64_t turn) {
    if (swarm_.core == CoreKind::kLegacy && turn == swarm_.legacy_turns + 1 &&
        turn <= swarm_.turns && !swarm_.upgrade_in_turn) {
      const bool go = workload_.Chance({1, 8});
      scenario_.operations.push_back(
          Restart{.core = go ? CoreKind::kNoCompaction : CoreKind::kReference});
    }
    if (workload_.Chance(swarm_.restart_odds)) {
      options_ = DrawOptions(swarm_, workload_);
      scenario_.operations.push_back(Restart{.options = options_});
    }
    while (workload_.Chance(swarm_.read_odds) && workload_.Chance({3, 4})) {
      scenario_.operations.push_back(DrawRead(workload_));
    }
  }

  Read DrawRead(Random& random) {
    if (random.Chance({1, 5})) return Read{};
    Read read{.rpc = Rpc::kListAgentMessages};
    Anchor anchor{.place = static_cast<AnchorPlace>(random.Below(kAnchorPlaceCount)),
                  .chunk = random.Below(8)};
    if (anchor.place == AnchorPlace::kAbsolute) {
      anchor.offset = static_cast<std::int64_t>(random.Skewed(0, 100));
    } else if (random.Chance({1, 2})) {
      anchor.offset = static_cast<std::int64_t>(random.Below(3)) - 1;
    }
    if (random.Chance({1, 2})) {
      read.after = anchor;
    } else {
      read.before = anchor;
    }
    if (random.Chance({1, 24})) read.before = Anchor{}, read.after = Anchor{};
    if (random.Chance({1, 24})) read.after = Anchor{.offset = -1}, read.before = std::nullopt;
    constexpr std::array<std::int64_t, 8> limits = {0, -1, 1, 2, 3, 199, 200, 201};
    read.limit = random.Chance({1, 2}) ? random.Pick(limits)
                                       : static_cast<std::int64_t>(random.Skewed(1, 200));
    return read;
  }

  // --- faults

  void DrawFate(std::uint64_t turn) {
    std::vector<PlannedStep> plan = PlannedSteps(std::get<Turn>(scenario_.operations.back()));
    DrawEnding(turn, plan);
    DrawUpgrade(turn, plan);
    for (const PlannedStep& step : plan) {
      std::uint64_t attempt = 1;
      while (fate_.Chance(swarm_.fault_odds) && attempt < 6) {
        const auto kind = static_cast<FaultKind>(fate_.Below(kFaultKindCount));
        if (!swarm_.Draws(kind) || !CanHit(kind, step.step)) continue;
        if (kind == FaultKind::kControl) continue;  // an ending, drawn above
        if (kind == FaultKind::kCoreSwap && !swarm_.mixes_versions) continue;
        Fault fault = DrawFault(kind, turn, step, attempt);
        const bool ends_attempt = EndsAttempt(fault);
        scenario_.faults.push_back(std::move(fault));
        if (ends_attempt) ++attempt;
      }
    }
  }

  // A turn may be steered or cancelled at any of its Steps, or fail there; what was planned after
  // that is replaced by what comes instead.
  void DrawEnding(std::uint64_t turn, std::vector<PlannedStep>& plan) {
    const bool control = swarm_.Draws(FaultKind::kControl) && fate_.Chance(swarm_.control_odds);
    const bool failure = !control && swarm_.Draws(FaultKind::kModelError) && fate_.Chance({1, 12});
    if (!control && !failure) return;
    const std::size_t at = fate_.Between(1, plan.size() - 1);
    const FaultKind kind = control                                  ? FaultKind::kControl
                           : plan[at].step == StepKind::kResumeTurn ? FaultKind::kToolError
                                                                    : FaultKind::kModelError;
    Fault fault = DrawFault(kind, turn, plan[at], 1);
    fault.retryable = false;
    plan.resize(at + 1);
    if (!control) {
      plan.push_back({StepKind::kRecordTurnFailure, 1});
    } else {
      // A steer needs a next turn right behind this one; BetweenTurns may put something there, in
      // which case the steer finds nothing to say, and the turn just goes on.
      plan.push_back({StepKind::kApplyTurnControl, 1});
      if (fault.control == ControlKind::kCancel) {
        plan.push_back({StepKind::kFinishTurnCancellation, 1});
      }
    }
    scenario_.faults.push_back(std::move(fault));
  }

  void DrawUpgrade(std::uint64_t turn, const std::vector<PlannedStep>& plan) {
    const bool now =
        swarm_.core == CoreKind::kLegacy && swarm_.upgrade_in_turn && turn == swarm_.legacy_turns;
    if (!now || swarm_.legacy_turns == swarm_.turns) return;
    Fault fault = DrawFault(FaultKind::kCoreSwap, turn, plan[fate_.Below(plan.size())], 1);
    fault.core = CoreKind::kReference;
    fault.this_attempt_only = false;
    scenario_.faults.push_back(std::move(fault));
  }

  static bool EndsAttempt(const Fault& fault) {
    switch (fault.kind) {
      case FaultKind::kKillBeforeLoad:
      case FaultKind::kKillInHandler:
      case FaultKind::kKillBeforeCommit:
      case FaultKind::kKillMidCommit:
      case FaultKind::kStall:
      case FaultKind::kModelError:
      case FaultKind::kToolError:
        return true;
      case FaultKind::kEngineCrash:
        return fault.at != Point::kAfterCommit;
      default:
        return false;
    }
  }

  Fault DrawFault(FaultKind kind, std::uint64_t turn, const PlannedStep& step,
                  std::uint64_t attempt) {
    Fault fault{.kind = kind,
                .turn = turn,
                .step = step.step,
                .occurrence = step.occurrence,
                .attempt = attempt};
    switch (kind) {
      case FaultKind::kKillMidCommit:
        fault.entries = fate_.Skewed(0, 8);
        break;
      case FaultKind::kStall:
        fault.late = static_cast<Late>(fate_.Below(3));
        break;
      case FaultKind::kEngineCrash:
        fault.at = static_cast<Point>(fate_.Below(kPointCount));
        fault.commits = fate_.Skewed(0, kRollbackCommitsMax);
        break;
      case FaultKind::kValueLimit:
      case FaultKind::kResultLimit:
        fault.at = static_cast<Point>(fate_.Below(kPointCount));
        fault.bytes = fate_.Below(1024);  // SettleLimits makes it sound
        break;
      case FaultKind::kOptionsChange:
        options_ = DrawOptions(swarm_, fate_);
        fault.options = options_;
        break;
      case FaultKind::kCoreSwap:
        fault.core = fate_.Chance({1, 2}) ? CoreKind::kLegacy : CoreKind::kReference;
        fault.this_attempt_only = fate_.Chance({1, 2});
        break;
      case FaultKind::kModelError:
      case FaultKind::kToolError:
        fault.retryable = fate_.Chance({3, 4});
        break;
      case FaultKind::kControl:
        fault.at = static_cast<Point>(fate_.Below(kPointCount - 1));
        fault.control = fate_.Chance({1, 2}) ? ControlKind::kSteer : ControlKind::kCancel;
        fault.late = static_cast<Late>(fate_.Below(3));
        break;
      case FaultKind::kReadRace:
        fault.at = static_cast<Point>(fate_.Below(kPointCount));
        fault.read = DrawRead(fate_);
        break;
      default:
        break;
    }
    return fault;
  }

  // --- limits, once everything else is known

  void SettleLimits() {
    // The same limit never refuses what it has let in: with contents at the limit it only rises.
    const SoundLimits least = SoundLimitsOf(scenario_, 0);
    std::uint64_t value = least.value_bytes + config_.Skewed(0, least.value_bytes);
    std::uint64_t value_max = 0;
    if (swarm_.at_value_limit) {
      value = SoundLimitsOf(scenario_, 1).value_bytes + config_.Skewed(0, 8 * kKibibyte);
      value_max = value;
    }
    scenario_.limits.max_value_bytes = value;
    for (Fault& fault : scenario_.faults) {
      if (fault.kind != FaultKind::kValueLimit) continue;
      value = swarm_.at_value_limit ? value + fault.bytes : least.value_bytes + fault.bytes;
      fault.bytes = value;
      if (swarm_.at_value_limit) value_max = value;
    }
    const std::uint64_t result = SoundLimitsOf(scenario_, value_max).result_bytes;
    scenario_.limits.max_result_bytes = result + config_.Skewed(0, result);
    for (Fault& fault : scenario_.faults) {
      if (fault.kind == FaultKind::kResultLimit) fault.bytes += result;
    }
  }

  Random config_;
  Random workload_;
  Random content_;
  Random fate_;
  Swarm swarm_;
  Options options_;  // as of the turn being drawn
  Scenario scenario_;
};

}  // namespace

Scenario GenerateScenario(std::uint64_t seed, const GeneratorConfig& config) {
  return Generator(seed, config).FromNothing();
}

Scenario GenerateAround(std::uint64_t seed, std::vector<Operation> operations,
                        std::vector<Fault> faults, const GeneratorConfig& config) {
  return Generator(seed, config).Around(std::move(operations), std::move(faults));
}

}  // namespace rollover
