// What a shrinker may try: each edit says what it does, and keeps faults on what they hit.
#include "sim/campaign/smaller.h"

#include <gtest/gtest.h>

#include "sim/generator.h"
#include "sim/sound.h"
#include "sim/world.h"

namespace rollover {
namespace {

Turn Plain() { return {.user = {.amount = 40}, .rounds = {{.reply = {.amount = 50}}}}; }

Scenario After(const Scenario& scenario, const Edit& edit) {
  Scenario smaller = scenario;
  edit(smaller);
  return smaller;
}

// How many messages a run stores before its quiet phase.
std::uint64_t Stored(const Scenario& scenario) {
  std::uint64_t stored = 0;
  WorldConfig config;
  config.on_turn_end = [&](const World& world) { stored = world.judge().ledger().next() - 1; };
  FixedSource source(scenario);
  World world(scenario.core, scenario.options, scenario.limits, source, config);
  EXPECT_TRUE(world.Run().held());
  return stored;
}

TEST(Smaller, WhenTurnsGoTheFaultsOfTheOthersMoveAlong) {
  Scenario scenario{.operations = {Plain(), Read{}, Plain(), Plain(), Plain()}};
  for (std::uint64_t turn = 1; turn <= 4; ++turn) {
    scenario.faults.push_back({.turn = turn, .attempt = turn});
  }
  const Scenario smaller =
      After(scenario, OperationBlocks(scenario, 2)[2]);  // the 2nd and 3rd turn
  EXPECT_EQ(smaller.operations, (std::vector<Operation>{Plain(), Read{}, Plain()}));
  EXPECT_EQ(smaller.faults,
            (std::vector<Fault>{{.turn = 1, .attempt = 1}, {.turn = 2, .attempt = 4}}));
}

TEST(Smaller, ATailStartsWithWhatWasInForce) {
  const Options set{.message_window_size = 7, .message_chunk_size = 3};
  Options changed = set;
  changed.message_window_size = 5;
  changed.compaction = false;
  const Scenario scenario{
      .core = CoreKind::kLegacy,
      .operations = {Plain(), Restart{.options = set, .core = CoreKind::kNoCompaction}, Plain(),
                     Plain()},
      .faults = {{.kind = FaultKind::kOptionsChange, .turn = 2, .options = changed},
                 {.kind = FaultKind::kCoreSwap, .turn = 2, .core = CoreKind::kReference}}};
  const Scenario smaller = After(scenario, Tails(scenario)[0]);
  Options in_force = changed;
  in_force.compaction = true;  // a fault does not switch it
  // A swap that is not to 0.1.0 is to what ran last that was not it.
  EXPECT_EQ(smaller.core, CoreKind::kNoCompaction);
  EXPECT_EQ(smaller.options, in_force);
  EXPECT_EQ(smaller.operations, std::vector<Operation>{Plain()});
  EXPECT_TRUE(smaller.faults.empty());
}

TEST(Smaller, AFoldStoresAsManyMessages) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Scenario scenario = GenerateScenario(seed, {.core = CoreKind::kReference});
    scenario.faults.clear();  // they, and contents that are refused, would end turns early
    for (std::size_t i = 0; i < scenario.operations.size(); ++i) {
      if (auto* turn = std::get_if<Turn>(&scenario.operations[i])) {
        turn->user = {};
        for (Round& round : turn->rounds) {
          round.reply = {};
          for (ContentSpec& tool : round.tools) tool = {};
        }
      }
    }
    const Edits folds = Folds(scenario, scenario.operations.size());
    if (folds.empty()) continue;  // one operation
    const Scenario folded = After(scenario, folds[0]);
    ASSERT_EQ(CountTurns(folded), 1u);
    EXPECT_EQ(Stored(folded), Stored(scenario)) << "seed " << seed;
  }
}

