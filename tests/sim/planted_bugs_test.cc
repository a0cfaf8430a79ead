// The planted bugs: each is found within 2,000 seeds, by the rule that its story is about, where
// the model's own cores pass; and docs/planted-bugs.md lists them as they are.
#include "sim/cores/planted_bugs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "sim/campaign/bug_report.h"
#include "sim/world.h"
#include "tests/scratch.h"

namespace rollover {

void PrintTo(const PlantedBug& bug, std::ostream* out) { *out << bug.name; }

namespace {

// Half of the bugs need a dozen turns; the slowest is about sessions of many mebibytes.
constexpr std::uint64_t kSeedsMax = 2000;

const std::atomic<bool> kNeverInterrupted{false};

class EachPlantedBug : public testing::TestWithParam<PlantedBug> {};

TEST_P(EachPlantedBug, IsConvictedByItsRuleAndTheModelIsNot) {
  const PlantedBug& bug = GetParam();
  const HuntReport report = HuntBugs({.bugs = {&bug}, .starts = 1}, kNeverInterrupted);
  EXPECT_EQ(report.reference_broke, "");
  const Hunt& hunt = report.bugs.at(0).swarm.at(0);
  ASSERT_TRUE(hunt.conviction) << bug.name << " survives " << hunt.scenarios << " seeds";
  EXPECT_EQ(RuleName(hunt.conviction->rule), RuleName(bug.expected))
      << hunt.conviction->by << ": " << hunt.conviction->what;
  EXPECT_LE(hunt.scenarios, kSeedsMax);
  EXPECT_EQ(report.reference_scenarios, hunt.scenarios);
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
    EXPECT_FALSE(bug.family.empty()) << bug.name;
    EXPECT_EQ(RuleNamed(RuleName(bug.expected)), bug.expected) << bug.name;
    EXPECT_EQ(PlantedBugNamed(bug.name), &bug);
  }
  EXPECT_GE(names.size(), 45U);
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

const std::string kSheet =
    test::TextOf(std::filesystem::path(ROLLOVER_SOURCE_DIR) / "docs/planted-bugs.md");

std::size_t RowsOf(std::string_view text) {
  std::size_t rows = 0;
  for (std::size_t at = text.find("\n| `"); at != text.npos; at = text.find("\n| `", at + 1))
    ++rows;
  return rows;
}

std::string_view Section(std::string_view begin, std::string_view end) {
  const std::size_t at = kSheet.find(begin);
  return std::string_view(kSheet).substr(at, kSheet.find(end) - at);
}

TEST(PlantedBugsSheet, ListsEachBugWithItsStoryItsRuleAndItsOrigin) {
  std::string_view family;
  std::string expected;
  for (const PlantedBug& bug : PlantedBugs()) {
    if (bug.family != family) {
      family = bug.family;
      expected +=
          fmt::format("\n### {}{}\n\n| Name | Story | Rule | Idea |\n| --- | --- | --- | --- |\n",
                      static_cast<char>(std::toupper(family[0])), family.substr(1));
    }
    expected += fmt::format("| `{}` | {} | {} | {} |\n", bug.name, bug.story,
                            RuleName(bug.expected), bug.source);
  }
  EXPECT_NE(kSheet.find(expected), std::string::npos) << "docs/planted-bugs.md must hold:\n"
                                                      << expected;
  EXPECT_EQ(RowsOf(Section("## The bugs", "## What only one rule convicts")), PlantedBugs().size());
}

// What the sheet says of a rule: that it convicts these alone, or why no bug can be convicted by it
// alone.
std::string RuleRow(const RulePower& power) {
  std::string alone;
  for (const std::string_view name : power.alone) {
    alone += fmt::format("{}`{}`", alone.empty() ? "" : ", ", name);
  }
  return fmt::format("| `{}` | {} |", RuleName(power.rule), alone);
}

TEST(PlantedBugsSheet, SaysForEachRuleWhichBugsItConvictsAloneOrWhyThereIsNone) {
  HuntConfig config{.starts = 5, .jobs = 2};
  HuntConfig slow{.starts = 1};
  for (const PlantedBug& bug : PlantedBugs()) {
    (bug.slow_because.empty() ? config : slow).bugs.push_back(&bug);
  }
  HuntReport report = HuntBugs(config, kNeverInterrupted);
  EXPECT_TRUE(report.all_well());
  const HuntReport others = HuntBugs(slow, kNeverInterrupted);
  EXPECT_TRUE(others.all_well());
  report.bugs.insert(report.bugs.end(), others.bugs.begin(), others.bugs.end());
  for (const RulePower& power : PowerOfRules(report)) {
    const std::string row = RuleRow(power);
    if (!power.alone.empty()) {
      EXPECT_NE(kSheet.find("\n" + row + "\n"), std::string::npos) << row;
      continue;
    }
    const std::string none = fmt::format("\n| `{}` | none: ", RuleName(power.rule));
    EXPECT_NE(kSheet.find(none), std::string::npos) << none;
  }
}

}  // namespace
}  // namespace rollover
