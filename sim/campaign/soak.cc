#include "sim/campaign/soak.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "sim/campaign/shrink.h"
#include "sim/random.h"
#include "sim/source.h"
#include "sim/world.h"

namespace rollover {
namespace {

// The source's 800-turn guard: a user message and a reply, each 1,440 bytes encoded plus the digits
// of its sequence, and a compaction, in every turn.
Turn SourceTurn() {
  ContentSpec message;
  message.base = SizeBase::kMessage;
  message.amount = 1440;
  Turn turn;
  turn.user = message;
  Round compact;
  compact.compact = true;
  compact.keep = 1;
  compact.summary = "summary";
  Round reply;
  reply.reply = message;
  turn.rounds = {compact, reply};
  return turn;
}

std::vector<SoakPreset> MakePresets() {
  const Options guard{.retained_message_limit = 100};
  const std::vector<FaultKind> faults = {
      FaultKind::kKillBeforeLoad,  FaultKind::kKillInHandler,   FaultKind::kKillBeforeCommit,
      FaultKind::kKillMidCommit,   FaultKind::kKillAfterCommit, FaultKind::kStall,
      FaultKind::kDuplicateCommit, FaultKind::kEngineCrash,     FaultKind::kReadRace};
  return {
      {"source-800",
       "the source's guard: 800 turns, 100 messages retained",
       800,
       200,
       guard,
       SourceTurn(),
       {},
       {0, 1}},
      {"source-800-faults",
       "the same under kills, stalls, crashes and racing reads",
       800,
       200,
       guard,
       SourceTurn(),
       faults,
       {1, 4}},
      {"source-2000",
       "the same messages, 2,000 turns, the default limit",
       2000,
       200,
       Options{},
       SourceTurn(),
       {},
       {0, 1}},
  };
}

class SoakSource : public ScenarioSource {
 public:
  explicit SoakSource(const SoakConfig& config)
      : preset_(config.preset), fate_(config.seed, "soak faults"), operation_(config.preset.turn) {}

  void Stop() { turns_ = preset_.turns; }

  const Operation* Peek() override { return turns_ < preset_.turns ? &operation_ : nullptr; }
  void Pop() override { ++turns_; }

  std::vector<Fault> FaultsOf(std::uint64_t turn) override {
    std::vector<Fault> faults;
    if (preset_.faults.empty()) return faults;
    std::array<std::uint64_t, kStepKindCount> occurrences{};
    for (const StepKind step : {StepKind::kStartTurn, StepKind::kRunModel,
                                StepKind::kCompactContext, StepKind::kRunModel}) {
      const std::uint64_t occurrence = ++occurrences[static_cast<std::size_t>(step)];
      for (std::uint64_t attempt = 1; attempt < 4 && fate_.Chance(preset_.fault_odds); ++attempt) {
        Fault fault;
        fault.kind = preset_.faults[fate_.Below(preset_.faults.size())];
        fault.turn = turn;
        fault.step = step;
        fault.occurrence = occurrence;
        fault.attempt = attempt;
        fault.at = static_cast<Point>(fate_.Below(kPointCount));
        fault.late = static_cast<Late>(fate_.Below(3));
        fault.entries = fate_.Below(6);
        faults.push_back(fault);
      }
    }
    return faults;
  }

 private:
  const SoakPreset& preset_;
  Random fate_;
  const Operation operation_;
  std::uint64_t turns_ = 0;
};

SoakCheckpoint Look(const World& world, std::uint64_t turn) {
  const FlowState& state = world.engine().state();
  const Ledger& ledger = world.judge().ledger();
  return {.turn = turn,
          .kept_messages = ledger.next() - ledger.first(),
          .window_messages = state.Map(Name::kMessages).size(),
          .chunks = state.Map(Name::kChunks).size(),
          .stored_message_bytes = state.stored_message_bytes(),
          .live_state_bytes = state.live_bytes(),
          .superseded_bytes = world.engine().superseded_bytes()};
}

// The scenario as a file would hold it, up to where the soak stopped.
Scenario Materialise(const SoakConfig& config, std::uint64_t turns) {
  Scenario scenario{.core = config.core.start.value_or(CoreKind::kReference),
                    .options = config.preset.options};
  SoakSource source(config);
  for (std::uint64_t turn = 1; turn <= turns; ++turn) {
    scenario.operations.emplace_back(config.preset.turn);
    for (Fault& fault : source.FaultsOf(turn)) scenario.faults.push_back(fault);
  }
  return scenario;
}

// Returns what kept it from being saved.
std::string ShrinkAndSave(const SoakConfig& config, const std::atomic<bool>& interrupted,
                          FoundFailure& failure) {
  const bool save = !config.out.empty();
  if (config.shrink && failure.rule != Rule::kDeterministic) {
    if (save) {
      if (const auto error = Save(failure, config.core, config.out, "full")) return *error;
    }
    try {
      failure =
          Shrink(failure, config.core.factory, {.jobs = config.jobs, .interrupted = &interrupted})
              .failure;
    } catch (const std::bad_alloc&) {
      // A soak can be so long that no second copy of it fits the memory: what was found stays.
    }
  }
  return save ? Save(failure, config.core, config.out).value_or("") : "";
}

}  // namespace

std::span<const SoakPreset> SoakPresets() {
  static const std::vector<SoakPreset> presets = MakePresets();
  return presets;
}

const SoakPreset* SoakPresetNamed(std::string_view name) {
  for (const SoakPreset& preset : SoakPresets()) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

SoakReport RunSoak(const SoakConfig& config, const std::atomic<bool>& interrupted) {
  const auto begin = std::chrono::steady_clock::now();
  SoakReport report;
  SoakSource source(config);
  WorldConfig world_config{.factory = config.core.factory};
  world_config.on_turn_end = [&](const World& world) {
    report.turns = world.statistics().turns;
    report.stored_total_bytes = world.statistics().stored_bytes;
    if (report.turns % config.preset.every == 0 || report.turns == config.preset.turns) {
      report.checkpoints.push_back(Look(world, report.turns));
    }
    if (interrupted) source.Stop();
  };
  const CoreKind core = config.core.start.value_or(CoreKind::kReference);
  World world(core, config.preset.options, Limits{}, source, world_config);
  const Verdict verdict = world.Run();
  report.statistics = verdict.statistics;
  report.interrupted = interrupted;
  if (!verdict.held()) {
    FoundFailure failure =
        Confirm(Materialise(config, verdict.turns_begun), verdict, config.core.factory);
    failure.seed = config.seed;
    failure.found_by = fmt::format("soak {} --seed {}", config.preset.name, config.seed);
    report.environment_error = ShrinkAndSave(config, interrupted, failure);
    report.failures.push_back(std::move(failure));
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace rollover
