// Failures: run again before they are believed, cut down to what mattered, saved whole.
#include "sim/campaign/failure.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "sim/campaign/files.h"
#include "sim/campaign/replay.h"
#include "sim/generator.h"
#include "tests/scratch.h"
#include "tests/sim/broken_cores.h"

namespace rollover {
namespace {

namespace fs = std::filesystem;

class Failures : public testing::Test {
 protected:
  std::size_t Files() const {
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (!entry.is_directory()) ++files;
    }
    return files;
  }

  const test::Scratch scratch_;
  const fs::path& folder_ = scratch_.path();
};

// The first generated scenario that this core breaks a rule in.
struct Found {
  std::uint64_t seed = 0;
  Scenario scenario;
  Verdict verdict;
};

Found FirstBroken(const CoreFactory& factory) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Scenario scenario = GenerateScenario(seed);
    Verdict verdict = RunScenario(scenario, {.factory = factory});
    if (!verdict.held()) return {seed, std::move(scenario), std::move(verdict)};
  }
  ADD_FAILURE() << "no rule was broken";
  return {};
}

TEST_F(Failures, ASavedFailureReplaysWithTheSameTrace) {
  const CoreSpec core{.text = "a test's", .factory = KeepsMovedMessages()};
  const Found found = FirstBroken(core.factory);
  ASSERT_GT(found.seed, 0u);
  FoundFailure failure = Confirm(found.scenario, found.verdict, core.factory);
  failure.seed = found.seed;
  failure.found_by = "seed 0x1";
  EXPECT_EQ(failure.rule, found.verdict.violations.front().rule);
  EXPECT_LE(failure.scenario.operations.size(), found.scenario.operations.size());
  ASSERT_EQ(Save(failure, core, folder_), std::nullopt);
  const auto read = ReadScenario(test::TextOf(failure.saved));
  ASSERT_TRUE(read) << read.error().reason;
  EXPECT_EQ(read.value().scenario, failure.scenario);
  EXPECT_EQ(read.value().failure->core, "a test's");
  const ReplayResult result = ReplayScenario(read.value(), core, {});
  EXPECT_EQ(result.answer, ReplayAnswer::kReproduced);
  EXPECT_EQ(result.verdict.hash, found.verdict.hash);
  EXPECT_EQ(result.verdict.hash.Hex(), read.value().failure->trace_hash);
}

TEST_F(Failures, AnotherFailureOfTheSameNameIsKeptBesideTheFirst) {
  FoundFailure first;
  first.seed = 42;
  first.what = "one thing";
  FoundFailure other = first;
  other.what = "another thing";
  FoundFailure again = first;
  for (FoundFailure* failure : {&first, &other, &again}) {
    ASSERT_EQ(Save(*failure, CoreSpec{}, folder_), std::nullopt);
  }
  EXPECT_EQ(again.saved, first.saved);
  EXPECT_EQ(std::filesystem::path(other.saved).filename(), "exactly-once-2a-2.json");
  EXPECT_EQ(ReadScenario(test::TextOf(first.saved)).value().failure->what, "one thing");
  EXPECT_EQ(ReadScenario(test::TextOf(other.saved)).value().failure->what, "another thing");
}

TEST_F(Failures, ACutFailureHoldsNothingThatIsStale) {
  const CoreFactory factory = KeepsMovedMessages();
  const Found found = FirstBroken(factory);
  const FoundFailure failure = Confirm(found.scenario, found.verdict, factory);
  EXPECT_EQ(Invalid(failure.scenario), std::nullopt);
  EXPECT_TRUE(RunScenario(failure.scenario, {.factory = factory}).unfired.empty());
}

TEST_F(Failures, ACoreThatCountsItsInvocationsIsNotDeterministic) {
  const CoreFactory factory = CountsInvocations();
  const Found found = FirstBroken(factory);
  ASSERT_GT(found.seed, 0u);
  const FoundFailure failure = Confirm(found.scenario, found.verdict, factory);
  EXPECT_EQ(failure.rule, Rule::kDeterministic);
  EXPECT_EQ(failure.scenario, found.scenario);
  const std::string broken{RuleName(found.verdict.violations.front().rule)};
  EXPECT_NE(failure.what.find(broken), std::string::npos) << failure.what;
  EXPECT_NE(failure.what.find(" <> event "), std::string::npos) << failure.what;
  EXPECT_NE(failure.what.find("replies "), std::string::npos) << failure.what;
}

TEST_F(Failures, TheFirstEventThatDiffersIsNamed) {
  const Scenario scenario = GenerateScenario(1);
  EXPECT_EQ(FirstDifference(scenario, MakeModelCore, MakeModelCore), "");
  EXPECT_NE(FirstDifference(scenario, NumbersItsWarnings(), NumbersItsWarnings()), "");
  const WorldConfig numbered{.factory = NumbersItsWarnings()};
  EXPECT_NE(RunScenario(scenario, numbered).hash, RunScenario(scenario, numbered).hash);
}

