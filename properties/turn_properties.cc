// Turns: replies are counted rightly, whatever else happens in the turn.
#include <gtest/gtest.h>

#include "properties/rules_hold.h"

namespace rollover {
namespace {

TEST(Turns, RulesHold) {
  ExpectRulesHold(
      {.faults = {FaultKind::kControl, FaultKind::kModelError, FaultKind::kToolError,
                  FaultKind::kKillBeforeCommit, FaultKind::kKillAfterCommit}},
      {Rule::kReplySequenceOnce, Rule::kReplyCount, Rule::kSessionState, Rule::kNoWedge});
}

Scenario WithoutCompaction(Scenario scenario) {
  for (Operation& operation : scenario.operations) {
    auto* turn = std::get_if<Turn>(&operation);
    if (turn != nullptr) std::erase_if(turn->rounds, [](const Round& r) { return r.compact; });
  }
  return scenario;
}

// Even one that deletes the turn's own first replies.
TEST(Turns, CompactionPointsChangeNoReplyCount) {
  std::uint64_t deleted = 0;
  const bool whole = ForAll<Scenario>(
      Scenarios({.compaction_odds = {2, 3}}),
      [&deleted](const Scenario& scenario) {
        const Ending with = RunToEnd(scenario);
        const Ending without = RunToEnd(WithoutCompaction(scenario));
        deleted += with.kept.size() < without.kept.size() ? 1 : 0;
        const std::string difference = FirstDifference(with.events, without.events);
        return difference.empty() ? Held() : Broken("replies", difference);
      },
      1000);
  if (whole) {
    EXPECT_GT(deleted, 200u);
  }
}

}  // namespace
}  // namespace rollover
