// Shrinking: long failures become small ones, the same ones, and the same every time.
#include "sim/campaign/shrink.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "sim/campaign/replay.h"
#include "tests/sim/broken_cores.h"
#include "tests/sim/long_failure.h"

namespace rollover {
namespace {

// ROLLOVER_SHRINK_TURNS=2000 makes the rows of docs/shrinking.md.
std::uint64_t TurnsBefore() {
  const char* turns = std::getenv("ROLLOVER_SHRINK_TURNS");
  return turns == nullptr ? 120 : std::strtoull(turns, nullptr, 10);
}

class EachLongFailure : public testing::TestWithParam<std::string> {};

TEST_P(EachLongFailure, BecomesAShortOne) {
  const PlantedBug& bug = *PlantedBugNamed(GetParam());
  const std::uint64_t turns = TurnsBefore();
  const auto found = LongFailureMaker(bug, turns, turns / 4).Make();
  ASSERT_TRUE(found);
  const CoreFactory factory = FactoryOf(bug);
  const FoundFailure failure = Confirm(found->scenario, found->verdict, factory);
  ASSERT_GT(CountTurns(failure.scenario), turns);
  const ShrinkReport report = Shrink(failure, factory, {.jobs = 2});
  const Scenario& small = report.failure.scenario;
  fmt::print("| `{}` | {} | {} → {} | {} → {} | {} | {:.1f} |\n", bug.name, RuleName(failure.rule),
             failure.scenario.operations.size(), small.operations.size(),
             failure.scenario.faults.size(), small.faults.size(), report.runs, report.seconds);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(Fingerprint(report.failure), Fingerprint(failure));
  EXPECT_LE(small.operations.size(), 10u);
  EXPECT_LE(small.faults.size(), 2u);
  EXPECT_EQ(MakeSound(small), small);
  EXPECT_TRUE(RunScenario(small).held()) << "the model itself breaks a rule";
}

std::vector<std::string> BugNames() {
  std::vector<std::string> names;
  for (const PlantedBug& bug : PlantedBugs()) {
    if (IsCommon(bug)) names.emplace_back(bug.name);
  }
  return names;
}

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EachLongFailure, testing::ValuesIn(BugNames()), TestName);

// Announces a cancelled turn twice, and counts a reply too many where there are four: two bugs that
// break one rule, of which the second needs no fault.
CoreFactory AnnouncesTwiceAndMiscounts() {
  return Changed([](StepResult& result) {
    const std::vector<Event> events = result.events;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].kind == EventKind::kTurnCancelled) {
        result.events.push_back(events[i]);
      } else if (events[i].replies >= 4) {
        ++result.events[i].replies;
      }
    }
  });
}

// The first generated scenario whose broken rule has this fingerprint.
FoundFailure FirstWith(const CoreFactory& factory, std::string_view fingerprint) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Scenario scenario = GenerateScenario(seed);
    const Verdict verdict = RunScenario(scenario, {.factory = factory});
    if (verdict.held() || Fingerprint(verdict.violations.front()) != fingerprint) continue;
    return Confirm(scenario, verdict, factory);
  }
  ADD_FAILURE() << "no seed shows " << fingerprint;
  return {};
}

constexpr std::string_view kTwice = "reply-count: turn_cancelled is announced # times";

TEST(Shrinking, NeverSlipsToAnotherBug) {
  const CoreFactory factory = AnnouncesTwiceAndMiscounts();
  const FoundFailure failure = FirstWith(factory, kTwice);
  const ShrinkReport report = Shrink(failure, factory, {});
  EXPECT_EQ(Fingerprint(report.failure), kTwice);
  EXPECT_EQ(report.failure.scenario.operations.size(), 1u);
  ASSERT_EQ(report.failure.scenario.faults.size(), 1u);
  EXPECT_EQ(report.failure.scenario.faults[0].kind, FaultKind::kControl);
}

TEST(Shrinking, GivesTheSameWithAnyNumberOfJobs) {
  for (const char* bug : {"chunk-topped-up", "page-before-inclusive", "stale-index-cache"}) {
    const CoreFactory factory = FactoryOf(*PlantedBugNamed(bug));
    const auto found = LongFailureMaker(*PlantedBugNamed(bug), 60, 6).Make();
    ASSERT_TRUE(found);
    const FoundFailure failure = Confirm(found->scenario, found->verdict, factory);
    const ShrinkReport one = Shrink(failure, factory, {.jobs = 1});
    for (const std::uint64_t jobs : {2u, 5u}) {
      const ShrinkReport more = Shrink(failure, factory, {.jobs = jobs});
      EXPECT_EQ(more.failure.scenario, one.failure.scenario) << bug;
      EXPECT_EQ(more.failure.hash, one.failure.hash) << bug;
      EXPECT_EQ(more.runs, one.runs) << bug;
    }
  }
}

