// Everything ever found stays found: each file of corpus/regressions is clean on the model, and
// breaks its rule again on the core that it came from. A file that names no failure was a false
// alarm: a rule once convicted the model on it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sim/campaign/crash_points.h"
#include "sim/campaign/runner.h"
#include "sim/cores/cores.h"
#include "sim/cores/planted_bugs.h"
#include "sim/scenario_json.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(ROLLOVER_SOURCE_DIR) / "corpus/regressions";

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

ScenarioFile Read(const std::string& name) {
  auto read = ReadScenario(test::TextOf(kFolder / (name + ".json")));
  EXPECT_TRUE(read.ok()) << name << ": " << read.error().reason;
  return std::move(read.value());
}

class EachRegression : public testing::TestWithParam<std::string> {};

TEST_P(EachRegression, IsCleanOnTheModelAndConvictsTheCoreThatItCameFrom) {
  const ScenarioFile file = Read(GetParam());
  const Verdict model = RunScenario(file.scenario);
  EXPECT_TRUE(model.held()) << RuleName(model.violations.front().rule);
  EXPECT_TRUE(model.unfired.empty());

  if (!file.failure) return;
  const auto core = ParseCoreSpec(file.failure->core);
  ASSERT_TRUE(core.ok()) << core.error().reason;
  const Verdict verdict = RunScenario(file.scenario, {.factory = core.value().factory});
  if (file.failure->rule == RuleName(Rule::kDeterministic)) {
    EXPECT_TRUE(verdict.held());
    EXPECT_TRUE(CompareWithBytes(file.scenario, verdict, core.value().factory));
    EXPECT_FALSE(CompareWithBytes(file.scenario, model, MakeModelCore));
    return;
  }
  ASSERT_FALSE(verdict.held());
  EXPECT_EQ(RuleName(verdict.violations.front().rule), file.failure->rule);
}

// What was found once is close to what might be found next.
TEST_P(EachRegression, IsCleanOnTheModelWithOneMoreFaultAtEachPoint) {
  const Scenario scenario = Read(GetParam()).scenario;
  const auto points = CrashPoints::Of({{GetParam(), scenario}}, MakeModelCore);
  ASSERT_EQ(points.ok(), CountTurns(scenario) > 0) << points.error().reason;
  if (!points) return;  // nothing but a read of an empty session
  const std::atomic<bool> interrupted{false};
  const CrashPointsReport report = RunCrashPoints(points.value(), {}, interrupted, nullptr);
  EXPECT_EQ(report.summary.seeds, points.value().size());
  EXPECT_EQ(report.struck.crashes, report.struck.crashes_all);
  EXPECT_EQ(report.summary.failures_total, 0U)
      << report.summary.failures.front().found_by << ": " << report.summary.failures.front().what;
}

INSTANTIATE_TEST_SUITE_P(Corpus, EachRegression, testing::ValuesIn(Names()), [](const auto& each) {
  std::string name = each.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Regressions, HoldOneForEachPlantedBug) {
  const std::vector<std::string> names = Names();
  for (const PlantedBug& bug : PlantedBugs()) {
    EXPECT_TRUE(std::find(names.begin(), names.end(), bug.name) != names.end()) << bug.name;
  }
}

}  // namespace
}  // namespace rollover
