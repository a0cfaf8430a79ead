// The suite of an external core: which scenarios it holds.
#include "sim/campaign/conformance.h"

#include <gtest/gtest.h>

#include "sim/generator.h"
#include "sim/scenario_json.h"
#include "tests/cli/program.h"

namespace rollover {
namespace {

std::string Text(const Scenario& scenario) { return WriteScenario({.scenario = scenario}); }

TEST(Conformance, EveryKthScenarioOfEachPartIsTaken) {
  ConformanceConfig config{.seeds = 10};
  for (std::uint64_t size = 1; size <= 5; ++size) {
    config.regressions.push_back(
        {std::to_string(size) + ".json", {.options = {.message_window_size = size}}});
  }
  const std::vector<ConformancePart> all = ConformanceParts(config);
  config.every = 3;
  const std::vector<ConformancePart> some = ConformanceParts(config);
  ASSERT_EQ(all.size(), some.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(all[i].name);
    EXPECT_EQ(some[i].name, all[i].name);
    EXPECT_EQ(some[i].scenarios, (all[i].scenarios + 2) / 3);
    EXPECT_GT(some[i].scenarios, 0u);
    for (std::uint64_t at = 0; at < some[i].scenarios; ++at) {
      EXPECT_EQ(Text(some[i].scenario_of(at)), Text(all[i].scenario_of(3 * at)));
      EXPECT_EQ(some[i].name_of(at), all[i].name_of(3 * at));
    }
  }
}

TEST(Conformance, WhatFoundAFailureCanBeRunAgain) {
  ConformanceConfig config{.seeds = 4, .every = 3, .regressions = {{"stale.json", {}}}};
  const std::vector<ConformancePart> parts = ConformanceParts(config);
  EXPECT_EQ(parts.front().name_of(0), "stale.json");
  EXPECT_EQ(parts.back().name_of(1), "seed 0x4");
  EXPECT_EQ(Text(parts.back().scenario_of(1)), Text(GenerateScenario(4)));
}

class CoreCommand : public Program {};

TEST_F(CoreCommand, BadNumbersAreRefused) {
  ExpectRefused({"core", "cat", "--every", "0"}, {"--every", "1 .. 1000"});
  ExpectRefused({"core", "cat", "--seeds", "x"}, {"--seeds", "'x'"});
}

}  // namespace
}  // namespace rollover
