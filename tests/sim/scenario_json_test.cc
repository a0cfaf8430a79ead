// Scenario files that are right: what is written is what is read.
#include "sim/scenario_json.h"

#include <gtest/gtest.h>

#include "sim/generator.h"

namespace rollover {
namespace {

void ExpectSurvives(const ScenarioFile& file) {
  const std::string text = WriteScenario(file);
  const auto read = ReadScenario(text);
  ASSERT_TRUE(read) << read.error().reason << "\n" << text;
  EXPECT_EQ(read.value().scenario, file.scenario) << text;
  EXPECT_EQ(read.value().failure, file.failure) << text;
  EXPECT_EQ(WriteScenario(read.value()), text);
}

// Built up step by step: gcc 12 takes a nested list of them for uninitialised.
void ExpectSurvives(const Operation& operation) {
  ScenarioFile file;
  file.scenario.operations.push_back(operation);
  ExpectSurvives(file);
}

void ExpectSurvives(const Fault& fault) {
  ScenarioFile file;
  file.scenario.operations.emplace_back(Turn{});
  file.scenario.faults.push_back(fault);
  ExpectSurvives(file);
}

StepKind StepThatItCanHit(FaultKind kind) {
  for (std::size_t s = 0; s < kStepKindCount; ++s) {
    if (CanHit(kind, static_cast<StepKind>(s))) return static_cast<StepKind>(s);
  }
  return StepKind::kStartTurn;
}

Fault Of(FaultKind kind) { return {.kind = kind, .step = StepThatItCanHit(kind)}; }

TEST(ScenarioJson, GeneratedScenariosSurvive) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    ExpectSurvives({.scenario = GenerateScenario(seed)});
  }
}

TEST(ScenarioJson, WhatAFileIsKnownToShowSurvives) {
  ExpectSurvives({.scenario = {},
                  .failure = KnownFailure{.rule = "no-wedge",
                                          .what = "a \"quoted\"\nline",
                                          .core = "bug:x",
                                          .found_by = "seed 0x1",
                                          .trace_hash = "00ff"}});
}

TEST(ScenarioJson, AFailureThatIsNotUtf8IsStillWritten) {
  const std::string text =
      WriteScenario({.scenario = {}, .failure = KnownFailure{.what = "the core said \xFF"}});
  EXPECT_TRUE(ReadScenario(text)) << text;
}

TEST(ScenarioJson, EverySettingSurvives) {
  for (const CoreKind core : {CoreKind::kReference, CoreKind::kNoCompaction, CoreKind::kLegacy}) {
    ExpectSurvives({.scenario = {.core = core}});
  }
  ExpectSurvives({.scenario = {.options = {.message_window_size = kSettingMax,
                                           .message_chunk_size = kSettingMax,
                                           .message_chunk_max_bytes = kChunkBytesCeiling,
                                           .retained_message_limit = std::nullopt,
                                           .compaction = false}}});
  ExpectSurvives({.scenario = {.options = {.message_window_size = 1,
                                           .message_chunk_size = 1,
                                           .message_chunk_max_bytes = kChunkBytesFloor,
                                           .retained_message_limit = 0}}});
  ExpectSurvives({.scenario = {.limits = {.max_value_bytes = 1,
                                          .max_result_bytes = kSettingMax,
                                          .max_flow_state_bytes = 1,
                                          .history_commits = 1'000'000,
                                          .durability = Durability::kAsync}}});
}

TEST(ScenarioJson, EveryContentSurvives) {
  std::vector<ContentSpec> specs;
  for (std::size_t f = 0; f < kFillCount; ++f) {
    for (const SizeBase base :
         {SizeBase::kBytes, SizeBase::kMessage, SizeBase::kCap, SizeBase::kLimit}) {
      for (const std::int64_t amount : {-7, -1, 0, 1, 300}) {
        specs.push_back({.fill = static_cast<Fill>(f), .base = base, .amount = amount});
      }
    }
  }
  for (const char* text : {"", "plain", "\"\\\b\f\n\r\t\x01", "漢字", "😀", "cap-1"}) {
    specs.push_back({.kind = ContentSpec::Kind::kText, .text = text});
  }
  specs.push_back({.kind = ContentSpec::Kind::kText, .text = std::string("a\0b", 3)});
  for (const char* json : {"null", "1.50", "[1, 2.0]", "{\"a\":\"\\u00e4\"}", "\"text\""}) {
    specs.push_back({.kind = ContentSpec::Kind::kJson, .text = json});
  }
  for (const ContentSpec& spec : specs) {
    Turn turn;
    turn.user = spec;
    turn.rounds.resize(1);
    turn.rounds[0].reply = spec;
    turn.rounds[0].tools = {spec, ContentSpec{}};
    ExpectSurvives(turn);
  }
}

