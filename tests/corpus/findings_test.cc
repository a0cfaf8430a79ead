// Weak spots of the protocol (docs/findings.md): each scenario of corpus/findings still fails on
// the model, by the rule it names, and the same scenario under its cure is clean.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "sim/scenario_json.h"
#include "sim/world.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(ROLLOVER_SOURCE_DIR) / "corpus/findings";

std::vector<std::string> NamesIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

ScenarioFile Read(const fs::path& path) {
  auto read = ReadScenario(test::TextOf(path));
  if (!read) throw std::runtime_error(path.string() + ": " + read.error().reason);
  return std::move(read.value());
}

class EachFinding : public testing::TestWithParam<std::string> {
 protected:
  ScenarioFile finding() const { return Read(kFolder / (GetParam() + ".json")); }
  ScenarioFile cured() const { return Read(kFolder / "cured" / (GetParam() + ".json")); }
};

TEST_P(EachFinding, IsReproduced) {
  const ScenarioFile file = finding();
  ASSERT_TRUE(file.failure);
  const Verdict verdict = RunScenario(file.scenario);
  ASSERT_FALSE(verdict.held()) << "no longer a weak spot: docs/findings.md";
  EXPECT_EQ(RuleName(verdict.violations.front().rule), file.failure->rule);
  EXPECT_EQ(verdict.violations.front().what, file.failure->what);
}

TEST_P(EachFinding, IsCleanUnderItsCure) {
  const ScenarioFile file = cured();
  const Verdict verdict = RunScenario(file.scenario);
  EXPECT_TRUE(verdict.held()) << RuleName(verdict.violations.front().rule) << ": "
                              << verdict.violations.front().what;
  EXPECT_TRUE(verdict.unfired.empty());
  // A cure is a setting: what users, models and fate do is the same.
  EXPECT_EQ(file.scenario.operations, finding().scenario.operations);
  EXPECT_EQ(file.scenario.faults, finding().scenario.faults);
}

INSTANTIATE_TEST_SUITE_P(Corpus, EachFinding, testing::ValuesIn(NamesIn(kFolder)),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Findings, AreAtLeastFiveEachWithItsCureAndItsPlaceInTheDocument) {
  const std::vector<std::string> names = NamesIn(kFolder);
  EXPECT_GE(names.size(), 5U);
  EXPECT_EQ(names, NamesIn(kFolder / "cured"));
  const std::string text = test::TextOf(fs::path(ROLLOVER_SOURCE_DIR) / "docs/findings.md");
  for (const std::string& name : names) {
    EXPECT_NE(text.find("`" + name + "`"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace rollover
