// What a false property looks like from outside: it fails, it tells how, and nothing that could
// hide it passes. The program is properties/false; env(1) sets what it finds in its environment.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sim/campaign/replay.h"
#include "sim/cores/planted_bugs.h"
#include "tests/cli/program.h"

namespace rollover {
namespace {

class FalseProperties : public Program {
 protected:
  Ended RunFalse(const std::string& filter, std::vector<std::string> environment = {}) {
    return RunWith(FALSE_PROPERTIES, filter, std::move(environment));
  }
  Ended RunWith(const std::string& program, const std::string& filter,
                std::vector<std::string> words) {
    words.insert(words.begin(), {"-u", "RC_PARAMS", "-u", "ROLLOVER_OUT"});
    words.push_back(program);
    if (!filter.empty()) words.push_back("--gtest_filter=" + filter);
    return Run(words);
  }

  std::string Saved(const std::string& name, const std::string& folder = "out") const {
    return test::TextOf(here() / folder / "failures" / ("property-" + name + ".json"));
  }

  // The RC_PARAMS=... word that the program printed, as env(1) takes it.
  static std::string Reproduce(const std::string& out) {
    const std::string before = "RC_PARAMS=\"";
    const std::size_t at = out.find(before);
    if (at == std::string::npos) return "";
    const std::size_t begin = at + before.size();
    return "RC_PARAMS=" + out.substr(begin, out.find('"', begin) - begin);
  }