TEST(Smaller, AFoldKeepsFaultsOnTheirSteps) {
  Turn tools = Plain();
  tools.rounds = {{.tools = {{}}}, {}};
  const Scenario scenario{.operations = {tools, tools},
                          .faults = {{.turn = 1, .step = StepKind::kRunModel, .occurrence = 2},
                                     {.turn = 2, .step = StepKind::kStartTurn},
                                     {.turn = 2, .step = StepKind::kRunModel, .occurrence = 1},
                                     {.turn = 2, .step = StepKind::kResumeTurn, .occurrence = 1}}};
  const Scenario folded = After(scenario, Folds(scenario, 2)[0]);
  EXPECT_EQ(folded.faults,
            (std::vector<Fault>{{.turn = 1, .step = StepKind::kRunModel, .occurrence = 2},
                                {.turn = 1, .step = StepKind::kResumeTurn, .occurrence = 2},
                                {.turn = 1, .step = StepKind::kRunModel, .occurrence = 3},
                                {.turn = 1, .step = StepKind::kResumeTurn, .occurrence = 3}}));
  EXPECT_TRUE(RunScenario(folded).unfired.empty());
}

TEST(Smaller, WhenARoundGoesTheFaultsOfLaterOnesMoveAlong) {
  Turn turn = Plain();
  turn.rounds = {{.tools = {{}}}, {.compact = true}, {.tools = {{}}}, {}};
  const Scenario scenario{
      .operations = {turn},
      .faults = {{.turn = 1, .step = StepKind::kRunModel, .occurrence = 4},
                 {.turn = 1, .step = StepKind::kResumeTurn, .occurrence = 2},
                 {.turn = 1, .step = StepKind::kCompactContext, .occurrence = 1}}};
  const Scenario smaller = After(scenario, RoundBlocks(scenario, 1)[0]);
  EXPECT_EQ(smaller.faults[0].occurrence, 3u);
  EXPECT_EQ(smaller.faults[1].occurrence, 1u);
  EXPECT_EQ(smaller.faults[2].occurrence, 1u);
  EXPECT_TRUE(RunScenario(smaller).unfired.empty());
}

TEST(Smaller, RoundsBehindTheLastReplyAreIdle) {
  Turn turn = Plain();
  turn.rounds = {{.compact = true}, {}, {.tools = {{}}}};
  Scenario scenario{.operations = {turn}};
  DropIdleRounds(scenario);
  EXPECT_EQ(std::get<Turn>(scenario.operations[0]).rounds.size(), 2u);
}

TEST(Smaller, EveryEditMadeSoundIsOneThatTheModelPasses) {
  std::uint64_t edits_seen = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Scenario scenario = GenerateScenario(seed);
    for (const Edits& edits :
         {Tails(scenario), WholeKinds(scenario), OperationBlocks(scenario, 3),
          FaultBlocks(scenario, 2), RoundBlocks(scenario, 3), ToolBlocks(scenario, 2),
          Folds(scenario, 5), SimplerSettings(scenario), SimplerFaults(scenario),
          SimplerContents(scenario), SimplerReads(scenario), DefaultSettings(scenario)}) {
      for (std::size_t i = 0; i < edits.size(); i += 1 + edits.size() / 8) {
        Scenario smaller = After(scenario, edits[i]);
        if (Invalid(smaller)) continue;
        ++edits_seen;
        const Verdict verdict = RunScenario(MakeSound(smaller));
        ASSERT_TRUE(verdict.held())
            << "seed " << seed << ", edit " << i << ": " << verdict.violations.front().what;
      }
    }
  }
  EXPECT_GT(edits_seen, 500u);
}

TEST(Smaller, SizeComparesOperationsFirst) {
  const Scenario one{.operations = {Plain()}, .faults = {{}, {}}};
  const Scenario two{.operations = {Turn{}, Turn{}}};
  EXPECT_LT(SizeOf(one), SizeOf(two));
  Scenario three = two;
  three.options.message_window_size = 1;
  three.options.message_chunk_size = 1;
  EXPECT_LT(SizeOf(three), SizeOf(two));
}

TEST(Smaller, SizesEveryOffsetThatAFileMayHold) {
  const auto details = [](std::int64_t offset) {
    const Read read{.rpc = Rpc::kListAgentMessages, .after = Anchor{.offset = offset}};
    return SizeOf({.operations = {read}}).details;
  };
  EXPECT_GT(details(INT64_MIN), details(INT64_MIN + 1));
  EXPECT_EQ(details(-3), details(3));
}

}  // namespace
}  // namespace rollover
