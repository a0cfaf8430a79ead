// The planted bugs: each is found within 2,000 seeds, by the rule that its story is about, and in a
// scenario that the core it stands for passes.
#include "sim/cores/planted_bugs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "sim/generator.h"
#include "sim/world.h"

namespace rollover {

void PrintTo(const PlantedBug& bug, std::ostream* out) { *out << bug.name; }

namespace {

constexpr std::uint64_t kSeedsMax = 2000;

class EachPlantedBug : public testing::TestWithParam<PlantedBug> {};

TEST_P(EachPlantedBug, IsConvictedByItsRuleAndTheModelIsNot) {
  const PlantedBug& bug = GetParam();
  for (std::uint64_t seed = 1; seed <= kSeedsMax; ++seed) {
    const Scenario scenario = GenerateScenario(seed);
    const Verdict verdict = RunScenario(scenario, {.factory = FactoryOf(bug)});
    if (verdict.held()) continue;
    const Violation& first = verdict.violations.front();
    EXPECT_EQ(RuleName(first.rule), RuleName(bug.expected))
        << "seed " << seed << ": " << first.what;
    const Verdict model = RunScenario(scenario);
    EXPECT_TRUE(model.held()) << "the model breaks " << RuleName(model.violations.front().rule)
                              << " at seed " << seed;
    return;
  }
  FAIL() << bug.name << " survives " << kSeedsMax << " seeds";
}

std::string TestName(const testing::TestParamInfo<PlantedBug>& info) {
  std::string name(info.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EachPlantedBug,
                         testing::ValuesIn(PlantedBugs().begin(), PlantedBugs().end()), TestName);

TEST(PlantedBugsTest, HaveUniqueNamesAndTellTheirStory) {
  std::set<std::string_view> names;
  for (const PlantedBug& bug : PlantedBugs()) {
    EXPECT_TRUE(names.insert(bug.name).second) << bug.name;
    EXPECT_FALSE(bug.story.empty()) << bug.name;
    EXPECT_FALSE(bug.source.empty()) << bug.name;
    EXPECT_EQ(RuleNamed(RuleName(bug.expected)), bug.expected) << bug.name;
    EXPECT_EQ(PlantedBugNamed(bug.name), &bug);
  }
  EXPECT_GE(names.size(), 15U);
  EXPECT_EQ(PlantedBugNamed("no-such-bug"), nullptr);
}

TEST(PlantedBugsTest, StandInForOneKindOnly) {
  // A session of 0.1.0 alone never meets any of them.
  const Turn turn{.user = {.amount = 8}};
  const Scenario scenario{.core = CoreKind::kLegacy, .operations = {turn, turn, turn, turn}};
  const Verdict model = RunScenario(scenario);
  for (const PlantedBug& bug : PlantedBugs()) {
    const Verdict verdict = RunScenario(scenario, {.factory = FactoryOf(bug)});
    EXPECT_TRUE(verdict.held()) << bug.name;
    EXPECT_EQ(verdict.hash, model.hash) << bug.name;
  }
}

}  // namespace
}  // namespace rollover
