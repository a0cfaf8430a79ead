// Blame: what it says is necessary is, and a future has the past that it was given.
#include "sim/campaign/blame.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sim/campaign/continuation.h"
#include "sim/generator.h"
#include "sim/scenario_json.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

const std::atomic<bool> kNeverInterrupted{false};

ScenarioFile Regression(const std::string& name) {
  const auto path =
      std::filesystem::path(ROLLOVER_SOURCE_DIR) / "corpus/regressions" / (name + ".json");
  auto file = ReadScenario(test::TextOf(path));
  EXPECT_TRUE(file.ok()) << name << ": " << file.error().reason;
  return file.value();
}

BlameReport BlameOf(const std::string& name, std::uint64_t jobs = 1) {
  const ScenarioFile file = Regression(name);
  BlameConfig config{.core = ParseCoreSpec(file.failure->core).value()};
  config.continuations = 50;
  config.jobs = jobs;
  return Blame(file.scenario, config, kNeverInterrupted);
}

const Decision* Find(const BlameReport& report, const std::string& what) {
  for (const Decision& decision : report.decisions) {
    if (decision.what.find(what) != std::string::npos) return &decision;
  }
  return nullptr;
}

bool Same(const HandOut& a, const HandOut& b) {
  return a.turn == b.turn && a.step == b.step && a.occurrence == b.occurrence &&
         a.attempt == b.attempt && a.committed == b.committed && a.entries == b.entries;
}

std::string Words(const HandOut& at) {
  return fmt::format("turn {} {} {} attempt {} committed {} entries {}", at.turn, StepName(at.step),
                     at.occurrence, at.attempt, at.committed, at.entries);
}

TEST(Continuation, HasThePastThatItWasGiven) {
  std::size_t compared = 0;
  std::size_t longer = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const Scenario scenario = GenerateScenario(seed);
    const HandOutLog given = HandOutsOf(scenario, MakeModelCore);
    const std::vector<HandOut>& past = given.hand_outs;
    for (std::size_t count = 0; count <= past.size(); count += 1 + past.size() / 7) {
      const Scenario future = Continue(scenario, given, count, 1000 + seed);
      ASSERT_EQ(Invalid(future), std::nullopt) << "seed " << seed << " after " << count;
      const HandOutLog log = HandOutsOf(future, MakeModelCore);
      EXPECT_TRUE(log.verdict.held()) << "seed " << seed << " after " << count;
      ASSERT_GE(log.hand_outs.size(), count) << "seed " << seed;
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_TRUE(Same(log.hand_outs[i], past[i]))
            << "seed " << seed << ", hand-out " << i << " of " << count << ": "
            << Words(log.hand_outs[i]) << ", was " << Words(past[i]);
        ++compared;
      }
      if (log.hand_outs.size() > count) ++longer;
    }
  }
  EXPECT_GT(compared, 6000U);
  EXPECT_GT(longer, 600U);
}

TEST(Blame, NamesTheDecisionsWithoutWhichNothingFails) {
  const BlameReport report = BlameOf("cache-kept-after-roll-back");
  EXPECT_EQ(report.violation.rule, Rule::kIndexMatchesChunks);
  EXPECT_EQ(report.necessary(), report.decisions.size());
  const Decision* crash = Find(report, "engine-crash at StartTurn 1 attempt 1 of turn 2");
  ASSERT_NE(crash, nullptr);
  EXPECT_EQ(crash->dropped.broke, "");
  std::size_t same = 0;
  for (const Flip& flip : crash->others) {
    // A crash that loses no commit loses nothing that a cache could keep.
    const bool loses_nothing = flip.what.find(" 0 commits lost") != std::string::npos;
    EXPECT_FALSE(loses_nothing && flip.same) << flip.what;
    same += flip.same ? 1 : 0;
  }
  EXPECT_GE(same, 2U);
  EXPECT_TRUE(Find(report, "message_window_size 1")->necessary());
}

TEST(Blame, TellsWhatIsNotNecessary) {
  Scenario scenario = Regression("cache-kept-after-roll-back").scenario;
  scenario.operations.insert(scenario.operations.begin(), Read{});
  BlameConfig config{.core = ParseCoreSpec("bug:cache-kept-after-roll-back").value()};
  config.continuations = 1;
  const BlameReport report = Blame(scenario, config, kNeverInterrupted);
  const Decision* read = Find(report, "operation 1: a read");
  ASSERT_NE(read, nullptr);
  EXPECT_FALSE(read->necessary());
  EXPECT_EQ(report.necessary(), report.decisions.size() - 1);
}

TEST(Blame, FindsTheMomentThatDecides) {
  const BlameReport report = BlameOf("cache-kept-after-roll-back");
  // StartTurn and RunModel of turn 1, then the hand-out at which the engine crashes.
  ASSERT_EQ(report.moments.size(), 5U);
  EXPECT_EQ(report.certain_from, 3U);
  EXPECT_LT(report.moments[2].failed, report.moments[2].futures / 2);
  EXPECT_EQ(report.moments[3].after->step, StepKind::kStartTurn);
  EXPECT_FALSE(report.moments[3].after->committed);
}

TEST(Blame, SaysTheSameWithAnyNumberOfJobs) {
  EXPECT_EQ(BlameJson(BlameOf("retention-by-first", 1)),
            BlameJson(BlameOf("retention-by-first", 4)));
}

}  // namespace
}  // namespace rollover