TEST(Shrinking, TheResultReplaysWithItsTrace) {
  const CoreSpec core{.text = "a test's", .factory = KeepsMovedMessages()};
  const FoundFailure failure = FirstWith(core.factory, "exactly-once: message # is stored # times");
  const ShrinkReport report = Shrink(failure, core.factory, {});
  ASSERT_TRUE(report.failure.found);
  EXPECT_EQ(report.failure.found->operations, failure.scenario.operations.size());
  EXPECT_EQ(report.failure.found->faults, failure.scenario.faults.size());
  const ReplayResult replay = ReplayScenario({.scenario = report.failure.scenario}, core, {});
  EXPECT_EQ(replay.answer, ReplayAnswer::kReproduced);
  EXPECT_EQ(replay.verdict.hash, report.failure.hash);
  EXPECT_EQ(replay.verdict.violations.front().what, report.failure.what);
  EXPECT_TRUE(replay.verdict.unfired.empty());
}

TEST(Shrinking, WhatIsSmallestStaysAsItIs) {
  const CoreFactory factory = AnnouncesTwiceAndMiscounts();
  const ShrinkReport once = Shrink(FirstWith(factory, kTwice), factory, {});
  const ShrinkReport twice = Shrink(once.failure, factory, {});
  EXPECT_EQ(twice.failure.scenario, once.failure.scenario);
  EXPECT_TRUE(twice.complete);
}

TEST(Shrinking, LeavesWhatIsNotDeterministicAlone) {
  const CoreFactory factory = CountsInvocations();
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Scenario scenario = GenerateScenario(seed);
    const Verdict verdict = RunScenario(scenario, {.factory = factory});
    if (verdict.held()) continue;
    const FoundFailure failure = Confirm(scenario, verdict, factory);
    ASSERT_EQ(failure.rule, Rule::kDeterministic);
    const ShrinkReport report = Shrink(failure, factory, {});
    EXPECT_EQ(report.failure.scenario, failure.scenario);
    EXPECT_FALSE(report.failure.found);
    EXPECT_EQ(report.runs, 0u);
    EXPECT_FALSE(report.complete);
    return;
  }
  FAIL() << "no rule was broken";
}

// Right at first, wrong for good from some Worker of the process on.
TEST(Shrinking, HandsBackWhatWasFoundWhenTheCoreChangesItsMind) {
  std::atomic<std::uint64_t> workers{0};
  std::uint64_t mended_after = 100'000;
  const CoreFactory factory = [&](CoreKind kind, const Options& options) {
    return ++workers > mended_after ? MakeModelCore(kind, options)
                                    : KeepsMovedMessages()(kind, options);
  };
  const FoundFailure failure = FirstWith(factory, "exactly-once: message # is stored # times");
  mended_after = workers + 40;
  const ShrinkReport report = Shrink(failure, factory, {});
  EXPECT_EQ(report.failure.scenario, failure.scenario);
  EXPECT_FALSE(report.failure.found);
  EXPECT_FALSE(report.complete);
}

TEST(Shrinking, TimeAndInterruptsCutItShort) {
  const CoreFactory factory = AnnouncesTwiceAndMiscounts();
  const FoundFailure failure = FirstWith(factory, kTwice);
  const std::atomic<bool> interrupted{true};
  for (const ShrinkConfig& config : {ShrinkConfig{.time = std::chrono::milliseconds{0}},
                                     ShrinkConfig{.interrupted = &interrupted}}) {
    const ShrinkReport report = Shrink(failure, factory, config);
    EXPECT_FALSE(report.complete);
    EXPECT_EQ(report.runs, 0u);
    EXPECT_EQ(report.failure.scenario, failure.scenario);
  }
}

// A setting that no core can live with is found in the model itself; it must not be mended away.
TEST(Shrinking, AnUnsoundSettingIsKept) {
  Scenario scenario = GenerateScenario(3, {.core = CoreKind::kReference});
  scenario.faults = {{.kind = FaultKind::kValueLimit,
                      .turn = CountTurns(scenario),
                      .step = StepKind::kRunModel,
                      .bytes = 1}};
  const Verdict verdict = RunScenario(scenario);
  ASSERT_FALSE(verdict.held());
  const FoundFailure failure = Confirm(scenario, verdict, MakeModelCore);
  const ShrinkReport report = Shrink(failure, MakeModelCore, {});
  EXPECT_EQ(Fingerprint(report.failure), Fingerprint(failure));
  EXPECT_EQ(report.failure.scenario.operations.size(), 1u);
  EXPECT_EQ(report.failure.scenario.faults.size(), 1u);
}

}  // namespace
}  // namespace rollover
