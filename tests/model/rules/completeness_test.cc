// Every rule has a test that shows it failing: a rule that nobody has seen fail proves nothing.
#include "tests/model/rules/history.h"

namespace rollover {
namespace {

TEST(Rules, EachIsShownFailingBySomeTest) {
  for (const RuleInfo& info : Rules()) {
    if (info.kind == RuleKind::kHarness) continue;  // the harness judges these, and their tests too
    EXPECT_TRUE(RulesShownFailing().contains(info.rule))
        << info.name << ": write a RULE_BREAKS test that shows it failing";
  }
}

TEST(Rules, NamesAreDistinctAndFoundAgain) {
  for (const RuleInfo& info : Rules()) {
    EXPECT_EQ(RuleNamed(info.name), info.rule);
    EXPECT_EQ(RuleName(info.rule), info.name);
  }
  EXPECT_EQ(RuleNamed("no-such-rule"), std::nullopt);
}

TEST(Rules, TheMostTellingViolationComesFirstAndIsTakenOnce) {
  Findings findings;
  findings.Broken(Rule::kNoWedge, "c");
  findings.Broken(Rule::kInOrder, "a");
  findings.Broken(Rule::kInOrder, "b");
  const std::vector<Violation> taken = findings.TakeViolations(7);
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_EQ(taken[0].what + taken[1].what + taken[2].what, "abc");
  EXPECT_EQ(taken[0].commit, 7u);
  EXPECT_TRUE(findings.TakeViolations(8).empty());
}

}  // namespace
}  // namespace rollover
