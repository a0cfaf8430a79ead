#include "tests/cli/program.h"

namespace rollover {
namespace {

using NightlyCommand = Program;

TEST_F(NightlyCommand, RefusesBadInput) {
  ExpectRefused({"nightly", "--budget", "59s"}, {"--budget is '59s'", "1m .. 8784h"});
  ExpectRefused({"nightly", "--budget", "soon"}, {"--budget is 'soon'"});
  ExpectRefused({"nightly", "--core", "bug:no-such"}, {"--core", "no-such"});
  ExpectRefused({"nightly", "--core", "exec:"}, {"--core"});
}

TEST_F(NightlyCommand, AFileThatNoNightWroteIsRefused) {
  const std::filesystem::path known = here() / "out/nightly/known.json";
  std::filesystem::create_directories(known.parent_path());
  std::ofstream(known) << "{}";
  const Ended ended = Run({"nightly", "--budget", "1m"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("known.json: not what a night wrote"), std::string::npos) << ended.err;
  EXPECT_EQ(test::TextOf(known), "{}");
}

}  // namespace
}  // namespace rollover
