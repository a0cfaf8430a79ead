// Hand-outs: the moments of a run at which something may strike, as a scenario can name them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/scenario.h"
#include "sim/world.h"

namespace rollover {

struct HandOut {
  std::uint64_t turn = 0;
  StepKind step = StepKind::kStartTurn;
  std::uint64_t occurrence = 1;
  std::uint64_t attempt = 1;
  bool committed = false;
  std::uint64_t entries = 0;     // writes of its commit
  std::uint64_t commits = 0;     // of the session before it
  std::uint64_t event = 0;       // the trace's number of it
  std::uint64_t steered_to = 0;  // the turn that a steer at it brought along; 0: none
};

// Of the scenario's turns, in the order in which they happened; without the quiet phase.
struct HandOutLog {
  std::vector<HandOut> hand_outs{};
  Verdict verdict{};  // of the run
};
// `on_turn_end` hears of each idle moment before the quiet phase, and of how many hand-outs there
// were by then.
HandOutLog HandOutsOf(const Scenario& scenario, const CoreFactory& factory,
                      const std::function<void(const World&, std::size_t)>& on_turn_end = {});

}  // namespace rollover
