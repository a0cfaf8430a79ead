// Replay: what a scenario file still shows.
#include "sim/campaign/replay.h"

#include <gtest/gtest.h>

#include "sim/campaign/failure.h"
#include "tests/sim/broken_cores.h"

namespace rollover {
namespace {

using Json = nlohmann::json;

// Enough messages that some leave a window of two.
Scenario ThreeTurns() {
  Scenario scenario;
  scenario.options = {.message_window_size = 2, .message_chunk_size = 1};
  scenario.operations.resize(3);
  return scenario;
}

Scenario With(const Fault& fault) {
  Scenario scenario = ThreeTurns();
  scenario.faults = {fault};
  return scenario;
}

CoreSpec Spec(CoreFactory factory) { return {.text = "a test's", .factory = std::move(factory)}; }

ReplayResult Replay(const Scenario& scenario, CoreFactory factory = MakeModelCore,
                    const ReplayConfig& config = {}) {
  return ReplayScenario({.scenario = scenario}, Spec(std::move(factory)), config);
}

bool Says(const ReplayResult& result, const std::string& words) {
  return result.line.find(words) != std::string::npos;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

TEST(Replay, AScenarioThatHoldsIsFixed) {
  const ReplayResult result =
      Replay(With({.kind = FaultKind::kKillAfterCommit, .turn = 2, .step = StepKind::kRunModel}));
  EXPECT_EQ(result.answer, ReplayAnswer::kFixed);
  EXPECT_TRUE(Says(result, "FIXED all rules hold, every decision applied")) << result.line;
  EXPECT_EQ(ReplayJson(result)["answer"], "FIXED");
}

TEST(Replay, ABrokenRuleIsReproduced) {
  const ReplayResult result = Replay(ThreeTurns(), KeepsMovedMessages());
  EXPECT_EQ(result.answer, ReplayAnswer::kReproduced);
  EXPECT_TRUE(Says(result, "REPRODUCED rule exactly-once")) << result.line;
  const auto json = ReplayJson(result);
  EXPECT_EQ(json["answer"], "REPRODUCED");
  EXPECT_EQ(json["violations"][0]["rule"], "exactly-once");
}

TEST(Replay, AnotherRuleThanTheFileSaysIsStillReproduced) {
  ScenarioFile file{.scenario = ThreeTurns(), .failure = KnownFailure{.rule = "no-wedge"}};
  ReplayResult result = ReplayScenario(file, Spec(KeepsMovedMessages()), {});
  EXPECT_EQ(result.answer, ReplayAnswer::kReproduced);
  EXPECT_TRUE(Says(result, "another rule than the file says: no-wedge")) << result.line;
  file.failure->rule = "exactly-once";
  result = ReplayScenario(file, Spec(KeepsMovedMessages()), {});
  EXPECT_FALSE(Says(result, "another rule")) << result.line;
}

TEST(Replay, ADecisionThatFindsNothingIsStaleAndNamed) {
  const ReplayResult result = Replay(
      With({.kind = FaultKind::kStall, .turn = 2, .step = StepKind::kRunModel, .attempt = 7}));
  EXPECT_EQ(result.answer, ReplayAnswer::kStale);
  EXPECT_TRUE(Says(result, "STALE 1 of 1 decisions")) << result.line;
  EXPECT_TRUE(Says(result, "stall at RunModel 1 attempt 7 of turn 2")) << result.line;
  EXPECT_EQ(ReplayJson(result)["stale_decisions"][0], "stall at RunModel 1 attempt 7 of turn 2");
}

TEST(Replay, ABrokenRuleOutweighsAStaleDecision) {
  const Scenario scenario =
      With({.kind = FaultKind::kStall, .turn = 1, .step = StepKind::kRunModel, .attempt = 7});
  EXPECT_EQ(Replay(scenario, KeepsMovedMessages()).answer, ReplayAnswer::kReproduced);
}

TEST(Replay, StopsAfterTheCommitThatWasAskedFor) {
  const std::uint64_t commits = Replay(ThreeTurns()).verdict.statistics.commits;
  for (std::uint64_t until = 1; until < commits; ++until) {
    const ReplayResult result = Replay(ThreeTurns(), MakeModelCore, {.until = until});
    EXPECT_EQ(result.answer, ReplayAnswer::kHeld);
    EXPECT_EQ(result.verdict.statistics.commits, until);
    EXPECT_TRUE(Says(result, "up to commit " + std::to_string(until))) << result.line;
  }
  const ReplayResult whole = Replay(ThreeTurns(), MakeModelCore, {.until = commits + 1});
  EXPECT_TRUE(whole.verdict.reached_end);
}

TEST(Replay, StoppingBeforeTheRuleBreaksShowsNothing) {
  const std::uint64_t broken =
      Replay(ThreeTurns(), KeepsMovedMessages()).verdict.violations.front().commit;
  ASSERT_GT(broken, 1u);
  const auto until = [&](std::uint64_t commit) {
    return Replay(ThreeTurns(), KeepsMovedMessages(), {.until = commit}).answer;
  };
  EXPECT_EQ(until(broken - 1), ReplayAnswer::kHeld);
  EXPECT_EQ(until(broken), ReplayAnswer::kReproduced);
  EXPECT_EQ(until(broken + 1), ReplayAnswer::kReproduced);
}

// What follows a commit before the next hand-out belongs to it.
TEST(Replay, ReadsBehindTheLastCommitAreStillJudged) {
  Scenario scenario;
  scenario.operations = {Turn{}, Read{.rpc = Rpc::kListAgentMessages, .limit = 201}, Turn{}};
  const std::uint64_t commits = Replay(scenario).verdict.statistics.commits;
  const auto core = ParseCoreSpec("bug:page-limit-unclamped");
  ASSERT_TRUE(core.ok());
  const ReplayResult result = Replay(scenario, core.value().factory, {.until = 2});
  EXPECT_LT(2u, commits);
  EXPECT_EQ(result.answer, ReplayAnswer::kReproduced);
  EXPECT_EQ(result.verdict.statistics.commits, 2u);
}

TEST(Replay, AStoppedReplayDoesNotBlameWhatWasStillToCome) {
  const Scenario scenario =
      With({.kind = FaultKind::kStall, .turn = 3, .step = StepKind::kRunModel});
  const ReplayResult result = Replay(scenario, MakeModelCore, {.until = 1});
  EXPECT_EQ(result.answer, ReplayAnswer::kHeld);
  EXPECT_TRUE(ReplayJson(result)["stale_decisions"].empty());
}

TEST(Replay, EveryLineOfAJsonTraceIsAnEvent) {
  const std::vector<std::string> lines =
      Lines(Replay(ThreeTurns(), MakeModelCore, {.trace = TraceFormat::kJson}).trace);
  ASSERT_GT(lines.size(), 10u);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Json event = Json::parse(lines[i], nullptr, /*allow_exceptions=*/false);
    ASSERT_TRUE(event.is_object()) << lines[i];
    EXPECT_EQ(event["event"], i + 1);
  }
}

TEST(Replay, APerfettoTraceIsOneObject) {
  const std::string text =
      Replay(ThreeTurns(), MakeModelCore, {.trace = TraceFormat::kPerfetto}).trace;
  const Json trace = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  ASSERT_TRUE(trace.is_object()) << text;
  EXPECT_GT(trace["traceEvents"].size(), kStepKindCount);
  for (const Json& event : trace["traceEvents"]) EXPECT_TRUE(event.contains("ph"));
}

TEST(Replay, ATextTraceHasALineAnEvent) {
  const ReplayConfig text{.trace = TraceFormat::kText};
  const ReplayConfig json{.trace = TraceFormat::kJson};
  const std::string trace = Replay(ThreeTurns(), MakeModelCore, text).trace;
  EXPECT_EQ(Lines(trace).size(), Lines(Replay(ThreeTurns(), MakeModelCore, json).trace).size());
  EXPECT_NE(trace.find("RunModel"), std::string::npos);
}

TEST(Replay, ATraceDoesNotChangeTheHash) {
  const ReplayConfig json{.trace = TraceFormat::kJson};
  EXPECT_EQ(Replay(ThreeTurns(), MakeModelCore, json).verdict.hash,
            Replay(ThreeTurns()).verdict.hash);
}

TEST(Replay, ACoreThatLeavesAnotherTraceEachTimeIsNotFixed) {
  const ReplayResult result = Replay(ThreeTurns(), NumbersItsWarnings());
  EXPECT_EQ(result.answer, ReplayAnswer::kReproduced);
  EXPECT_TRUE(Says(result, "REPRODUCED rule deterministic")) << result.line;
  EXPECT_TRUE(Says(result, "event ")) << result.line;
}

}  // namespace
}  // namespace rollover