TEST_F(Failures, ADescriptionEndsWithACommandToPaste) {
  const Found found = FirstBroken(KeepsMovedMessages());
  FoundFailure failure = Confirm(found.scenario, found.verdict, KeepsMovedMessages());
  EXPECT_EQ(Describe(failure).find("replay"), std::string::npos);
  failure.saved = "out/failures/x.json";
  const std::string text = Describe(failure);
  EXPECT_NE(text.find("replay   ./rollover replay out/failures/x.json --trace text\n"),
            std::string::npos)
      << text;
}

std::string Shape(Rule rule, const std::string& what) {
  return Fingerprint(Violation{rule, what, 0});
}

TEST_F(Failures, AFingerprintLeavesOutWhatShrinkingChanges) {
  EXPECT_EQ(Shape(Rule::kExactlyOnce, "message 12 is stored 2 times"),
            "exactly-once: message # is stored # times");
  EXPECT_EQ(Shape(Rule::kReplyCount, "turn_completed of t00000012 counts 3 replies; there are 2"),
            "reply-count: turn_completed of # counts # replies; there are #");
  EXPECT_EQ(Shape(Rule::kModelInput, "the model saw 1..3 7..9; it should see 1..9"),
            Shape(Rule::kModelInput, "the model saw 2..2; it should see 2..3"));
  EXPECT_EQ(Shape(Rule::kBoundedLoads, "loads of RunModel are chunk 1 chunk 9; due are chunk 1"),
            "bounded-loads: loads of RunModel are chunk #; due are chunk #");
  EXPECT_EQ(Shape(Rule::kPageExact, "the read is refused: bad \"t1 2\" here"),
            "page-exact: the read is refused: bad \"..\" here");
  EXPECT_EQ(Shape(Rule::kPageExact, "an open \"quote"), "page-exact: an open \"quote");
  EXPECT_EQ(Shape(Rule::kPageExact, ""), "page-exact:");
}

TEST_F(Failures, AFingerprintTellsBugsOfOneRuleApart) {
  const std::vector<std::string> all = {
      Shape(Rule::kBoundedLoads, "loads of RunModel are chunk 1; due are chunk 1 chunk 2"),
      Shape(Rule::kBoundedLoads, "loads of ResumeTurn are chunk 1; due are chunk 1 chunk 2"),
      Shape(Rule::kBoundedLoads, "control loads of RunModel are chunk 1; due are chunk 1"),
      Shape(Rule::kBoundedLoads, "RunModel moves to the turn's end; due is ResumeTurn"),
      Shape(Rule::kModelInput, "the model saw nothing; it should see 1..9"),
      Shape(Rule::kModelInput, "the model saw 1..8; it should see 1..9"),
      Shape(Rule::kExactlyOnce, "the model saw 1..8; it should see 1..9")};
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

TEST_F(Failures, AShrunkFailureTellsHowLargeItWas) {
  const Found found = FirstBroken(KeepsMovedMessages());
  FoundFailure failure = Confirm(found.scenario, found.verdict, KeepsMovedMessages());
  failure.found_by = "seed 0x1";
  failure.scenario = {};
  failure.found = FoundSize{.operations = 2014, .faults = 200};
  EXPECT_NE(Describe(failure).find(
                "found by seed 0x1 after 2014 operations, 200 faults; shrunk to 0, 0\n"),
            std::string::npos)
      << Describe(failure);
}

TEST_F(Failures, AFileIsReplacedWhole) {
  const fs::path path = folder_ / "a" / "b" / "file.json";
  EXPECT_EQ(WriteFile(path, std::string(100'000, 'x')), std::nullopt);
  EXPECT_EQ(WriteFile(path, "short"), std::nullopt);
  EXPECT_EQ(test::TextOf(path), "short");
  EXPECT_EQ(Files(), 1u);
}

// Through a link, so that not even a mistake can harm the device.
TEST_F(Failures, ADeviceIsWrittenToAndNotReplaced) {
  const fs::path link = folder_ / "full";
  fs::create_symlink("/dev/full", link);
  EXPECT_EQ(WriteFile(link, "text"), link.string() + ": cannot be written");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_TRUE(fs::is_other("/dev/full"));
}

TEST_F(Failures, AFileThatCannotBeWrittenIsNamedAndLeavesNothing) {
  std::ofstream(folder_ / "a-file") << "here";
  const auto below_a_file = WriteFile(folder_ / "a-file" / "x.json", "text");
  ASSERT_TRUE(below_a_file);
  EXPECT_NE(below_a_file->find("a-file"), std::string::npos) << *below_a_file;
  fs::create_directories(folder_ / "x.json" / "full");
  const auto onto_a_folder = WriteFile(folder_ / "x.json", "text");
  ASSERT_TRUE(onto_a_folder);
  EXPECT_NE(onto_a_folder->find("x.json"), std::string::npos) << *onto_a_folder;
  const auto nowhere = WriteFile("/proc/no-such-folder/x.json", "text");
  ASSERT_TRUE(nowhere);
  EXPECT_NE(nowhere->find("/proc/no-such-folder"), std::string::npos) << *nowhere;
  EXPECT_EQ(Files(), 1u);
  EXPECT_EQ(test::TextOf(folder_ / "a-file"), "here");
}

}  // namespace
}  // namespace rollover
