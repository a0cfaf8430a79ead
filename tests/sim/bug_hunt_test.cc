// The hunt itself: what survives, what is convicted by another rule, and what the middle start is.
#include "sim/campaign/bug_hunt.h"

#include <gtest/gtest.h>

#include "sim/campaign/bug_report.h"

namespace rollover {
namespace {

const std::atomic<bool> kNeverInterrupted{false};

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(BugHunt, TellsARightCoreFromABug) {
  PlantedBug sound = *PlantedBugNamed("rollover-one-late");
  sound.make = MakeReferenceCore;
  const HuntReport report =
      HuntBugs({.bugs = {&sound}, .starts = 1, .turns_max = 500}, kNeverInterrupted);
  EXPECT_EQ(report.found(), 0u);
  EXPECT_FALSE(report.all_well());
  EXPECT_EQ(report.reference_broke, "");
  EXPECT_GE(report.bugs[0].swarm[0].turns, 500u);
  EXPECT_FALSE(report.bugs[0].median());
  EXPECT_TRUE(Has(HuntScreen(report), "rollover-one-late survives; expected: full-runs\n"));
}

TEST(BugHunt, TellsARuleFromAnother) {
  PlantedBug misjudged = *PlantedBugNamed("rollover-one-late");
  misjudged.expected = Rule::kInOrder;
  const HuntReport report = HuntBugs({.bugs = {&misjudged}, .starts = 2}, kNeverInterrupted);
  EXPECT_EQ(report.found(), 1u);
  EXPECT_FALSE(report.all_well());
  EXPECT_FALSE(report.bugs[0].convicted_alone());
  const std::string screen = HuntScreen(report);
  EXPECT_TRUE(Has(screen, "WRONG full-runs")) << screen;
  EXPECT_TRUE(Has(screen, "rollover-one-late breaks full-runs, not in-order: ")) << screen;
  EXPECT_TRUE(Has(screen, "found 1/1, 0 by their rule")) << screen;
}

TEST(BugHunt, IsTheSameWithAnyNumberOfJobs) {
  HuntConfig config{.starts = 3};
  for (const char* name :
       {"page-start-wraps", "stale-index-cache", "same-object-taken-for-same-value"}) {
    config.bugs.push_back(PlantedBugNamed(name));
  }
  const HuntReport one = HuntBugs(config, kNeverInterrupted);
  config.jobs = 4;
  const HuntReport four = HuntBugs(config, kNeverInterrupted);
  for (std::size_t i = 0; i < config.bugs.size(); ++i) {
    for (std::size_t start = 0; start < config.starts; ++start) {
      const Hunt& a = one.bugs[i].swarm[start];
      const Hunt& b = four.bugs[i].swarm[start];
      ASSERT_TRUE(a.conviction && b.conviction);
      EXPECT_EQ(a.conviction->by, b.conviction->by);
      EXPECT_EQ(a.conviction->what, b.conviction->what);
      EXPECT_EQ(a.turns, b.turns);
    }
  }
}

TEST(BugHunt, TakesTheMiddleStartByTurnsAndAnUnsuccessfulOneForTheLongest) {
  const auto after = [](std::uint64_t turns) {
    return Hunt{.conviction = Conviction{}, .scenarios = 1, .turns = turns};
  };
  HuntedBug hunted{.bug = PlantedBugNamed("rollover-one-late"), .swarm = {after(9), {}, after(4)}};
  EXPECT_EQ(hunted.median()->turns, 9u);
  EXPECT_EQ(hunted.starts_that_found(), 2u);
  hunted.swarm = {{}, {}, after(4)};
  EXPECT_FALSE(hunted.median());
  EXPECT_TRUE(hunted.found());
}

TEST(BugHunt, StopsWhenInterrupted) {
  const std::atomic<bool> interrupted{true};
  const HuntReport report = HuntBugs({.bugs = {PlantedBugNamed("rollover-one-late")}}, interrupted);
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.found(), 0u);
  EXPECT_EQ(report.reference_scenarios, 0u);
}

TEST(BugHunt, ACorpusThatIsNotThereIsAnError) {
  const HuntConfig config{
      .bugs = {&PlantedBugs().front()}, .starts = 1, .corpus = "no-such-folder"};
  const HuntReport report = HuntBugs(config, kNeverInterrupted);
  EXPECT_EQ(report.environment_error, "no-such-folder/fuzz/fuzz_session: no files");
}

}  // namespace
}  // namespace rollover
