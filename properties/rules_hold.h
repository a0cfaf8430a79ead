// Rules hold: what the families of rules have in common. A scenario runs on the model's cores, and
// every rule is judged; a family says what its scenarios are like, and which rules they must have
// given something to judge.
#pragma once

#include <string>
#include <vector>

#include "model/rules/rule.h"
#include "properties/arbitrary.h"
#include "properties/property.h"
#include "sim/world.h"

namespace rollover {

// Whether every rule held in one run. `core` is a core specification (sim/cores/cores.h); `ran`
// receives the run's verdict.
Answer HoldsOn(const Scenario& scenario, const std::string& core, Verdict* ran = nullptr);

// The session of a scenario that began with 0.1.0 and was upgraded in the middle.
Scenario UpgradedMidway(Scenario scenario);

// One property: scenarios of this shape break no rule on the core they start on, without
// compaction, and upgraded midway; and leave the same trace behind bytes.
void ExpectRulesHold(const Shape& shape, const std::vector<Rule>& judged, int cases = 500);

// A run to the end, and what it left.
struct Ending {
  Verdict verdict{};
  FlowState state{};
  std::vector<std::string> events{};        // "TurnCompleted t00000001 replies 2"; no warnings
  std::vector<std::string> model_inputs{};  // "the model saw 1..3"
  std::vector<std::string> pages{};         // every list_agent_messages, contents included
  std::vector<ValueRef> kept{};             // every message, ascending
};
Ending RunToEnd(const Scenario& scenario);

// Empty, or the first place where two lists part.
std::string FirstDifference(const std::vector<std::string>& a, const std::vector<std::string>& b);
std::string FirstDifference(const std::vector<ValueRef>& a, const std::vector<ValueRef>& b);

}  // namespace rollover
