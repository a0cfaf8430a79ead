// Weak spots that break no rule (docs/findings.md): what they do, in numbers.
#include <gtest/gtest.h>

#include "sim/world.h"

namespace rollover {
namespace {

ContentSpec Sized(SizeBase base, std::int64_t amount) { return {.base = base, .amount = amount}; }

// Called after each turn with the world and the turn's number.
template <typename Look>
Verdict Watch(const Scenario& scenario, Look look) {
  std::uint64_t turn = 0;
  WorldConfig config;
  config.on_turn_end = [&](const World& world) { look(world, ++turn); };
  return RunScenario(scenario, config);
}

// Sixteen results close to the cap a turn; a commit moves four chunks, of one each.
Scenario NearCapLoad(std::uint64_t chunks_max) {
  Scenario scenario;
  scenario.options = {.message_window_size = 4,
                      .message_chunk_size = 4,
                      .message_chunk_max_bytes = kChunkBytesFloor,
                      .retained_message_limit = 100};
  scenario.options.commit_chunks_max = chunks_max;
  for (int turn = 0; turn < 20; ++turn) {
    Round round{.reply = {.amount = 16}};
    round.tools.assign(16, Sized(SizeBase::kCap, -40));
    scenario.operations.push_back(Turn{.user = {.amount = 16}, .rounds = {round}});
  }
  return scenario;
}

std::size_t WindowAfter20Turns(std::uint64_t chunks_max) {
  std::size_t window = 0;
  const Verdict verdict =
      Watch(NearCapLoad(chunks_max), [&](const World& world, std::uint64_t turn) {
        if (turn == 20) window = world.judge().stored().window().size();
      });
  EXPECT_TRUE(verdict.held());
  return window;
}

TEST(WeakSpots, AWindowGrowsWhileStepsStoreMoreThanFourChunksMove) {
  // 19 messages come a turn, in four commits, each of which moves 4 at most.
  EXPECT_GT(WindowAfter20Turns(kCommitChunksMax), 25U);
  EXPECT_LE(WindowAfter20Turns(16), 8U);
}

// All messages above the cap; the first one small, or not.
Scenario OnlyOversized(bool small_first) {
  Scenario scenario;
  scenario.options = {.message_window_size = 4,
                      .message_chunk_size = 2,
                      .message_chunk_max_bytes = kChunkBytesFloor,
                      .retained_message_limit = 2};
  for (int turn = 0; turn < 40; ++turn) {
    const ContentSpec large = Sized(SizeBase::kCap, 1);
    scenario.operations.push_back(
        Turn{.user = turn == 0 && small_first ? ContentSpec{.amount = 16} : large,
             .rounds = {Round{.compact = true, .summary = "so far"}, Round{.reply = large}}});
  }
  return scenario;
}

TEST(WeakSpots, OneSmallMessageKeepsEveryOversizedOneBehindIt) {
  for (const bool small_first : {true, false}) {
    std::vector<std::size_t> chunks;
    const Verdict verdict =
        Watch(OnlyOversized(small_first), [&](const World& world, std::uint64_t turn) {
          if (turn <= 40) chunks.push_back(world.judge().stored().chunks().size());
        });
    EXPECT_TRUE(verdict.held());
    ASSERT_EQ(chunks.size(), 40U);
    if (small_first) {
      EXPECT_EQ(chunks[39], 79U);  // all of them
    } else {
      EXPECT_LE(chunks[39], 4U);
    }
  }
}

// What a reader copied out before the engine went back is replaced by something else under the
// same sequences.
TEST(WeakSpots, SequencesAreUsedAgainAfterARollBack) {
  Scenario scenario;
  scenario.limits.durability = Durability::kAsync;
  scenario.operations = {Turn{.user = {.amount = 16}, .rounds = {Round{.reply = {.amount = 40}}}},
                         Turn{.user = {.amount = 24}}};
  scenario.faults = {{.kind = FaultKind::kEngineCrash,
                      .turn = 2,
                      .step = StepKind::kStartTurn,
                      .at = Point::kHandedOut,
                      .commits = 1},
                     {.kind = FaultKind::kControl,
                      .turn = 1,
                      .step = StepKind::kRunModel,
                      .attempt = 2,
                      .at = Point::kHandedOut}};
  std::vector<std::string> second;  // message 2, whenever the session is idle
  const Verdict verdict = Watch(scenario, [&](const World& world, std::uint64_t) {
    if (world.judge().ledger().next() <= 2) return;
    second.emplace_back(world.judge().ledger().At(2).content.encoded());
  });
  EXPECT_TRUE(verdict.held());
  EXPECT_TRUE(verdict.unfired.empty());
  ASSERT_GE(second.size(), 2U);
  EXPECT_NE(second.front(), second.back());
}

}  // namespace
}  // namespace rollover
