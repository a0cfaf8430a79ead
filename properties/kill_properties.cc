// Kills: a Worker or an engine that dies anywhere, and comes back, leaves what an undisturbed one
// would have left.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "properties/rules_hold.h"

namespace rollover {
namespace {

enum class Events { kAsOften, kPerhapsMoreOften };

Answer EndsAlike(const Scenario& scenario, Events events, std::uint64_t& struck) {
  Scenario calm = scenario;
  calm.faults.clear();
  const Ending killed = RunToEnd(scenario);
  const Ending undisturbed = RunToEnd(calm);
  struck += scenario.faults.size() - killed.verdict.unfired.size();
  if (!killed.verdict.held()) return Broken("rule", killed.verdict.violations.front().what);
  const std::string messages = FirstDifference(killed.kept, undisturbed.kept);
  if (!messages.empty()) return Broken("messages", messages);
  if (!(killed.state == undisturbed.state)) return Broken("state", "another Flow state");
  if (events == Events::kPerhapsMoreOften) return Held();
  const std::string told = FirstDifference(killed.events, undisturbed.events);
  if (!told.empty()) return Broken("events", told);
  const std::string seen = FirstDifference(killed.model_inputs, undisturbed.model_inputs);
  return seen.empty() ? Held() : Broken("model-input", seen);
}

TEST(Kills, AndRetryEndWhereNoKillDoes) {
  std::uint64_t struck = 0;
  std::vector<FaultKind> faults = Kills();
  faults.push_back(FaultKind::kEngineCrash);  // sync: what was acknowledged stays
  const bool whole = ForAll<Scenario>(
      Scenarios({.faults = faults, .async = false}),
      [&](const Scenario& scenario) { return EndsAlike(scenario, Events::kAsOften, struck); },
      1000);
  if (whole) {
    EXPECT_GT(struck, 3000u);
  }
}

// A roll-back undoes commits, so events are told twice; what is left at the end is the same.
// Options stay: a restart is not undone.
TEST(Kills, ARolledBackEngineEndsWhereNoCrashDoes) {
  std::uint64_t struck = 0;
  const bool whole = ForAll<Scenario>(
      Scenarios({.faults = {FaultKind::kEngineCrash, FaultKind::kKillAfterCommit},
                 .restart_odds = {0, 1},
                 .limits_odds = {0, 1}}),
      [&](const Scenario& scenario) {
        return EndsAlike(scenario, Events::kPerhapsMoreOften, struck);
      },
      1000);
  if (whole) {
    EXPECT_GT(struck, 2000u);
  }
}

}  // namespace
}  // namespace rollover
