// Migration: a session that 0.1.0 began is, once upgraded, what 0.2.0 would have made of it.
#include <gtest/gtest.h>

#include "properties/rules_hold.h"

namespace rollover {
namespace {

TEST(Migration, RulesHold) {
  ExpectRulesHold({.cores = {CoreKind::kLegacy},
                   .faults = {FaultKind::kCoreSwap, FaultKind::kKillBeforeCommit,
                              FaultKind::kKillAfterCommit, FaultKind::kStall}},
                  {Rule::kUpgradeSafe, Rule::kMigrationBounded});
}

// Messages stay, so that both keep all; no content is sized by what only one of them refuses, and
// pages are anchored where the layout has no say.
TEST(Migration, EndsWhereABeginningOn020Does) {
  std::uint64_t chunked = 0;
  const bool whole = ForAll<Scenario>(
      Scenarios({.restart_odds = {0, 1},
                 .sizes_from_options = false,
                 .anchors_in_chunks = false,
                 .deletes = false}),
      [&chunked](const Scenario& scenario) {
        const Ending migrated = RunToEnd(UpgradedMidway(scenario));
        const Ending begun = RunToEnd(scenario);
        chunked += begun.state.Map(Name::kChunks).size() > 2 ? 1 : 0;
        const std::string messages = FirstDifference(migrated.kept, begun.kept);
        if (!messages.empty()) return Broken("messages", messages);
        const std::string pages = FirstDifference(migrated.pages, begun.pages);
        if (!pages.empty()) return Broken("pages", pages);
        const std::string inputs = FirstDifference(migrated.model_inputs, begun.model_inputs);
        if (!inputs.empty()) return Broken("model-input", inputs);
        const std::string events = FirstDifference(migrated.events, begun.events);
        return events.empty() ? Held() : Broken("events", events);
      },
      1000);
  if (whole) {
    EXPECT_GT(chunked, 400u);
  }
}

}  // namespace
}  // namespace rollover
