// fuzz_migration: any session of 0.1.0, upgraded after any of its turns, and read page by page at
// every stage.
#include <algorithm>

#include "fuzz/target.h"
#include "sim/sound.h"

namespace rollover {
namespace {

// The scenario as 0.1.0 would begin it, with the upgrade after `turns` turns.
Scenario Upgraded(Scenario scenario, std::uint64_t turns, CoreKind to) {
  scenario.core = CoreKind::kLegacy;
  std::vector<Operation> operations;
  std::uint64_t seen = 0;
  const Read whole{.rpc = Rpc::kListAgentMessages, .after = Anchor{}};
  for (Operation& operation : scenario.operations) {
    auto* restart = std::get_if<Restart>(&operation);
    if (restart != nullptr && seen < turns) restart->core.reset();
    const bool turn = std::holds_alternative<Turn>(operation);
    operations.push_back(std::move(operation));
    if (!turn) continue;
    if (++seen == turns) operations.push_back(Restart{.core = to});
    if (seen >= turns) operations.push_back(whole);
  }
  scenario.operations = std::move(operations);
  return MakeSound(std::move(scenario));
}

}  // namespace

void Fuzz(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  // The first byte of a scenario's bytes is their version, which nobody reads yet.
  const std::uint8_t choice = bytes.front();
  const Scenario scenario = FuzzedScenario(bytes);
  const std::uint64_t turns = CountTurns(scenario);
  const CoreKind to = choice % 8 == 7 ? CoreKind::kNoCompaction : CoreKind::kReference;
  const Scenario upgraded = Upgraded(scenario, turns == 0 ? 0 : choice % turns + 1, to);
  ExpectHeld(upgraded, RunScenario(upgraded));
}

}  // namespace rollover
