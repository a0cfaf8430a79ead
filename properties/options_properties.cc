// Options: changing them at a restart loses nothing and changes nothing that was said.
#include <gtest/gtest.h>

#include "properties/rules_hold.h"

namespace rollover {
namespace {

TEST(OptionsChanges, RulesHold) {
  ExpectRulesHold({.faults = {FaultKind::kOptionsChange, FaultKind::kValueLimit,
                              FaultKind::kResultLimit, FaultKind::kEngineCrash},
                   .restart_odds = {1, 3},
                   .limits_odds = {1, 4}},
                  {Rule::kValueLimit, Rule::kChunkCaps, Rule::kNothingLost});
}

TEST(OptionsChanges, LoseNothing) {
  std::uint64_t changes = 0;
  const bool whole = ForAll<Scenario>(
      Scenarios({.faults = {FaultKind::kOptionsChange, FaultKind::kKillAfterCommit},
                 .compaction_odds = {0, 1},
                 .restart_odds = {1, 3},
                 .sizes_from_options = false,
                 .async = false}),
      [&changes](const Scenario& scenario) {
        Scenario fixed = scenario;
        fixed.faults.clear();
        changes += std::erase_if(fixed.operations, [](const Operation& operation) {
          return std::holds_alternative<Restart>(operation);
        });
        const Ending changed = RunToEnd(scenario);
        const Ending unchanged = RunToEnd(fixed);
        if (!changed.verdict.held()) return Broken("rule", changed.verdict.violations.front().what);
        // The quiet phase of the one may take more turns, to drain a larger window.
        std::vector<ValueRef> kept = changed.kept;
        std::vector<ValueRef> expected = unchanged.kept;
        const std::size_t said = std::min(kept.size(), expected.size());
        if (said < 2 * CountTurns(scenario)) return Broken("messages", "too few");
        kept.resize(said);
        expected.resize(said);
        const std::string difference = FirstDifference(kept, expected);
        return difference.empty() ? Held() : Broken("messages", difference);
      },
      1000);
  if (whole) {
    EXPECT_GT(changes, 4000u);
  }
}

}  // namespace
}  // namespace rollover
