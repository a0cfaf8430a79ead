// rollover blame: what it prints, the page it writes, what it refuses.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

const std::string kFile = ROLLOVER_SOURCE_DIR "/corpus/regressions/retention-by-first.json";

class BlameCommand : public Program {};

TEST_F(BlameCommand, PrintsOneObject) {
  const Ended ended = Run({"blame", kFile, "--continuations", "10", "--json"});
  EXPECT_EQ(ended.code, 1) << ended.err;
  const auto json = nlohmann::json::parse(ended.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << ended.out;
  EXPECT_EQ(json["rule"], "retention-safe");
  EXPECT_EQ(json["necessary"], json["decisions"].size());
  EXPECT_EQ(json["certain_from"], 4);
  EXPECT_EQ(json["moments"][0]["futures"], 10);
}

TEST_F(BlameCommand, WritesTheTimelineWithWhatItFound) {
  const Ended ended = Run({"blame", kFile, "--continuations", "10", "--html", "why.html"});
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_NE(ended.out.find("5 of 5 decisions are necessary"), std::string::npos) << ended.out;
  const std::string page = test::TextOf(here() / "why.html");
  EXPECT_NE(page.find("Why: 5 of 5 decisions are necessary"), std::string::npos);
  EXPECT_NE(page.find("certain from here on"), std::string::npos);
  EXPECT_NE(page.find("100 % of futures fail after it"), std::string::npos);
}

TEST_F(BlameCommand, WantsAScenarioThatFails) {
  const Ended ended =
      Run({"blame", ROLLOVER_SOURCE_DIR "/corpus/regressions/rolled-over-before-oversized.json"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("nothing to blame"), std::string::npos) << ended.err;
  EXPECT_EQ(Run({"blame", kFile, "--continuations", "0"}).code, 2);
}

}  // namespace
}  // namespace rollover
