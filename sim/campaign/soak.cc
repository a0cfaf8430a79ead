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

CoreKind CoreOf(const SoakConfig& config) { return config.core.start.value_or(config.preset.core); }

// Makes each turn when it is due.
class SoakSource : public ScenarioSource {
 public:
  explicit SoakSource(const SoakConfig& config)
      : preset_(config.preset),
        upgrade_at_(CoreOf(config) == CoreKind::kLegacy ? config.preset.upgraded_after
                                                        : std::nullopt),
        seed_(config.seed),
        fate_(config.seed, "soak faults") {}

  void Stop() { stopped_ = true; }

  const Operation* Peek() override {
    if (stopped_ || turns_ == preset_.turns) return nullptr;
    if (!due_) {
      const std::uint64_t number = turns_ + 1;
      Random contents(seed_ * kSoakPeriod + number % kSoakPeriod, "soak contents");
      due_ = turns_ == upgrade_at_ ? Operation(Restart{.core = CoreKind::kReference})
                                   : Operation(preset_.turn(number, contents));
    }
    return &*due_;
  }

  Operation Pop() override {
    Operation operation = std::move(*due_);
    due_.reset();
    if (std::holds_alternative<Restart>(operation)) {
      upgrade_at_.reset();
    } else {
      ++turns_;
    }
    return operation;
  }

  std::vector<Fault> FaultsOf(std::uint64_t number, const Turn& turn) override {
    std::vector<Fault> faults;
    if (preset_.faults.empty()) return faults;
    for (const PlannedStep& planned : PlannedSteps(turn)) {
      for (std::uint64_t attempt = 1; attempt < 4 && fate_.Chance(preset_.fault_odds); ++attempt) {
        Fault fault;
        fault.kind = preset_.faults[fate_.Below(preset_.faults.size())];
        fault.turn = number;
        fault.step = planned.step;
        fault.occurrence = planned.occurrence;
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
  std::optional<std::uint64_t> upgrade_at_;
  std::uint64_t seed_;
  Random fate_;
  std::optional<Operation> due_;
  std::uint64_t turns_ = 0;
  bool stopped_ = false;
};

SoakCheckpoint Look(const World& world, std::uint64_t turn) {
  const FlowState& state = world.engine().state();
  const Ledger& ledger = world.judge().ledger();
  SoakCheckpoint checkpoint{.turn = turn,
                            .kept_messages = ledger.next() - ledger.first(),
                            .window_messages = state.Map(Name::kMessages).size(),
                            .chunks = state.Map(Name::kChunks).size(),
                            .stored_message_bytes = state.stored_message_bytes(),
                            .live_state_bytes = state.live_bytes(),
                            .superseded_bytes = world.engine().superseded_bytes(),
                            .bound = world.judge().state_bound()};
  for (std::size_t name = 0; name < kNameCount; ++name) {
    checkpoint.live_bytes[name] = state.live_bytes(static_cast<Name>(name));
  }
  return checkpoint;
}

// The line of best fit through points that are not kept.
class Slope {
 public:
  void Add(double x, double y) {
    ++n_;
    const double dx = x - mean_x_;
    mean_x_ += dx / n_;
    mean_y_ += (y - mean_y_) / n_;
    xx_ += dx * (x - mean_x_);
    xy_ += dx * (y - mean_y_);
  }
  double PerUnit() const { return xx_ == 0 ? 0 : xy_ / xx_; }

 private:
  double n_ = 0;
  double mean_x_ = 0;
  double mean_y_ = 0;
  double xx_ = 0;
  double xy_ = 0;
};

// Looks at the end of every turn.
class Watch {
 public:
  Watch(const SoakConfig& config, SoakReport& report) : config_(config), report_(report) {}

  void OnTurnEnd(const World& world) {
    const std::uint64_t turn = world.statistics().turns;
    const SoakPreset& preset = config_.preset;
    report_.turns = turn;
    report_.stored_total_bytes = world.statistics().stored_bytes;
    const FlowState& state = world.engine().state();
    if (state.live_bytes() > report_.highest.live_state_bytes) report_.highest = Look(world, turn);
    if (turn % preset.every == 0 || turn == preset.turns) {
      report_.checkpoints.push_back(Look(world, turn));
    }
    if (turn * 2 <= preset.turns || turn > preset.turns) return;
    const auto x = static_cast<double>(turn);
    live_.Add(x, static_cast<double>(state.live_bytes()));
    index_.Add(x, static_cast<double>(state.live_bytes(Name::kIndex)));
    const InstanceMap& chunks = state.Map(Name::kChunks);
    if (!chunks.empty()) {
      chunk_bytes_ = std::max(chunk_bytes_, chunks.back().value->encoded_bytes());
    }
    retained_all_along_ = retained_all_along_ && world.judge().ledger().first() > 1;
  }

  void Conclude(std::uint64_t max_value_bytes) {
    const SoakPreset& preset = config_.preset;
    if (report_.turns < preset.turns || report_.turns < 2) return;
    const double half = static_cast<double>(preset.turns - preset.turns / 2);
    const SoakCheckpoint& end = report_.checkpoints.back();
    if (end.bound && retained_all_along_) {
      report_.growth = {.bytes = static_cast<std::int64_t>(live_.PerUnit() * half),
                        .chunk_bytes = chunk_bytes_};
    }
    const double a_turn = index_.PerUnit();
    const auto index = static_cast<double>(end.live_bytes[static_cast<std::size_t>(Name::kIndex)]);
    if (!end.bound && a_turn > 0 && end.chunks > 0) {
      const double left = (static_cast<double>(max_value_bytes) - index) / a_turn;
      report_.index_full_at_turn = preset.turns + static_cast<std::uint64_t>(left) + 1;
    }
  }

 private:
  const SoakConfig& config_;
  SoakReport& report_;
  Slope live_;
  Slope index_;
  std::uint64_t chunk_bytes_ = 0;
  bool retained_all_along_ = true;
};

// The scenario as a file would hold it, up to where the soak stopped.
Scenario Materialise(const SoakConfig& config, std::uint64_t turns) {
  Scenario scenario{.core = CoreOf(config), .options = config.preset.options};
  SoakSource source(config);
  for (std::uint64_t turn = 0; turn < turns;) {
    CHECK(source.Peek() != nullptr);
    scenario.operations.push_back(source.Pop());
    const auto* next = std::get_if<Turn>(&scenario.operations.back());
    if (next == nullptr) continue;
    for (const Fault& fault : source.FaultsOf(++turn, *next)) scenario.faults.push_back(fault);
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

SoakReport RunSoak(const SoakConfig& config, const std::atomic<bool>& interrupted) {
  const auto begin = std::chrono::steady_clock::now();
  SoakReport report;
  SoakSource source(config);
  WorldConfig world_config{.factory = config.core.factory};
  world_config.checks = config.checks;
  world_config.keep_unfired = false;
  Watch watch(config, report);
  SoakSampler sampler(config.preset.turns);
  if (config.sample) {
    world_config.trace = [&](const TraceEvent& event) { sampler.OnEvent(event); };
  }
  world_config.on_turn_end = [&](const World& world) {
    watch.OnTurnEnd(world);
    if (config.sample) sampler.OnTurnEnd(world);
    if (interrupted) source.Stop();
  };
  const Limits limits;
  World world(CoreOf(config), config.preset.options, limits, source, world_config);
  const Verdict verdict = world.Run();
  report.statistics = verdict.statistics;
  report.interrupted = interrupted;
  report.samples = sampler.Take();
  watch.Conclude(limits.max_value_bytes);
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
