// rollover explore: what it prints, how it ends, what it refuses.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace rollover {
namespace {

using Json = nlohmann::json;

class ExploreCommand : public Program {
 protected:
  static Json Parsed(const Ended& ended) {
    Json json = Json::parse(ended.out, nullptr, /*allow_exceptions=*/false);
    EXPECT_TRUE(json.is_object()) << ended.out << ended.err;
    return json.is_object() ? json : Json::object();
  }
};

TEST_F(ExploreCommand, PrintsOneObjectWithTheContractsFields) {
  const Ended ended = Run({"explore", "--turns", "2", "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  const Json json = Parsed(ended);
  for (const char* name : {"states", "transitions", "complete", "crash_points", "depth", "failures",
                           "seconds", "states_per_s"}) {
    EXPECT_TRUE(json.contains(name)) << name;
  }
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["failures"], Json::array());
  EXPECT_EQ(json["crash_points"]["reached"], json["crash_points"]["total"]);
  EXPECT_GT(json["crash_points"]["total"], 100);
  EXPECT_TRUE(NothingWritten());
}

TEST_F(ExploreCommand, SaysOnTheScreenThatEveryCrashPointWasStruck) {
  const Ended ended = Run({"explore", "--turns", "1"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("crash points 111/111\n"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("complete: every state"), std::string::npos) << ended.out;
}

TEST_F(ExploreCommand, SaysThatAMaximumEndedIt) {
  const Ended ended = Run({"explore", "--turns", "3", "--max-states", "500", "--json"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_NE(ended.err.find("not complete: stopped by --max-states"), std::string::npos)
      << ended.err;
  const Json json = Parsed(ended);
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["states"], 500);
}

TEST_F(ExploreCommand, SavesAScenarioThatReplays) {
  const Ended ended =
      Run({"explore", "--turns", "2", "--core", "bug:run-overlaps-window", "--json"});
  EXPECT_EQ(ended.code, 1) << ended.err;
  const Json json = Parsed(ended);
  EXPECT_EQ(json["complete"], false);
  ASSERT_EQ(json["failures"].size(), 1U);
  EXPECT_EQ(json["failures"][0]["rule"], "exactly-once");
  const Ended replayed = Run({"replay", json["failures"][0]["scenario"], "--json"});
  EXPECT_EQ(replayed.code, 1) << replayed.err;
  EXPECT_EQ(Parsed(replayed)["answer"], "REPRODUCED");
}

TEST_F(ExploreCommand, RefusesBadInput) {
  ExpectRefused({"explore", "--turns", "0"}, {"--turns is '0'", "1 .. 8"});
  ExpectRefused({"explore", "--turns", "9"}, {"--turns is '9'", "1 .. 8"});
  ExpectRefused({"explore", "--faults", "5"}, {"--faults is '5'", "0 .. 4"});
  ExpectRefused({"explore", "--faults", "-1"}, {"--faults is '-1'"});
  ExpectRefused({"explore", "--preset", "huge"}, {"--preset is 'huge'", "tiny, async, migration"});
  ExpectRefused({"explore", "--max-states", "0"}, {"--max-states is '0'", "1 .. "});
  ExpectRefused({"explore", "--max-memory", "1024"}, {"--max-memory is '1024'", "1048576 .. "});
  ExpectRefused({"explore", "--core", "bug:frob"}, {"--core: unknown planted bug 'frob'"});
  ExpectRefused({"explore", "--core", "exec:cat"}, {"--core is 'exec:cat'", "bug:NAME"});
  ExpectRefused({"explore", "--core", ""}, {"--core"});
  ExpectRefused({"explore", "stray"}, {"stray"});
}

}  // namespace
}  // namespace rollover
