// From rare: futures come from rare moments, no more often than fresh seeds, and the same each
// time.
#include "sim/campaign/rare.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "sim/cores/cores.h"

namespace rollover {
namespace {

const std::atomic<bool> kNeverInterrupted{false};

RareReport RunModel(std::uint64_t seeds, std::uint64_t jobs) {
  RunConfig config{.seeds = seeds};
  config.jobs = jobs;
  return RunFromRare(config, {}, kNeverInterrupted, nullptr);
}

TEST(FromRare, IsTheSameWithAnyNumberOfJobsAndTheModelHolds) {
  const RareReport one = RunModel(1500, 1);
  const RareReport four = RunModel(1500, 4);
  EXPECT_EQ(one.summary.hash, four.summary.hash);
  EXPECT_EQ(one.futures, four.futures);
  EXPECT_EQ(one.summary.failures_total, 0U);
  EXPECT_GT(one.futures, 100U);
  EXPECT_EQ(one.summary.seeds - one.futures, 1536U);  // whole batches
}

TEST(FromRare, ContinuesSessionsThatWereWhereFewCome) {
  RareSchedule schedule(1, {}, MakeModelCore);
  std::uint64_t fresh = 0;
  std::uint64_t futures = 0;
  std::set<std::string> names;
  while (fresh < 1200) {
    schedule.NextBatch();
    for (std::size_t i = 0; i < schedule.size(); ++i) {
      const Scenario scenario = schedule.ScenarioOf(i);
      EXPECT_EQ(scenario, schedule.ScenarioOf(i));
      const Verdict verdict = RunScenario(scenario);
      ASSERT_TRUE(verdict.held()) << schedule.NameOf(i);
      schedule.Heard(i, verdict.statistics);
      EXPECT_TRUE(names.insert(schedule.NameOf(i)).second) << schedule.NameOf(i);
    }
    (schedule.fresh() ? fresh : futures) += schedule.size();
    EXPECT_TRUE(fresh >= kRareWarmUp || futures == 0) << fresh;
    EXPECT_LE(futures, fresh);
  }
  EXPECT_EQ(schedule.futures(), futures);
  EXPECT_GT(futures, 100U);
  EXPECT_GT(schedule.search_turns(), 0U);
}

// One session in 200 stores mebibytes; its futures do so too.
TEST(FromRare, FindsWhatOnlyRareSessionsShow) {
  RunConfig config{.first_seed = 1'000'001, .seeds = 20'000};
  config.first_only = true;
  config.failures_shrunk_max = 0;
  config.core = ParseCoreSpec("bug:moved-bytes-not-capped").value();
  const RareReport report = RunFromRare(config, {}, kNeverInterrupted, nullptr);
  ASSERT_GT(report.summary.failures_total, 0U);
  EXPECT_EQ(report.summary.failures[0].rule, Rule::kCommitCaps);
  EXPECT_NE(report.summary.failures[0].found_by.find("from megabyte-message"), std::string::npos)
      << report.summary.failures[0].found_by;
}

// Each rule keeps its first few over the whole run, however many batches it had, and whatever other
// rules had filled the report before.
TEST(FromRare, KeepsTheFirstFailuresOfEachRuleOverAllBatches) {
  RunConfig config{.seeds = 200};
  config.failures_saved_max = 2;
  config.failures_shrunk_max = 0;
  std::uint64_t seed = 0;
  config.core.factory = [&](CoreKind kind, const Options& options) {
    const char* bug = ++seed < 400 ? "bug:page-start-wraps" : "bug:rolled-message-not-deleted";
    return ParseCoreSpec(bug).value().factory(kind, options);
  };
  const RareReport report = RunFromRare(config, {}, kNeverInterrupted, nullptr);
  std::map<Rule, std::uint64_t> kept;
  for (const FoundFailure& failure : report.summary.failures) ++kept[failure.rule];
  EXPECT_GE(kept.size(), 2U);
  for (const auto& [rule, count] : kept) EXPECT_LE(count, 2U) << RuleName(rule);
  EXPECT_GT(report.summary.failures_total, report.summary.failures.size());
}

}  // namespace
}  // namespace rollover
