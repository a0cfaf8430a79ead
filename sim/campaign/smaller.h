// Smaller scenarios: what a shrinker may try in place of one. Pure functions of the scenario; none
// knows whether what it proposes is sound, or still fails.
//
// An edit that takes turns away keeps the faults of the others on them: a fault names its turn by
// number, and the occurrence of its Step in the turn, so both move along.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/scenario.h"

namespace rollover {

using Edit = std::function<void(Scenario&)>;
using Edits = std::vector<Edit>;

// How large a scenario is; the first number that differs decides.
struct ScenarioSize {
  std::uint64_t operations = 0;
  std::uint64_t faults = 0;
  std::uint64_t rounds = 0;         // model calls and tool results that the turns ask for
  std::uint64_t content_bytes = 0;  // above the default content; another fill than ASCII counts too
  std::uint64_t settings = 0;  // distance of options from the smallest, of limits from defaults
  std::uint64_t details = 0;   // of faults, reads and compactions: what is not the simplest

  friend auto operator<=>(const ScenarioSize&, const ScenarioSize&) = default;
};
ScenarioSize SizeOf(const Scenario& scenario);
std::uint64_t CountRounds(const Scenario& scenario);
std::uint64_t CountTools(const Scenario& scenario);

// What restarts and faults of the first `operations` operations leave in force.
struct Settings {
  CoreKind core = CoreKind::kReference;
  Options options{};
};
Settings SettingsAfter(const Scenario& scenario, std::size_t operations);

// Without the `i`-th operation, from 0; with the next one before it.
Edit WithoutOperation(std::size_t i);
Edit OperationLater(std::size_t i);

// Rounds that stand behind the reply that completes their turn are never run.
void DropIdleRounds(Scenario& scenario);

// The last 1, 2, 4, ... operations, with the settings that were in force there, or with tiny
// options: what breaks at once in a small session need not be looked for in a long one.
Edits Tails(const Scenario& scenario);
// One change to everything of a kind: tiny options, default contents, no tools, no restarts, no
// faults, ...
Edits WholeKinds(const Scenario& scenario);

// Without `size` neighbouring operations (or faults, rounds, tool results); one edit a block.
Edits OperationBlocks(const Scenario& scenario, std::size_t size);
Edits FaultBlocks(const Scenario& scenario, std::size_t size);
Edits RoundBlocks(const Scenario& scenario, std::size_t size);
Edits ToolBlocks(const Scenario& scenario, std::size_t size);
// Without two operations that are not neighbours: a change and what takes it back.
Edits OperationPairs(const Scenario& scenario);
// `size` neighbouring operations become one turn that stores the same messages: a reply that ended
// a turn calls a tool instead, and the next user message is its result. Many failures need a number
// of messages, not of turns.
Edits Folds(const Scenario& scenario, std::size_t size);

// One field of one thing made simpler.
Edits SimplerSettings(const Scenario& scenario);
Edits SimplerFaults(const Scenario& scenario);
Edits SimplerContents(const Scenario& scenario);
Edits SimplerReads(const Scenario& scenario);
// Options back at their defaults, to show which of the small ones matter.
Edits DefaultSettings(const Scenario& scenario);

}  // namespace rollover
