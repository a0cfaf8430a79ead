// The runner: threads, shards and time change how a run goes, never what it finds.
#include "sim/campaign/runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <new>
#include <set>

#include "sim/generator.h"
#include "tests/sim/broken_cores.h"

namespace rollover {
namespace {

const std::atomic<bool> kNever{false};

RunConfig Seeds(std::uint64_t seeds, std::uint64_t jobs = 1) {
  RunConfig config{.seeds = seeds, .jobs = jobs};
  config.scenario_of = [](std::uint64_t seed) { return GenerateScenario(seed); };
  return config;
}

RunSummary RunAll(const RunConfig& config) { return RunSeeds(config, kNever, nullptr); }

void ExpectSameStatistics(const Statistics& a, const Statistics& b) {
  EXPECT_EQ(a.turns, b.turns);
  EXPECT_EQ(a.commits, b.commits);
  EXPECT_EQ(a.attempts, b.attempts);
  EXPECT_EQ(a.reads, b.reads);
  EXPECT_EQ(a.stored_bytes, b.stored_bytes);
  EXPECT_EQ(a.faults, b.faults);
  EXPECT_EQ(a.faults_at, b.faults_at);
  EXPECT_EQ(a.situations, b.situations);
  EXPECT_EQ(a.evaluations, b.evaluations);
}

std::vector<std::uint64_t> SeedsOf(const RunSummary& summary) {
  std::vector<std::uint64_t> seeds;
  for (const FoundFailure& failure : summary.failures) seeds.push_back(failure.seed);
  return seeds;
}

TEST(Runner, TwoJobsFindWhatOneFinds) {
  const RunSummary one = RunAll(Seeds(120));
  const RunSummary two = RunAll(Seeds(120, 2));
  EXPECT_EQ(one.seeds, 120u);
  EXPECT_EQ(two.seeds, 120u);
  EXPECT_EQ(one.hash, two.hash);
  ExpectSameStatistics(one.statistics, two.statistics);
  EXPECT_EQ(one.failures_total, 0u);
}

TEST(Runner, ShardsAddUpToTheWhole) {
  std::set<std::uint64_t> run;
  RunConfig config = Seeds(100);
  config.first_seed = 7;
  config.scenario_of = [&run](std::uint64_t seed) {
    EXPECT_TRUE(run.insert(seed).second) << seed;
    return GenerateScenario(seed);
  };
  const RunSummary whole = RunAll(config);
  const std::set<std::uint64_t> all = std::move(run);
  run.clear();
  RunSummary sum;
  for (std::uint64_t index = 1; index <= 3; ++index) {
    config.shard = {.index = index, .count = 3};
    const RunSummary part = RunAll(config);
    sum.seeds += part.seeds;
    sum.hash += part.hash;
    sum.statistics += part.statistics;
  }
  EXPECT_EQ(run, all);
  EXPECT_EQ(*all.begin(), 7u);
  EXPECT_EQ(all.size(), 100u);
  EXPECT_EQ(sum.seeds, whole.seeds);
  EXPECT_EQ(sum.hash, whole.hash);
  ExpectSameStatistics(sum.statistics, whole.statistics);
}

TEST(Runner, FailuresAreSortedCappedPerRuleAndCounted) {
  RunConfig config = Seeds(60, 2);
  config.core = {.text = "a test's", .factory = KeepsMovedMessages()};
  config.failures_saved_max = 3;
  const RunSummary summary = RunAll(config);
  const std::vector<std::uint64_t> seeds = SeedsOf(summary);
  EXPECT_TRUE(std::is_sorted(seeds.begin(), seeds.end()));
  EXPECT_GT(summary.failures_total, 3u);
  std::map<Rule, int> of_rule;
  for (const FoundFailure& failure : summary.failures) {
    EXPECT_LE(++of_rule[failure.rule], 3) << RuleName(failure.rule);
    EXPECT_TRUE(failure.saved.empty());
  }
  EXPECT_EQ(of_rule[Rule::kExactlyOnce], 3);
  config.jobs = 1;
  const RunSummary again = RunAll(config);
  EXPECT_EQ(SeedsOf(again), seeds);
  EXPECT_EQ(again.failures_total, summary.failures_total);
}

TEST(Runner, ATimeEndsARun) {
  RunConfig config = Seeds(1);
  config.seeds.reset();
  config.time = std::chrono::milliseconds(50);
  const RunSummary summary = RunAll(config);
  EXPECT_GT(summary.seeds, 0u);
  EXPECT_GE(summary.seconds, 0.05);
  EXPECT_FALSE(summary.interrupted);
}

TEST(Runner, AnInterruptionEndsARunAndIsReported) {
  std::atomic<bool> interrupted{false};
  RunConfig config = Seeds(1);
  config.seeds.reset();
  config.scenario_of = [&](std::uint64_t seed) {
    interrupted = seed == 5;
    return GenerateScenario(seed);
  };
  const RunSummary summary = RunSeeds(config, interrupted, nullptr);
  EXPECT_EQ(summary.seeds, 5u);
  EXPECT_TRUE(summary.interrupted);
}

TEST(Runner, WhatTheHarnessCannotDoEndsARunAndIsReported) {
  RunConfig config = Seeds(100, 2);
  config.scenario_of = [](std::uint64_t seed) {
    if (seed >= 5) throw std::bad_alloc();
    return GenerateScenario(seed);
  };
  const RunSummary summary = RunAll(config);
  EXPECT_LE(summary.seeds, 4u);
  EXPECT_FALSE(summary.environment_error.empty());
}

TEST(Runner, WhatWasNotReachedIsNamed) {
  const std::vector<std::string> nothing = NotReached(Statistics{}, kDefaultRunSeeds);
  const auto names = [&](const std::string& name) {
    return std::find(nothing.begin(), nothing.end(), name) != nothing.end();
  };
  EXPECT_TRUE(names("rule exactly-once (0 of 1)"));
  EXPECT_TRUE(names("fault stall (0 of 1)"));
  EXPECT_TRUE(names("situation stall@RunModel (0 of 10)"));
  EXPECT_TRUE(names("situation rollover-1 (0 of 1000)"));
  EXPECT_FALSE(names("situation tool-error@RunModel (0 of 10)"));
}

TEST(Runner, AMinimumShrinksWithTheSeedsButNotBelowOne) {
  Statistics statistics;
  statistics.Count(Situation::kRollover1);
  const auto missing = [&](std::uint64_t seeds) {
    for (const std::string& name : NotReached(statistics, seeds)) {
      if (name.rfind("situation rollover-1 ", 0) == 0) return name;
    }
    return std::string("none");
  };
  EXPECT_EQ(missing(kDefaultRunSeeds), "situation rollover-1 (1 of 1000)");
  EXPECT_EQ(missing(kDefaultRunSeeds / 2), "situation rollover-1 (1 of 500)");
  EXPECT_EQ(missing(20), "none");
  EXPECT_EQ(missing(1), "none");
}

TEST(Runner, AThoroughStatisticMissesNothing) {
  Statistics statistics;
  statistics.faults.fill(1);
  for (auto& row : statistics.faults_at) row.fill(10);
  statistics.situations.fill(1000);
  statistics.evaluations.fill(1);
  EXPECT_TRUE(NotReached(statistics, kDefaultRunSeeds).empty());
}

TEST(Runner, ShrinksTheFirstFailureOfEachFingerprint) {
  RunConfig config = Seeds(60, 2);
  config.core.factory = KeepsMovedMessages();
  config.failures_shrunk_max = 0;
  const RunSummary found = RunAll(config);
  config.failures_shrunk_max = 2;
  const RunSummary shrunk = RunAll(config);
  ASSERT_EQ(SeedsOf(shrunk), SeedsOf(found));
  std::set<std::string> seen;
  for (std::size_t i = 0; i < found.failures.size(); ++i) {
    const FoundFailure& before = found.failures[i];
    const FoundFailure& after = shrunk.failures[i];
    EXPECT_EQ(Fingerprint(after), Fingerprint(before));
    const bool first = seen.insert(Fingerprint(before)).second && seen.size() <= 2;
    ASSERT_EQ(after.found.has_value(), first);
    if (first) {
      EXPECT_EQ(after.found->operations, before.scenario.operations.size());
    }
    EXPECT_TRUE(first || after.scenario == before.scenario);
  }
  EXPECT_GE(seen.size(), 1u);
  config.jobs = 1;
  const RunSummary again = RunAll(config);
  for (std::size_t i = 0; i < shrunk.failures.size(); ++i) {
    EXPECT_EQ(again.failures[i].scenario, shrunk.failures[i].scenario);
  }
}

}  // namespace
}  // namespace rollover
