#include "sim/campaign/continuation.h"

#include <algorithm>
#include <array>

#include "sim/campaign/smaller.h"
#include "sim/scenario_parts.h"
#include "sim/sound.h"

namespace rollover {
namespace {

bool Completes(const Round& round) { return !round.compact && round.tools.empty(); }

// Where the first hand-outs have led to.
struct Reached {
  std::uint64_t turns = 0;                                  // begun
  bool over = true;                                         // the last of them
  std::array<std::uint64_t, kStepKindCount> occurrences{};  // in the last of them
};

Reached ReachedBy(const std::vector<HandOut>& hand_outs, std::size_t count) {
  Reached reached;
  for (std::size_t i = 0; i < count; ++i) {
    reached.turns = std::max({reached.turns, hand_outs[i].turn, hand_outs[i].steered_to});
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (hand_outs[i].turn != reached.turns) continue;
    auto& occurrence = reached.occurrences[static_cast<std::size_t>(hand_outs[i].step)];
    occurrence = std::max(occurrence, hand_outs[i].occurrence);
  }
  reached.over = count == 0 || (count < hand_outs.size() && hand_outs[count].turn > reached.turns);
  return reached;
}

// Everything up to and with the `turns`-th turn; nothing for 0.
std::size_t OperationsUntil(const Scenario& scenario, std::uint64_t turns) {
  std::uint64_t turn = 0;
  for (std::size_t i = 0; i < scenario.operations.size(); ++i) {
    if (turn == turns) return i;
    if (std::holds_alternative<Turn>(scenario.operations[i])) ++turn;
  }
  return scenario.operations.size();
}

bool HasStruck(const Fault& fault, const HandOutLog& log, std::size_t count) {
  const auto end = log.hand_outs.begin() + static_cast<std::ptrdiff_t>(count);
  return std::any_of(log.hand_outs.begin(), end, [&](const HandOut& hand_out) {
    return fault.turn == hand_out.turn && fault.step == hand_out.step &&
           fault.occurrence == hand_out.occurrence && fault.attempt == hand_out.attempt;
  });
}

// Up to and with the round of the `models`-th call; a core that does not compact passes over the
// rounds that ask for it. Then come the drawn turn's rounds.
void ContinueTurn(Turn& turn, const Turn& drawn, std::uint64_t models, bool compacts) {
  std::size_t kept = 0;
  std::uint64_t calls = 0;
  while (kept < turn.rounds.size() && calls < models) {
    if (compacts || !turn.rounds[kept].compact) ++calls;
    ++kept;
  }
  turn.rounds.resize(kept);
  if (calls < models) return;  // its last reply is being made
  if (calls > 0 && Completes(turn.rounds.back())) return;
  turn.rounds.insert(turn.rounds.end(), drawn.rounds.begin(), drawn.rounds.end());
}

bool SizesByLimit(const Scenario& scenario) {
  bool sizes = false;
  ForEachContent(scenario,
                 [&](const ContentSpec& spec) { sizes = sizes || spec.base == SizeBase::kLimit; });
  return sizes;
}

// Without operations from the `kept`-th on, as few as need be, until it is sound as it is: contents
// sized by a limit would change with the limit.
Scenario TrimUntilSound(Scenario scenario, std::size_t kept) {
  while (scenario.operations.size() > kept && MakeSound(scenario) != scenario) {
    const std::size_t drawn = scenario.operations.size() - kept;
    scenario.operations.resize(kept + drawn / 2);
    const std::uint64_t turns = CountTurns(scenario);
    std::erase_if(scenario.faults, [&](const Fault& fault) { return fault.turn > turns; });
  }
  return scenario;
}

}  // namespace

Scenario Continue(const Scenario& scenario, const HandOutLog& log, std::size_t count,
                  std::uint64_t seed, const std::optional<GeneratorConfig>& generator) {
  const bool sound = MakeSound(scenario) == scenario;
  const Reached reached = ReachedBy(log.hand_outs, count);
  const std::size_t kept = OperationsUntil(scenario, reached.turns);
  const Settings now = SettingsAfter(scenario, kept);
  const GeneratorConfig as_now{.core = now.core, .options = now.options};
  const Scenario drawn = GenerateScenario(seed, generator.value_or(as_now));

  Scenario next = scenario;
  next.operations.resize(kept);
  for (const Fault& unfired : log.verdict.unfired) {  // of two alike, one may have struck
    next.faults.erase(std::find(next.faults.begin(), next.faults.end(), unfired));
  }
  std::erase_if(next.faults, [&](const Fault& fault) { return !HasStruck(fault, log, count); });
  // The drawn first turn goes on with the one that runs.
  std::size_t from = 0;
  std::uint64_t joined = 0;
  if (!reached.over) {
    from = OperationsUntil(drawn, 1);
    joined = 1;
    const auto models = reached.occurrences[static_cast<std::size_t>(StepKind::kRunModel)];
    ContinueTurn(std::get<Turn>(next.operations.back()), std::get<Turn>(drawn.operations[from - 1]),
                 models, now.options.compaction && ProfileOf(now.core).compaction);
  }
  next.operations.insert(next.operations.end(),
                         drawn.operations.begin() + static_cast<std::ptrdiff_t>(from),
                         drawn.operations.end());
  for (Fault fault : drawn.faults) {
    if (fault.turn <= joined) {
      fault.occurrence += reached.occurrences[static_cast<std::size_t>(fault.step)];
      if (fault.step == StepKind::kStartTurn) continue;
    }
    fault.turn += reached.turns - joined;
    next.faults.push_back(std::move(fault));
  }
  if (!sound) return next;
  return SizesByLimit(next) ? TrimUntilSound(std::move(next), kept) : MakeSound(std::move(next));
}

}  // namespace rollover
