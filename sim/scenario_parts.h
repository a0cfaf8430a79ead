// Every part of one kind of a scenario, in the order in which it comes into force. `scenario` may
// be const; the visitor gets its parts as const then.
#pragma once

#include "sim/scenario.h"

namespace rollover {

// The scenario's own options, those of restarts, those of options-change faults.
template <typename AnyScenario, typename Visit>
void ForEachOptions(AnyScenario& scenario, Visit visit) {
  visit(scenario.options);
  for (auto& operation : scenario.operations) {
    auto* restart = std::get_if<Restart>(&operation);
    if (restart != nullptr && restart->options) visit(*restart->options);
  }
  for (auto& fault : scenario.faults) {
    if (fault.kind == FaultKind::kOptionsChange) visit(fault.options);
  }
}

template <typename AnyScenario, typename Visit>
void ForEachTurn(AnyScenario& scenario, Visit visit) {
  for (auto& operation : scenario.operations) {
    if (auto* turn = std::get_if<Turn>(&operation)) visit(*turn);
  }
}

// Of each turn the user's, then of each round the reply and the tool results.
template <typename AnyScenario, typename Visit>
void ForEachContent(AnyScenario& scenario, Visit visit) {
  ForEachTurn(scenario, [&visit](auto& turn) {
    visit(turn.user);
    for (auto& round : turn.rounds) {
      visit(round.reply);
      for (auto& tool : round.tools) visit(tool);
    }
  });
}

}  // namespace rollover
