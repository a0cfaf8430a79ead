// Explore: what it counts is golden, what it does agrees with a World, and planted bugs end in a
// scenario of a few operations that replays.
//
// A golden count that changes is to be explained in the commit that changes it: the protocol, the
// faults or the menu of a preset have changed, or states are told apart in another way.
#include "sim/campaign/explore.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/campaign/digest_set.h"
#include "sim/cores/planted_bugs.h"
#include "sim/scenario_json.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

const std::atomic<bool> kNever{false};

ExploreConfig ConfigOf(std::string_view preset, std::uint64_t turns, std::uint64_t faults) {
  return {.preset = *ExplorePresetNamed(preset), .turns = turns, .faults = faults};
}

struct Counts {
  std::uint64_t states;
  std::uint64_t transitions;
  std::uint64_t crash_points;
};

void ExpectCounts(const ExploreConfig& config, const Counts& golden) {
  const ExploreReport report = Explore(config, kNever);
  EXPECT_TRUE(report.complete()) << report.search.stopped_by;
  EXPECT_TRUE(report.failures.empty());
  EXPECT_EQ(report.search.states, golden.states);
  EXPECT_EQ(report.search.transitions, golden.transitions);
  EXPECT_EQ(report.search.crash_points_struck, golden.crash_points);
  EXPECT_EQ(report.crash_points, golden.crash_points);
}

TEST(Explore, GoldenCountsOfThreeTurnsWithOneFault) {
  ExpectCounts(ConfigOf("tiny", 3, 1), {6451, 18459, 3961});
}

TEST(Explore, GoldenCountsOfTwoTurnsThatAnEngineCrashUndoes) {
  ExpectCounts(ConfigOf("async", 2, 1), {1450, 3680, 520});
}

TEST(Explore, GoldenCountsOfAMigration) {
  ExpectCounts(ConfigOf("migration", 3, 1), {17127, 52724, 12397});
}

TEST(Explore, GoldenCountsOfTwoFaults) { ExpectCounts(ConfigOf("tiny", 2, 2), {5230, 26580, 728}); }

TEST(Explore, IsTheSameEveryTime) {
  const ExploreConfig config = ConfigOf("async", 2, 1);
  const ExploreReport once = Explore(config, kNever);
  const ExploreReport again = Explore(config, kNever);
  EXPECT_EQ(once.search.states, again.search.states);
  EXPECT_EQ(once.search.transitions, again.search.transitions);
  EXPECT_EQ(once.search.reads, again.search.reads);
  EXPECT_EQ(once.search.depth, again.search.depth);
}

// Every leaf of the search, run as a scenario: the World must hit every decision and store the same
// values.
void ExpectWorldsAgree(const ExploreConfig& config) {
  SearchConfig search = SearchOf(config);
  std::uint64_t leaves = 0;
  std::uint64_t faults = 0;
  search.on_leaf = [&](const Scenario& scenario, const ExploredSession& session) {
    ++leaves;
    faults += scenario.faults.size();
    if (testing::Test::HasFailure()) return;
    ASSERT_EQ(Invalid(scenario), std::nullopt);
    // The last session of the scenario's own, before the quiet phase.
    bool same = false;
    WorldConfig world;
    world.on_turn_end = [&](const World& at) {
      same = at.engine().state() == session.engine().state();
    };
    const Verdict verdict = RunScenario(scenario, world);
    EXPECT_TRUE(verdict.held()) << verdict.violations.front().what;
    EXPECT_TRUE(verdict.unfired.empty()) << WriteScenario({.scenario = scenario});
    EXPECT_TRUE(same) << WriteScenario({.scenario = scenario});
  };
  Search(search, kNever);
  EXPECT_GT(leaves, 50U);
  EXPECT_GT(faults, 20U);
}

TEST(Explore, AgreesWithAWorldOnTwoFaults) { ExpectWorldsAgree(ConfigOf("tiny", 2, 2)); }

TEST(Explore, AgreesWithAWorldThatIsRolledBack) { ExpectWorldsAgree(ConfigOf("async", 2, 1)); }

TEST(Explore, AgreesWithAWorldThatIsRolledBackTwice) {
  ExploreConfig config = ConfigOf("async", 2, 2);
  config.preset.scope.menu.resize(2);
  ExpectWorldsAgree(config);
}

TEST(Explore, AgreesWithAWorldThatMigrates) { ExpectWorldsAgree(ConfigOf("migration", 2, 1)); }

// A bug in a core that the search must bring back to memory, too.
struct BugCase {
  std::string_view bug;
  std::string_view preset;
  std::uint64_t turns;
  std::uint64_t faults;
};

class ExploreFindsBugs : public testing::TestWithParam<BugCase> {};

