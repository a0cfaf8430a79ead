// rollover merge, rollover version: shards add up to the whole; what does not belong together is
// refused.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace rollover {
namespace {

using Json = nlohmann::json;

class MergeCommand : public Program {
 protected:
  static Json Parsed(const Ended& ended) {
    Json json = Json::parse(ended.out, nullptr, /*allow_exceptions=*/false);
    EXPECT_TRUE(json.is_object()) << ended.out << ended.err;
    return json.is_object() ? json : Json::object();
  }

  std::vector<std::string> RunArguments(const std::string& seeds, const std::string& shard) {
    std::vector<std::string> arguments = {"run",         "--seeds", seeds,
                                          "--json",      "--core",  "bug:retention-by-first",
                                          "--no-shrink", "--out",   beside("out")};
    if (!shard.empty()) arguments.insert(arguments.end(), {"--shard", shard});
    return arguments;
  }

  // The path of what shard I/N printed.
  std::string ShardFile(const std::string& seeds, int index, int count) {
    const std::string shard = std::to_string(index) + "/" + std::to_string(count);
    return File("shard-" + std::to_string(index) + ".json", Run(RunArguments(seeds, shard)).out);
  }

  // A copy of a summary with one field changed.
  std::string Changed(const Json& summary, const std::string& field, const Json& value) {
    Json json = summary;
    json[field] = value;
    return File("changed.json", json.dump());
  }
};

TEST_F(MergeCommand, FourShardsAreTheWholeFieldByField) {
  Json whole = Parsed(Run(RunArguments("400", "")));
  std::vector<std::string> merge = {"merge"};
  for (int index = 4; index >= 1; --index) merge.push_back(ShardFile("400", index, 4));
  const Ended ended = Run(merge);
  EXPECT_EQ(ended.code, 1);
  Json merged = Parsed(ended);
  ASSERT_GT(whole["failures_total"], 10);  // more than are kept
  EXPECT_EQ(whole["failures"].size(), 10U);
  EXPECT_GT(merged["seconds"], 0);
  whole.erase("seconds");
  merged.erase("seconds");
  EXPECT_EQ(merged, whole) << Json::diff(whole, merged).dump(1);
}

TEST_F(MergeCommand, AnyOrderAndAnyGroupingGivesTheSame) {
  const std::string a = ShardFile("60", 1, 3);
  const std::string b = ShardFile("60", 2, 3);
  const std::string c = ShardFile("60", 3, 3);
  const Ended at_once = Run({"merge", a, b, c});
  EXPECT_EQ(Parsed(at_once)["shard"], "1/1");
  EXPECT_EQ(Parsed(Run({"merge", c, a, b})), Parsed(at_once));
  const Ended two = Run({"merge", a, c});
  EXPECT_EQ(Parsed(two)["shard"], "1,3/3");
  EXPECT_EQ(Parsed(Run({"merge", b, File("two.json", two.out)})), Parsed(at_once));
}

TEST_F(MergeCommand, WhatDoesNotBelongTogetherIsRefused) {
  const std::string a = ShardFile("30", 1, 3);
  const std::string b = ShardFile("30", 2, 3);
  const Json second = Json::parse(Run(RunArguments("30", "2/3")).out);
  ExpectRefused({"merge", a, a}, {a, "shard 1/3 is there already"});
  for (const char* field : {"version", "options", "core", "first_seed"}) {
    const Json other = std::string(field) == "first_seed" ? Json(99) : Json("other");
    ExpectRefused({"merge", a, Changed(second, field, other)}, {"changed.json", field, a});
  }
  ExpectRefused({"merge", a, Changed(second, "shard", "2/4")}, {"of 4 shards", "of 3"});
  ExpectRefused({"merge", a, Changed(second, "environment_error", "disk full")},
                {"changed.json", "did not finish"});
  ExpectRefused({"merge", a, Changed(second, "every_crash_point", Json::object())},
                {"changed.json", "every_crash_point"});
}

TEST_F(MergeCommand, WhatIsNoSummaryIsRefused) {
  const std::string a = ShardFile("30", 1, 3);
  const Json second = Json::parse(Run(RunArguments("30", "2/3")).out);
  ExpectRefused({"merge"}, {"SUMMARY"});
  ExpectRefused({"merge", beside("none.json")}, {"none.json", "no such file"});
  ExpectRefused({"merge", File("x.json", "{")}, {"x.json", "is not JSON"});
  ExpectRefused({"merge", File("x.json", "[]")}, {"x.json", "no summary of run --json"});
  ExpectRefused({"merge", a, Changed(second, "turns", -1)}, {"'turns' is -1", "whole number"});
  ExpectRefused({"merge", a, Changed(second, "turns", ~std::uint64_t{0})}, {"'turns'", "2^64"});
  ExpectRefused({"merge", a, Changed(second, "faults", Json::object())}, {"'faults'", "names"});
  ExpectRefused({"merge", a, Changed(second, "failures", {1})}, {"'failures'", "'rule'"});
  ExpectRefused({"merge", a, Changed(second, "trace_hash", "0x12")}, {"'trace_hash'", "32"});
  for (const char* shard : {"", "/3", "2", "0/3", "4/3", "2,2/3", "2,/3", "2/0", "1/9999999"}) {
    ExpectRefused({"merge", a, Changed(second, "shard", shard)}, {"'shard' is", "I/N"});
  }
}

TEST_F(MergeCommand, AnInterruptedShardIsNotGreen) {
  Json held = Parsed(Run({"run", "--seeds", "4", "--shard", "1/2", "--json"}));
  ASSERT_EQ(held["failures_total"], 0);
  EXPECT_EQ(Run({"merge", File("held.json", held.dump())}).code, 0);
  const Ended ended = Run({"merge", Changed(held, "interrupted", true)});
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.err.find("interrupted"), std::string::npos) << ended.err;
}

TEST_F(MergeCommand, ThePartsOfADefaultRunMustReachEverything) {
  Json held = Parsed(Run({"run", "--seeds", "4", "--shard", "1/1", "--json"}));
  EXPECT_EQ(Run({"merge", File("few.json", held.dump())}).code, 0);
  const Ended ended = Run({"merge", Changed(held, "seeds", 20'000)});
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.err.find("must reach everything"), std::string::npos) << ended.err;
}

TEST_F(MergeCommand, VersionNamesTheBuildAndTheFormats) {
  const Ended ended = Run({"version", "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const Json json = Parsed(ended);
  EXPECT_EQ(json["scenario_format"], 1);
  EXPECT_EQ(json["wire_protocol"], 1);
  EXPECT_EQ(json["bytes_format"], 1);
  for (const char* field : {"version", "commit", "compiler"}) {
    EXPECT_NE(json[field], "") << field;
  }
  EXPECT_TRUE(json.contains("flags"));
  const Json run = Parsed(Run({"run", "--seeds", "1", "--json"}));
  EXPECT_EQ(run["version"],
            json["version"].get<std::string>() + " " + json["commit"].get<std::string>());
  const Ended screen = Run({"version"});
  EXPECT_NE(screen.out.find("commit           " + json["commit"].get<std::string>()),
            std::string::npos)
      << screen.out;
}

}  // namespace
}  // namespace rollover
