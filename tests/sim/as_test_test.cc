// A failure as a test: what is printed compiles, as pasted_test.cc shows, which is such a print.
#include "sim/campaign/as_test.h"

#include <gtest/gtest.h>

#include "sim/scenario_json.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

// A window of one, and a text that would end a raw string.
FoundFailure SmallFailure() {
  FoundFailure failure{.rule = Rule::kExactlyOnce,
                       .what = "message 1 is stored 2 times\n\\",
                       .found_by = "seed 0x2a"};
  failure.hash = {0x0123456789abcdef, 1};
  failure.scenario.options = {.message_window_size = 1, .message_chunk_size = 1};
  failure.scenario.operations = {
      Turn{.user = {.kind = ContentSpec::Kind::kText, .text = ")json\" \u4f1a"}}};
  return failure;
}

std::string FileText(const std::string& path) {
  return test::TextOf(std::filesystem::path(ROLLOVER_SOURCE_DIR) / path);
}

TEST(AsTest, PrintsWhatPastedTestHolds) {
  EXPECT_EQ(AsTest(SmallFailure(), "reference"), FileText("tests/sim/pasted_test.cc"));
}

TEST(AsTest, ThatTestIsRedForACoreWithTheBug) {
  const auto core = ParseCoreSpec("bug:rolled-message-not-deleted");
  ASSERT_TRUE(core);
  const Verdict verdict = RunScenario(SmallFailure().scenario, {.factory = core.value().factory});
  ASSERT_FALSE(verdict.held());
  EXPECT_EQ(verdict.violations.front().rule, Rule::kExactlyOnce);
}

TEST(AsTest, QuotesTheCore) {
  const std::string test = AsTest(SmallFailure(), "exec:\"a b\" \\ \n\xC3");
  EXPECT_NE(test.find("ParseCoreSpec(\"exec:\\\"a b\\\" \\\\ \\012\\303\")"), std::string::npos)
      << test;
}

}  // namespace
}  // namespace rollover