  static bool Has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  // Exit 2, one line on stderr that holds `word`, no test run.
  void ExpectRefusal(const Ended& ended, const std::string& word) {
    EXPECT_EQ(ended.code, 2) << ended.out;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_TRUE(ended.err.starts_with("properties: ")) << ended.err;
    EXPECT_TRUE(Has(ended.err, word)) << word << " is not in: " << ended.err;
    EXPECT_FALSE(Has(ended.out, "[ RUN")) << ended.out;
  }
};

constexpr const char* kTwoTurns = "False.NoScenarioHasTwoTurnsAndAFault";

TEST_F(FalseProperties, FailAndTellHow) {
  const Ended ended = RunFalse(kTwoTurns);
  EXPECT_EQ(ended.code, 1);
  EXPECT_TRUE(Has(ended.out, std::string("FAIL ") + kTwoTurns + "   two-turns")) << ended.out;
  EXPECT_TRUE(Has(ended.out, "\n  two turns and a fault\n")) << ended.out;
  EXPECT_TRUE(Has(ended.out, "RC_PARAMS=\"reproduce=")) << ended.out;
  const std::string saved = Saved("False-NoScenarioHasTwoTurnsAndAFault");
  EXPECT_TRUE(Has(ended.out, saved)) << saved;
  const auto file = ReadScenario(saved);
  ASSERT_TRUE(file.ok()) << file.error().reason;
  const Scenario& scenario = file.value().scenario;
  EXPECT_EQ(scenario.operations, (std::vector<Operation>{Turn{}, Turn{}}));
  EXPECT_EQ(scenario.faults.size(), 1u);
}

TEST_F(FalseProperties, AreTheSameEveryTime) {
  RunFalse(kTwoTurns, {"ROLLOVER_OUT=one"});
  RunFalse(kTwoTurns, {"ROLLOVER_OUT=two"});
  const std::string one = Saved("False-NoScenarioHasTwoTurnsAndAFault", "one");
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(one, Saved("False-NoScenarioHasTwoTurnsAndAFault", "two"));
}

TEST_F(FalseProperties, FailAgainFromTheStringThatTheyPrint) {
  const std::string reproduce = Reproduce(RunFalse(kTwoTurns).out);
  ASSERT_FALSE(reproduce.empty());
  const Ended again = RunFalse("", {reproduce, "ROLLOVER_OUT=again"});
  EXPECT_EQ(again.code, 1);
  EXPECT_TRUE(Has(again.out, "Running 1 test from")) << again.out;
  EXPECT_EQ(Reproduce(again.out), reproduce);
  EXPECT_EQ(Saved("False-NoScenarioHasTwoTurnsAndAFault", "again"),
            Saved("False-NoScenarioHasTwoTurnsAndAFault"));
}

TEST_F(FalseProperties, AreFixedOnceTheirCaseHolds) {
  const std::string reproduce = Reproduce(RunFalse(kTwoTurns).out);
  const Ended mended = RunFalse("", {reproduce, "ROLLOVER_MENDED=1"});
  EXPECT_EQ(mended.code, 0);
  EXPECT_TRUE(Has(mended.out, std::string("FIXED ") + kTwoTurns)) << mended.out;
}

TEST_F(FalseProperties, KeepToTheRuleThatTheyBrokeFirst) {
  EXPECT_EQ(RunFalse("False.NoScenarioIsLong").code, 1);
  const auto file = ReadScenario(Saved("False-NoScenarioIsLong"));
  ASSERT_TRUE(file.ok()) << file.error().reason;
  EXPECT_EQ(file.value().scenario.operations.size(), 12u);
}

TEST_F(FalseProperties, ThatDiscardEverythingFail) {
  const Ended ended = RunFalse("False.EverythingIsDiscarded");
  EXPECT_EQ(ended.code, 1);
  EXPECT_TRUE(Has(ended.out, "gave up")) << ended.out;
}

TEST_F(FalseProperties, DoNotHideBehindAnotherOnesString) {
  const std::string reproduce = Reproduce(RunFalse(kTwoTurns).out);
  EXPECT_EQ(RunFalse("False.ThisOneIsTrue").code, 0);
  const Ended other = RunFalse("False.ThisOneIsTrue", {reproduce});
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(Has(other.out, std::string("RC_PARAMS reproduces a case of ") + kTwoTurns))
      << other.out;
  ExpectRefusal(RunWith(PROPERTIES, "", {reproduce}), kTwoTurns);
}

TEST_F(FalseProperties, DoNotHideBehindParametersThatNobodyReads) {
  const std::vector<std::string> wrong = {"sed=1",
                                          "max_succes=10",
                                          "max_success=0",
                                          "max_success=-1",
                                          "max_success=5x",
                                          "max_success=",
                                          "max_size=0",
                                          "seed=x",
                                          "seed",
                                          "noshrink=2",
                                          "reproduce=",
                                          "reproduce=zzzz",
                                          "reproduce=AA",
                                          "seed=1 seed=2",
                                          "verbose_progress=1",
                                          "seed=1,max=10",
                                          "max_discard_ratio=0"};
  for (const std::string& words : wrong) {
    SCOPED_TRACE(words);
    const std::string last = words.substr(words.rfind(' ') + 1);
    ExpectRefusal(RunFalse("False.ThisOneIsTrue", {"RC_PARAMS=" + words}),
                  last.substr(0, last.find('=')));
  }
  EXPECT_EQ(RunFalse("False.ThisOneIsTrue", {"RC_PARAMS=max_success=3 seed=7"}).code, 0);
}

TEST_F(FalseProperties, DoNotHideBehindANameThatMatchesNone) {
  ExpectRefusal(RunFalse("Flase.*"), "Flase.*");
  ExpectRefusal(Run({FALSE_PROPERTIES, "--gtest_fliter=x"}), "--gtest_fliter=x");
}

// With a planted bug in the reference core's place, the rules fail, and what is left is small, says
// so itself, and shows it again.
TEST_F(FalseProperties, FindAndShrinkEveryCommonPlantedBug) {
  for (const PlantedBug& bug : PlantedBugs()) {
    if (!IsCommon(bug)) continue;
    std::string name(bug.name);
    std::replace(name.begin(), name.end(), '-', '_');
    SCOPED_TRACE(name);
    const Ended ended = RunFalse("Planted/AllRulesHoldOn.Bug/" + name);
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(Has(ended.out, "  replay     ./rollover replay out/failures/property-Planted"));
    const auto file = ReadScenario(Saved("Planted-AllRulesHoldOn-Bug-" + name));
    ASSERT_TRUE(file.ok()) << file.error().reason;
    EXPECT_LE(file.value().scenario.operations.size(), 5u);
    EXPECT_LE(file.value().scenario.faults.size(), 1u);
    ASSERT_TRUE(file.value().failure.has_value());
    const auto core = ParseCoreSpec(file.value().failure->core);
    ASSERT_TRUE(core.ok());
    const ReplayResult replay = ReplayScenario(file.value(), core.value(), {});
    EXPECT_EQ(replay.answer, ReplayAnswer::kReproduced);
    EXPECT_EQ(replay.verdict.hash.Hex(), file.value().failure->trace_hash);
  }
}

}  // namespace
}  // namespace rollover
