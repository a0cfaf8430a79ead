// Generated scenarios are sound: valid, a pure function of their seed, and no blame falls on a core
// that follows the protocol.
#include "sim/generator.h"

#include <gtest/gtest.h>

#include "sim/world.h"

namespace rollover {
namespace {

TEST(Generator, IsSoundAndPure) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const Scenario scenario = GenerateScenario(seed);
    ASSERT_EQ(Invalid(scenario), std::nullopt) << seed;
    ASSERT_EQ(GenerateScenario(seed), scenario) << seed;
    const Verdict verdict = RunScenario(scenario);
    ASSERT_TRUE(verdict.held()) << seed << ": " << RuleName(verdict.violations.front().rule) << ": "
                                << verdict.violations.front().what;
  }
}

TEST(Generator, KeepsTheCoreAndTheOptionsThatItIsGiven) {
  const Options options{.message_window_size = 4, .message_chunk_size = 2};
  for (const CoreKind core : {CoreKind::kReference, CoreKind::kNoCompaction, CoreKind::kLegacy}) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      const Scenario scenario = GenerateScenario(seed, {.core = core, .options = options});
      EXPECT_EQ(scenario.core, core);
      EXPECT_EQ(scenario.options.message_window_size, 4u);
      EXPECT_EQ(scenario.options.message_chunk_size, 2u);
      EXPECT_EQ(Invalid(scenario), std::nullopt);
    }
  }
}

TEST(Generator, SeedsDiffer) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    EXPECT_NE(GenerateScenario(seed), GenerateScenario(seed + 1)) << seed;
  }
}

}  // namespace
}  // namespace rollover
