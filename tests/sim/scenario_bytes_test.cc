// The byte form: total, the inverse of its encoder, and steady under small edits.
#include "sim/scenario_bytes.h"

#include <gtest/gtest.h>

#include "sim/generator.h"
#include "sim/random.h"
#include "sim/sound.h"

namespace rollover {
namespace {

Scenario Decode(std::string_view bytes) { return DecodeScenario(bytes); }

std::string Encode(const Scenario& scenario) {
  auto bytes = EncodeScenario(scenario);
  EXPECT_TRUE(bytes.ok()) << bytes.error().reason;
  return bytes.value();
}

std::string Noise(std::uint64_t seed) {
  Random random(seed, "noise");
  std::string bytes(random.Skewed(0, 2048), '\0');
  for (char& c : bytes) {
    c = static_cast<char>(random.Chance({1, 2}) ? random.Below(10) : random.Below(256));
  }
  return bytes;
}

TEST(ScenarioBytes, OfEveryGeneratedScenarioDecodeToIt) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const Scenario scenario = GenerateScenario(seed);
    ASSERT_EQ(Decode(Encode(scenario)), scenario) << seed;
  }
}

TEST(ScenarioBytes, AreAlwaysAValidScenarioThatEncodesAgain) {
  std::uint64_t operations = 0;
  std::uint64_t faults = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const Scenario scenario = Decode(Noise(seed));
    ASSERT_EQ(Invalid(scenario), std::nullopt) << seed;
    ASSERT_EQ(Decode(Encode(scenario)), scenario) << seed;
    operations += scenario.operations.size();
    faults += scenario.faults.size();
  }
  EXPECT_GT(operations, 3000u);
  EXPECT_GT(faults, 300u);
}

TEST(ScenarioBytes, OfLengthZeroAreASession) {
  const Scenario scenario = Decode("");
  EXPECT_EQ(Invalid(scenario), std::nullopt);
  EXPECT_TRUE(scenario.operations.empty());
}

TEST(ScenarioBytes, LoseOneOperationWithItsRecord) {
  const Turn turn{.user = {.amount = 30}, .rounds = {Round{.reply = {.amount = 40}}}};
  const Turn other{.user = {.amount = 50}};
  std::string bytes = Encode({.operations = {turn, other, Read{}}});
  ASSERT_EQ(bytes.size(), (kHeaderRecords + 4) * kRecordBytes);
  bytes.erase((kHeaderRecords + 1) * kRecordBytes, kRecordBytes);  // the reply
  const Scenario shorter{.operations = {Turn{.user = {.amount = 30}}, other, Read{}}};
  EXPECT_EQ(Decode(bytes).operations, shorter.operations);
}

TEST(ScenarioBytes, CarryFaultsWithTheirTurn) {
  const Turn turn{.user = {.amount = 30}};
  Scenario scenario{.operations = {turn, turn}};
  scenario.faults = {{.kind = FaultKind::kStall, .turn = 2, .late = Late::kAfter}};
  std::string bytes = Encode(scenario);
  bytes.erase(kHeaderRecords * kRecordBytes, kRecordBytes);  // the first turn
  const Scenario shorter = Decode(bytes);
  ASSERT_EQ(shorter.faults.size(), 1u);
  EXPECT_EQ(shorter.faults[0].turn, 1u);
  EXPECT_EQ(shorter.faults[0].late, Late::kAfter);
}

TEST(ScenarioBytes, KeepTextsAndMendBrokenOnes) {
  const ContentSpec text{.kind = ContentSpec::Kind::kText, .text = "fourteen bytes and some, 会話"};
  const ContentSpec json{.kind = ContentSpec::Kind::kJson, .text = R"({"a":[1,2.50,"\u0000"]})"};
  Turn turn;
  turn.user = text;
  turn.rounds.resize(2);
  turn.rounds[0].reply = json;
  turn.rounds[0].tools = {text};
  turn.rounds[1].compact = true;
  turn.rounds[1].keep = 3;
  turn.rounds[1].summary = "so far, \"so\" good";
  std::string bytes = Encode({.operations = {turn}});
  EXPECT_EQ(Decode(bytes).operations, std::vector<Operation>{turn});

  const std::size_t brace = bytes.find('{');
  ASSERT_NE(brace, std::string::npos);
  bytes[brace] = '\xFF';
  const Scenario mended = Decode(bytes);
  EXPECT_EQ(Invalid(mended), std::nullopt);
  const ContentSpec& reply = std::get<Turn>(mended.operations[0]).rounds[0].reply;
  EXPECT_EQ(reply.kind, ContentSpec::Kind::kText);
  EXPECT_EQ(reply.text, R"(?"a":[1,2.50,"\u0000"]})");
}

TEST(ScenarioBytes, RefuseANumberThatTheyCannotHold) {
  const auto bytes = EncodeScenario({.options = {.message_window_size = std::uint64_t{1} << 33}});
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().reason, "options has a value that version 1 cannot hold");
  const Scenario far{.operations = {Read{.rpc = Rpc::kListAgentMessages, .limit = 40'000}}};
  ASSERT_FALSE(EncodeScenario(far).ok());
  EXPECT_EQ(EncodeScenario(far).error().reason,
            "operations[0] has a value that version 1 cannot hold");
}

}  // namespace
}  // namespace rollover
