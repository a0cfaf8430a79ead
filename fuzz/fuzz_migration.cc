// fuzz_migration: any session of 0.1.0, upgraded after any of its turns, and read page by page at
// every stage.
#include <algorithm>

#include "fuzz/target.h"
#include "sim/scenario_bytes.h"
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

// Which turn, and to which core, the spare bytes of the header say.
void Fuzz(std::span<const std::uint8_t> bytes) {
  const std::span<const std::uint8_t> spare = bytes.subspan(std::min(bytes.size(), kSpareByte));
  const std::uint8_t turn = spare.empty() ? 0 : spare[0];
  const bool compacts = spare.size() < 2 || spare[1] % 8 != 7;
  const Scenario scenario = FuzzedScenario(bytes);
  const std::uint64_t turns = CountTurns(scenario);
  const Scenario upgraded = Upgraded(scenario, turns == 0 ? 0 : turn % turns + 1,
                                     compacts ? CoreKind::kReference : CoreKind::kNoCompaction);
  ExpectHeld(upgraded, RunScenario(upgraded));
}

}  // namespace rollover
