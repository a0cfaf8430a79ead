// Long failures: sessions of any length in which a planted bug strikes only at the end.
//
// The turns come from the swarm, and so do faults, reads and restarts around them. Where the bug
// strikes too early in such a session, its first part runs with a window that never rolls over, or
// on one of the model's cores that the bug does not stand for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "sim/cores/planted_bugs.h"
#include "sim/generator.h"
#include "sim/sound.h"

namespace rollover {

struct LongFailure {
  Scenario scenario;
  Verdict verdict;
};

class LongFailureMaker {
 public:
  LongFailureMaker(const PlantedBug& bug, std::uint64_t turns, std::size_t faults)
      : bug_(bug), factory_(FactoryOf(bug)), turns_(turns), faults_(faults) {}

  // The bug strikes behind the first `turns` turns and `faults` faults.
  std::optional<LongFailure> Make() const {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
      const Scenario ending = GenerateScenario(seed);
      const Verdict verdict = RunScenario(ending, {.factory = factory_});
      if (verdict.held() || verdict.violations.front().rule != bug_.expected) continue;
      for (const Scenario& beginning : Beginnings(seed, ending)) {
        if (auto found = Try(beginning, ending)) return found;
      }
    }
    return std::nullopt;
  }

 private:
  std::vector<Operation> Turns(std::uint64_t seed) const {
    std::vector<Operation> turns;
    for (std::uint64_t from = 100 * seed; turns.size() < turns_; ++from) {
      Scenario part = GenerateScenario(from);
      LimitContents(part, 64 * kKibibyte);
      for (Operation& operation : part.operations) {
        if (std::holds_alternative<Turn>(operation) && turns.size() < turns_) {
          turns.push_back(std::move(operation));
        }
      }
    }
    return turns;
  }

  // One way to spend the first part after the other, the most natural first.
  std::vector<Scenario> Beginnings(std::uint64_t seed, const Scenario& ending) const {
    const std::vector<Operation> turns = Turns(seed);
    std::vector<Scenario> beginnings;
    const Options wide{.message_window_size = 1'000'000, .retained_message_limit = std::nullopt};
    const auto add = [&](CoreKind core, const std::optional<Options>& options) {
      // Not every swarm has many faults.
      for (std::uint64_t swarm = seed; swarm < seed + 64; ++swarm) {
        Scenario beginning = GenerateAround(swarm, turns, {}, {.core = core, .options = options});
        std::erase_if(beginning.operations, [](const Operation& operation) {
          const auto* restart = std::get_if<Restart>(&operation);
          return restart != nullptr && restart->core.has_value();
        });
        std::erase_if(beginning.faults,
                      [](const Fault& fault) { return fault.kind == FaultKind::kCoreSwap; });
        if (beginning.faults.size() < faults_) continue;
        ThinOut(beginning.faults);
        beginnings.push_back(std::move(beginning));
        return;
      }
    };
    if (ending.core == CoreKind::kLegacy) {
      add(CoreKind::kLegacy, std::nullopt);
      return beginnings;
    }
    add(CoreKind::kReference, std::nullopt);
    add(CoreKind::kReference, wide);
    add(CoreKind::kNoCompaction, std::nullopt);
    return beginnings;
  }

  // Every so manieth stays, so that they are spread.
  void ThinOut(std::vector<Fault>& faults) const {
    std::vector<Fault> kept;
    for (std::size_t i = 0; i < faults.size(); ++i) {
      if (i * faults_ / faults.size() != (i + 1) * faults_ / faults.size()) {
        kept.push_back(faults[i]);
      }
    }
    faults = std::move(kept);
  }

  std::optional<LongFailure> Try(const Scenario& beginning, const Scenario& ending) const {
    LongFailure found{.scenario = beginning, .verdict = {}};
    Scenario& scenario = found.scenario;
    const std::uint64_t turns = CountTurns(scenario);
    scenario.limits.durability = ending.limits.durability;
    scenario.limits.max_value_bytes =
        std::max(scenario.limits.max_value_bytes, ending.limits.max_value_bytes);
    scenario.limits.max_result_bytes =
        std::max(scenario.limits.max_result_bytes, ending.limits.max_result_bytes);
    scenario.operations.emplace_back(Restart{.options = ending.options, .core = ending.core});
    for (const Operation& operation : ending.operations) scenario.operations.push_back(operation);
    for (Fault fault : ending.faults) {
      fault.turn += turns;
      scenario.faults.push_back(std::move(fault));
    }
    scenario = MakeSound(std::move(scenario));
    found.verdict = RunScenario(scenario, {.factory = factory_});
    if (found.verdict.held() || found.verdict.turns_begun <= turns) return std::nullopt;
    if (found.verdict.where.turn > found.verdict.turns_begun)
      return std::nullopt;  // when all is over
    if (found.verdict.violations.front().rule != bug_.expected) return std::nullopt;
    if (!RunScenario(scenario).held()) return std::nullopt;
    return found;
  }

  const PlantedBug& bug_;
  const CoreFactory factory_;
  const std::uint64_t turns_;
  const std::size_t faults_;
};

}  // namespace rollover