TEST_P(ExploreFindsBugs, WithAScenarioOfSixDecisionsAtMost) {
  const BugCase& given = GetParam();
  const PlantedBug* bug = PlantedBugNamed(given.bug);
  ASSERT_NE(bug, nullptr);
  test::Scratch scratch;
  ExploreConfig config = ConfigOf(given.preset, given.turns, given.faults);
  config.core = ParseCoreSpec("bug:" + std::string(given.bug)).value();
  config.out = scratch.path();
  const ExploreReport report = Explore(config, kNever);
  EXPECT_EQ(report.environment_error, "");
  ASSERT_EQ(report.failures.size(), 1U) << report.search.states << " states";
  const FoundFailure& failure = report.failures.front();
  EXPECT_EQ(RuleName(failure.rule), RuleName(bug->expected)) << failure.what;
  EXPECT_LE(failure.scenario.operations.size() + failure.scenario.faults.size(), 6U);
  const Verdict verdict = RunScenario(failure.scenario, {.factory = config.core.factory});
  ASSERT_FALSE(verdict.held());
  EXPECT_EQ(verdict.violations.front().rule, failure.rule);
  EXPECT_TRUE(RunScenario(failure.scenario).held()) << "the model breaks a rule, too";
  EXPECT_TRUE(std::filesystem::exists(failure.saved));
}

INSTANTIATE_TEST_SUITE_P(Planted, ExploreFindsBugs,
                         testing::Values(BugCase{"rolled-message-not-deleted", "tiny", 3, 1},
                                         BugCase{"run-overlaps-window", "tiny", 3, 1},
                                         BugCase{"index-last-one-past", "tiny", 3, 1},
                                         BugCase{"has-more-from-page-size", "tiny", 3, 1},
                                         BugCase{"page-before-inclusive", "tiny", 3, 1},
                                         BugCase{"retention-by-first", "tiny", 4, 1},
                                         BugCase{"second-chunk-under-first-key", "tiny", 4, 1},
                                         BugCase{"loads-miss-newest-chunk", "tiny", 3, 1},
                                         BugCase{"reply-sequence-rewritten-on-retry", "tiny", 2, 1},
                                         BugCase{"sequence-from-process-memory", "tiny", 2, 1},
                                         BugCase{"steer-counts-the-new-message", "tiny", 2, 1},
                                         BugCase{"late-reply-stored-after-cancel", "tiny", 2, 1},
                                         BugCase{"retention-one-chunk-per-commit", "tiny", 3, 1},
                                         BugCase{"size-in-code-points", "tiny", 1, 0},
                                         BugCase{"legacy-oversized-skipped", "migration", 2, 1},
                                         BugCase{"deletes-without-compaction", "no-compaction", 3,
                                                 0},
                                         BugCase{"cache-kept-after-roll-back", "async", 3, 1}),
                         [](const testing::TestParamInfo<BugCase>& bug) {
                           std::string name{bug.param.bug};
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Explore, StopsAtAMaximumAndSaysSo) {
  ExploreConfig config = ConfigOf("tiny", 3, 1);
  config.states_max = 1000;
  const ExploreReport states = Explore(config, kNever);
  EXPECT_FALSE(states.complete());
  EXPECT_EQ(states.search.stopped_by, "--max-states");
  EXPECT_EQ(states.search.states, 1000U);
  EXPECT_EQ(ExploreJson(config, states)["complete"], false);

  config = ConfigOf("tiny", 3, 1);
  config.memory_max = 64 * kKibibyte;
  const ExploreReport memory = Explore(config, kNever);
  EXPECT_FALSE(memory.complete());
  EXPECT_EQ(memory.search.stopped_by, "--max-memory");
}

TEST(DigestSet, KnowsWhatItWasGivenAndNothingElse) {
  DigestSet set(1 << 20);
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    EXPECT_EQ(set.Insert({i * 7, i}), DigestSet::Answer::kNew);
  }
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    EXPECT_EQ(set.Insert({i * 7, i}), DigestSet::Answer::kKnown);
  }
  EXPECT_EQ(set.Insert({7, 2}), DigestSet::Answer::kNew);
  EXPECT_EQ(set.size(), 10'001U);
}

TEST(DigestSet, IsFullBeforeItsMemoryIsExceeded) {
  DigestSet set(100'000);
  std::uint64_t known = 0;
  while (set.Insert({known + 1, known}) == DigestSet::Answer::kNew) ++known;
  EXPECT_EQ(set.size(), known);
  EXPECT_GE(known, 1000U);
  EXPECT_LE(known * sizeof(StateDigest), 100'000U);
  EXPECT_EQ(set.Insert({known + 1, known}), DigestSet::Answer::kFull);
  EXPECT_EQ(set.Insert({1, 0}), DigestSet::Answer::kKnown);
}

}  // namespace
}  // namespace rollover
