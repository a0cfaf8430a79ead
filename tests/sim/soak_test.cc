// The source's published figures, and what follows from them.
#include "sim/campaign/soak.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rollover {
namespace {

SoakReport Soak(std::string_view preset, std::uint64_t turns = 0) {
  SoakConfig config{.preset = *SoakPresetNamed(preset)};
  if (turns > 0) config.preset.turns = turns;
  const std::atomic<bool> never{false};
  return RunSoak(config, never);
}

void ExpectPublishedFigures(const SoakReport& report) {
  constexpr std::array<std::uint64_t, 4> bytes = {161'708, 184'796, 161'820, 184'924};
  constexpr std::array<std::uint64_t, 4> kept = {112, 128, 112, 128};
  EXPECT_TRUE(report.failures.empty());
  ASSERT_EQ(report.checkpoints.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(report.checkpoints[i].turn, 200 * (i + 1));
    EXPECT_EQ(report.checkpoints[i].stored_message_bytes, bytes[i]);
    EXPECT_EQ(report.checkpoints[i].kept_messages, kept[i]);
    EXPECT_EQ(report.checkpoints[i].chunks, 2u);
  }
  EXPECT_EQ(report.stored_total_bytes, 2'309'293u);
  // Nine sequence numbers live outside the messages, and each gains a digit.
  const auto outside = [&](std::size_t i) {
    return report.checkpoints[i].live_state_bytes - report.checkpoints[i].stored_message_bytes;
  };
  EXPECT_EQ(outside(0), outside(1));
  EXPECT_EQ(outside(2), outside(0) + 9);
  EXPECT_EQ(outside(3), outside(2));
}

TEST(Soak, ReproducesThePublishedFiguresToTheByte) { ExpectPublishedFigures(Soak("source-800")); }

TEST(Soak, ReproducesThemUnderFaults) {
  const SoakReport report = Soak("source-800-faults");
  ExpectPublishedFigures(report);
  for (const FaultKind kind : SoakPresetNamed("source-800-faults")->faults) {
    EXPECT_GT(report.statistics.faults[static_cast<std::size_t>(kind)], 0u) << FaultName(kind);
  }
}

TEST(Soak, RepeatsExactlyOnceEverySequenceHasFourDigits) {
  const SoakReport report = Soak("source-2000");
  EXPECT_TRUE(report.failures.empty());
  ASSERT_EQ(report.checkpoints.size(), 10u);
  for (std::size_t i = 7; i < 10; ++i) {
    EXPECT_EQ(report.checkpoints[i].stored_message_bytes,
              report.checkpoints[i - 2].stored_message_bytes);
  }
}

TEST(Soak, AFailureIsAScenarioThatReplays) {
  const std::string broken = "bytes:bug:rolled-message-not-deleted";
  SoakConfig config{.preset = *SoakPresetNamed("source-800-faults")};
  auto core = ParseCoreSpec(broken);
  ASSERT_TRUE(core) << core.error().reason;
  config.core = core.value();
  const std::atomic<bool> never{false};
  const SoakReport report = RunSoak(config, never);
  ASSERT_EQ(report.failures.size(), 1u);
  EXPECT_EQ(report.failures[0].rule, Rule::kExactlyOnce);
  const Verdict again = RunScenario(report.failures[0].scenario, {.factory = config.core.factory});
  EXPECT_EQ(again.hash, report.failures[0].hash);
}

TEST(Soak, AFailureIsShrunkOnRequest) {
  SoakConfig config{.preset = *SoakPresetNamed("source-2000")};
  config.core.factory = ParseCoreSpec("bug:rollover-one-late").value().factory;
  const std::atomic<bool> never{false};
  const SoakReport found = RunSoak(config, never);
  config.shrink = true;
  const SoakReport shrunk = RunSoak(config, never);
  ASSERT_EQ(found.failures.size(), 1u);
  ASSERT_EQ(shrunk.failures.size(), 1u);
  const FoundFailure& failure = shrunk.failures[0];
  ASSERT_TRUE(failure.found);
  EXPECT_EQ(failure.found->operations, found.failures[0].scenario.operations.size());
  EXPECT_EQ(failure.scenario.operations.size(), 1u);
  EXPECT_EQ(failure.found_by, "soak source-2000 --seed 1");
  EXPECT_EQ(Fingerprint(failure), Fingerprint(found.failures[0]));
}

class EachPreset : public testing::TestWithParam<std::string_view> {};

TEST_P(EachPreset, HoldsAndStaysInItsBound) {
  const SoakReport report = Soak(GetParam());
  EXPECT_TRUE(Held(report));
  EXPECT_EQ(report.turns, SoakPresetNamed(GetParam())->turns);
  for (const SoakCheckpoint& checkpoint : report.checkpoints) {
    std::uint64_t sum = 0;
    for (const std::uint64_t bytes : checkpoint.live_bytes) sum += bytes;
    EXPECT_EQ(sum, checkpoint.live_state_bytes);
    if (checkpoint.bound) {
      EXPECT_LE(checkpoint.live_state_bytes, *checkpoint.bound);
    }
    EXPECT_LE(checkpoint.live_state_bytes, report.highest.live_state_bytes);
  }
  EXPECT_EQ(report.growth.has_value(), report.checkpoints.back().bound.has_value());
  EXPECT_NE(report.growth.has_value(), report.index_full_at_turn.has_value());
}

std::vector<std::string_view> PresetNames() {
  std::vector<std::string_view> names;
  for (const SoakPreset& preset : SoakPresets()) names.push_back(preset.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Soak, EachPreset, testing::ValuesIn(PresetNames()), [](const auto& each) {
  std::string name(each.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(SoakGrowth, OneChunkMoreIsWhereTheHalvesEnd) {
  EXPECT_TRUE((SoakGrowth{.bytes = 100, .chunk_bytes = 100}.flat()));
  EXPECT_FALSE((SoakGrowth{.bytes = 101, .chunk_bytes = 100}.flat()));
  EXPECT_TRUE((SoakGrowth{.bytes = -500, .chunk_bytes = 100}.flat()));
}

TEST(SoakGrowth, AStateThatGrowsIsNotHeld) {
  SoakConfig config{.preset = *SoakPresetNamed("lagging-summary")};
  config.preset.options.retained_message_limit = 0;
  config.preset.turn = [](std::uint64_t number, Random& random) {
    // Summaries of the first half only: what follows them is kept.
    return SoakPresetNamed(number < 1000 ? "source-800" : "no-compaction")->turn(number, random);
  };
  const std::atomic<bool> never{false};
  const SoakReport report = RunSoak(config, never);
  EXPECT_TRUE(report.failures.empty());
  ASSERT_TRUE(report.growth.has_value());
  EXPECT_FALSE(report.growth->flat());
  EXPECT_FALSE(Held(report));
}

TEST(Soak, SaysWhenTheIndexAloneIsTooLarge) {
  const SoakReport report = Soak("no-compaction");
  ASSERT_TRUE(report.index_full_at_turn.has_value());
  // 16 turns a chunk, 27 bytes and more of index each, 9 MiB: some millions.
  EXPECT_GT(*report.index_full_at_turn, 1'000'000u);
  EXPECT_LT(*report.index_full_at_turn, 6'000'000u);
}

}  // namespace
}  // namespace rollover
