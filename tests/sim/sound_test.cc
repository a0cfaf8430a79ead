// Soundness: whatever the decisions, a core that follows the protocol is not to blame.
#include "sim/sound.h"

#include <gtest/gtest.h>

#include "sim/generator.h"
#include "sim/random.h"
#include "sim/scenario_bytes.h"
#include "sim/world.h"

namespace rollover {
namespace {

// A generated scenario with bytes of its encoding changed.
Scenario Mutant(std::uint64_t seed) {
  Random random(seed, "mutant");
  std::string bytes = EncodeScenario(GenerateScenario(seed)).value();
  for (std::uint64_t i = random.Between(1, 8); i > 0; --i) {
    bytes[random.Below(bytes.size())] = static_cast<char>(random.Below(256));
  }
  Scenario scenario = DecodeScenario(bytes);
  LimitContents(scenario, 4 * kMebibyte);
  return scenario;
}

TEST(Sound, LeavesASoundScenarioAlone) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const Scenario scenario = GenerateScenario(seed);
    ASSERT_EQ(MakeSound(scenario), scenario) << seed;
  }
}

TEST(Sound, MakesAnyScenarioSound) {
  std::uint64_t changed = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const Scenario mutant = Mutant(seed);
    const Scenario sound = MakeSound(mutant);
    changed += sound == mutant ? 0 : 1;
    ASSERT_EQ(Invalid(sound), std::nullopt) << seed;
    ASSERT_EQ(MakeSound(sound), sound) << seed;
    const Verdict verdict = RunScenario(sound);
    ASSERT_TRUE(verdict.held()) << seed << ": " << RuleName(verdict.violations.front().rule) << ": "
                                << verdict.violations.front().what;
  }
  EXPECT_GT(changed, 100u);
}

TEST(Sound, LetsALimitRiseOnlyOnceAMessageMayBeAsLargeAsIt) {
  const Turn at_limit{.user = {.base = SizeBase::kLimit, .amount = 0}};
  const ChangeLimits down{.max_value_bytes = 1, .max_result_bytes = 1};
  const Scenario sound = MakeSound({.operations = {at_limit, down, at_limit}});
  EXPECT_EQ(std::get<ChangeLimits>(sound.operations[1]).max_value_bytes,
            sound.limits.max_value_bytes);
  EXPECT_TRUE(RunScenario(sound).held());
}

TEST(Sound, CutsContentsToABudget) {
  const Turn large{.user = {.amount = 1000}};
  Scenario scenario{.operations = {large, large, large}};
  LimitContents(scenario, 2500);
  EXPECT_EQ(std::get<Turn>(scenario.operations[1]).user.amount, 1000);
  EXPECT_EQ(std::get<Turn>(scenario.operations[2]).user, ContentSpec{});
}

TEST(Sound, CutsAContentSizedByALimitThatIsSetLater) {
  const Turn at_limit{.user = {.base = SizeBase::kLimit, .amount = 0}};
  const ChangeLimits up{.max_value_bytes = kMebibyte, .max_result_bytes = kMebibyte};
  Scenario scenario{.limits = {.max_value_bytes = 2048}, .operations = {up, at_limit}};
  LimitContents(scenario, kMebibyte / 2);
  EXPECT_EQ(std::get<Turn>(scenario.operations[1]).user, ContentSpec{});
}

}  // namespace
}  // namespace rollover
