// Loads: every Step is handed what it may see, and the model sees what it should.
#include <gtest/gtest.h>

#include "properties/rules_hold.h"

namespace rollover {
namespace {

TEST(Loads, RulesHold) {
  ExpectRulesHold({.faults = {FaultKind::kControl, FaultKind::kKillInHandler,
                              FaultKind::kEngineCrash, FaultKind::kOptionsChange},
                   .compaction_odds = {1, 3}},
                  {Rule::kBoundedLoads, Rule::kModelInput});
}

TEST(Loads, RulesHoldWhenEverythingHappens) {
  ExpectRulesHold(EverythingHappens(), {Rule::kBoundedLoads, Rule::kModelInput, Rule::kNoWedge},
                  2000);
}

}  // namespace
}  // namespace rollover