TEST(ScenarioJson, EveryOperationSurvives) {
  ExpectSurvives(Turn{});
  Turn turn;
  turn.rounds.resize(2);
  turn.rounds[0] = {.compact = true, .keep = 3, .summary = "so far\n"};
  ExpectSurvives(turn);
  ExpectSurvives(Restart{});
  ExpectSurvives(Restart{.options = Options{.message_window_size = 2, .message_chunk_size = 1}});
  ExpectSurvives(Restart{.core = CoreKind::kLegacy});
  ExpectSurvives(ChangeLimits{.max_value_bytes = 1, .max_result_bytes = kSettingMax});
  ExpectSurvives(Read{});
  for (const std::int64_t limit : {-1, 0, 1, 200, 201}) {
    ExpectSurvives(Read{.rpc = Rpc::kListAgentMessages, .limit = limit});
  }
}

TEST(ScenarioJson, EveryAnchorSurvives) {
  for (std::size_t p = 0; p < kAnchorPlaceCount; ++p) {
    for (const std::int64_t offset : {-3, 0, 5}) {
      const Anchor anchor{.place = static_cast<AnchorPlace>(p), .chunk = p, .offset = offset};
      ExpectSurvives(Read{.rpc = Rpc::kListAgentMessages, .after = anchor});
      ExpectSurvives(Read{.rpc = Rpc::kListAgentMessages, .before = anchor, .limit = 3});
      ExpectSurvives(Read{.rpc = Rpc::kListAgentMessages, .after = anchor, .before = anchor});
    }
  }
}

TEST(ScenarioJson, EveryFaultSurvivesAtEveryStepThatItCanHit) {
  for (std::size_t k = 0; k < kFaultKindCount; ++k) {
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      Fault fault{.kind = static_cast<FaultKind>(k), .step = static_cast<StepKind>(s)};
      if (!CanHit(fault.kind, fault.step)) continue;
      const bool limit =
          fault.kind == FaultKind::kValueLimit || fault.kind == FaultKind::kResultLimit;
      if (limit) fault.bytes = 1;
      ExpectSurvives(fault);
      fault.occurrence = 3;
      fault.attempt = 4;
      ExpectSurvives(fault);
    }
  }
}

TEST(ScenarioJson, EveryFieldOfAFaultSurvives) {
  Fault kill = Of(FaultKind::kKillMidCommit);
  kill.entries = 6;
  ExpectSurvives(kill);
  Fault crash = Of(FaultKind::kEngineCrash);
  crash.commits = kRollbackCommitsMax;
  Fault race = Of(FaultKind::kReadRace);
  race.read = {.rpc = Rpc::kListAgentMessages, .before = Anchor{.offset = 4}, .limit = 2};
  Fault limit = Of(FaultKind::kResultLimit);
  limit.bytes = kSettingMax;
  for (Fault fault : {crash, race, limit}) {
    for (std::size_t p = 0; p < kPointCount; ++p) {
      fault.at = static_cast<Point>(p);
      ExpectSurvives(fault);
    }
  }
  for (const Late late : {Late::kNever, Late::kBefore, Late::kAfter}) {
    Fault stall = Of(FaultKind::kStall);
    stall.late = late;
    ExpectSurvives(stall);
    Fault control = Of(FaultKind::kControl);
    control.late = late;
    control.at = Point::kInHandler;
    control.control = ControlKind::kSteer;
    ExpectSurvives(control);
  }
  Fault options = Of(FaultKind::kOptionsChange);
  options.options = {.message_window_size = 9, .message_chunk_size = 9};
  ExpectSurvives(options);
  Fault swap = Of(FaultKind::kCoreSwap);
  swap.core = CoreKind::kLegacy;
  swap.this_attempt_only = true;
  ExpectSurvives(swap);
  for (const FaultKind kind : {FaultKind::kModelError, FaultKind::kToolError}) {
    Fault error = Of(kind);
    error.retryable = true;
    ExpectSurvives(error);
  }
}

TEST(ScenarioJson, WhatIsLeftOutHasItsDefault) {
  const auto read =
      ReadScenario("\xEF\xBB\xBF\n{\"version\":1,\"operations\":[{\"op\":\"turn\"}]}\n");
  ASSERT_TRUE(read) << read.error().reason;
  Scenario scenario;
  scenario.operations.emplace_back(Turn{});
  EXPECT_EQ(read.value().scenario, scenario);
  EXPECT_FALSE(read.value().failure);
}

}  // namespace
}  // namespace rollover
