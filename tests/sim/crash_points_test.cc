// Every crash point: how many there are is known without the harness, and each is struck.
#include "sim/campaign/crash_points.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/cores/cores.h"
#include "sim/scenario_json.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

const std::atomic<bool> kNeverInterrupted{false};

Scenario OneTurn() {
  Scenario scenario;
  scenario.operations = {Turn{.user = {.amount = 16}, .rounds = {Round{.reply = {.amount = 16}}}}};
  return scenario;
}

CoreFactory Core(const std::string& spec) { return ParseCoreSpec(spec).value().factory; }

CrashPoints PointsOf(const Scenario& scenario) {
  auto points = CrashPoints::Of({{"one", scenario}}, MakeModelCore);
  EXPECT_TRUE(points.ok()) << points.error().reason;
  return points.value();
}

// StartTurn puts the message, the session and the turn's reply sequence; RunModel the reply and the
// session: 3 and 2 entries, so 4 and 3 ways to die in mid-commit, and 4 other ways each.
TEST(CrashPoints, AreCountedAsOneWouldByHand) {
  const CrashPoints points = PointsOf(OneTurn());
  std::set<std::string> crashes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (IsCrash(points[i].fault.kind)) crashes.insert(points.NameOf(i));
  }
  EXPECT_EQ(crashes.size(), (4U + 4U) + (3U + 4U));
  EXPECT_TRUE(crashes.contains(
      "one + kill-mid-commit at StartTurn 1 attempt 1 of turn 1, 3 entries arrived"));
}

TEST(CrashPoints, AreAllStruckAndTheModelHolds) {
  const CrashPoints points = PointsOf(OneTurn());
  const CrashPointsReport report = RunCrashPoints(points, {.jobs = 2}, kNeverInterrupted, nullptr);
  EXPECT_EQ(report.summary.failures_total, 0U);
  EXPECT_EQ(report.summary.seeds, points.size());
  EXPECT_EQ(report.struck.crashes, 15U);
  EXPECT_EQ(report.struck.crashes_all, 15U);
  EXPECT_EQ(report.struck.others, report.struck.others_all);
  EXPECT_EQ(report.struck.crashes_all + report.struck.others_all, points.size());
}

TEST(CrashPoints, OfShardsAddUpToAll) {
  const CrashPoints points = PointsOf(OneTurn());
  const CrashPointsReport all = RunCrashPoints(points, {}, kNeverInterrupted, nullptr);
  TraceHash hash;
  std::uint64_t struck = 0;
  for (std::uint64_t index = 1; index <= 3; ++index) {
    RunConfig config;
    config.shard = {.index = index, .count = 3};
    const CrashPointsReport part = RunCrashPoints(points, config, kNeverInterrupted, nullptr);
    hash += part.summary.hash;
    struck += part.struck.crashes + part.struck.others;
    EXPECT_EQ(part.struck.crashes, part.struck.crashes_all);
  }
  EXPECT_EQ(hash, all.summary.hash);
  EXPECT_EQ(struck, points.size());
}

// A scenario on which the bug does not show, until a Worker dies at the right moment.
TEST(CrashPoints, FindWhatOnlyACrashShows) {
  const CoreFactory bug = Core("bug:reply-sequence-rewritten-on-retry");
  const auto points = CrashPoints::Of({{"one", OneTurn()}}, bug);
  ASSERT_TRUE(points.ok());
  RunConfig config;
  config.core.factory = bug;
  const CrashPointsReport report =
      RunCrashPoints(points.value(), config, kNeverInterrupted, nullptr);
  ASSERT_GT(report.summary.failures_total, 0U);
  EXPECT_EQ(report.summary.failures[0].rule, Rule::kReplySequenceOnce);
  EXPECT_EQ(report.summary.failures[0].found_by.rfind("one + kill-", 0), 0U)
      << report.summary.failures[0].found_by;
}

TEST(CrashPoints, WantAScenarioThatHoldsAndHasTurns) {
  const auto broken = CrashPoints::Of({{"two", OneTurn()}}, Core("bug:session-written-unchanged"));
  EXPECT_TRUE(broken.ok());
  Scenario compacts = OneTurn();
  compacts.operations.insert(compacts.operations.begin(), Read{});
  std::get<Turn>(compacts.operations[1])
      .rounds.insert(std::get<Turn>(compacts.operations[1]).rounds.begin(),
                     Round{.compact = true, .keep = 1});
  const auto fails = CrashPoints::Of({{"two", compacts}}, Core("bug:session-written-unchanged"));
  ASSERT_FALSE(fails.ok());
  EXPECT_EQ(fails.error().reason.find("two: breaks session-state as it is ("), 0U)
      << fails.error().reason;
  const auto empty = CrashPoints::Of({{"none", Scenario{}}}, MakeModelCore);
  ASSERT_FALSE(empty.ok());
  EXPECT_EQ(empty.error().reason,
            "no Step commits: there is nothing to strike; valid: a scenario with turns");
}

}  // namespace
}  // namespace rollover
