// Mutation: a pure function, within its bounds, that leaves most of a scenario alone and reaches
// every kind of operation and fault.
#include "sim/scenario_mutator.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/generator.h"
#include "sim/scenario_bytes.h"

namespace rollover {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes BytesOf(const std::string& text) { return {text.begin(), text.end()}; }

Bytes Encoded(std::uint64_t seed) {
  return BytesOf(EncodeScenario(GenerateScenario(seed)).value());
}

TEST(ScenarioMutator, IsPureAndKeepsToWholeRecordsWithinItsBound) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Bytes bytes = Encoded(seed);
    const std::string mutant = MutateScenario(bytes, seed, 1024);
    EXPECT_EQ(mutant, MutateScenario(bytes, seed, 1024));
    EXPECT_LE(mutant.size(), 1024u);
    EXPECT_EQ(mutant.size() % kRecordBytes, 0u);
    const std::string spliced = SpliceScenarios(bytes, Encoded(seed + 1), seed, 1024);
    EXPECT_LE(spliced.size(), 1024u);
    EXPECT_EQ(spliced.size() % kRecordBytes, 0u);
  }
}

TEST(ScenarioMutator, ChangesAlmostEveryTime) {
  const Bytes bytes = Encoded(7);
  int changed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    changed += BytesOf(MutateScenario(bytes, seed, 1 << 16)) == bytes ? 0 : 1;
  }
  EXPECT_GT(changed, 190);
}

TEST(ScenarioMutator, GrowsEveryOperationAndFaultFromNothing) {
  std::set<std::size_t> operations;
  std::set<FaultKind> faults;
  for (std::uint64_t line = 1; line <= 40; ++line) {
    Bytes bytes;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      bytes = BytesOf(MutateScenario(bytes, 1000 * line + seed, 2048));
    }
    const Scenario scenario = DecodeScenario(bytes);
    for (const Operation& operation : scenario.operations) operations.insert(operation.index());
    for (const Fault& fault : scenario.faults) faults.insert(fault.kind);
  }
  EXPECT_EQ(operations.size(), std::variant_size_v<Operation>);
  EXPECT_EQ(faults.size(), kFaultKindCount);
}

TEST(ScenarioMutator, SplicesTheBeginningOfOneToTheEndOfAnother) {
  const Turn first{.user = {.amount = 11}};
  const Turn second{.user = {.amount = 22}};
  const Bytes a = BytesOf(EncodeScenario({.operations = {first, first}}).value());
  const Bytes b = BytesOf(EncodeScenario({.operations = {second, second}}).value());
  std::set<std::size_t> lengths;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Scenario scenario = DecodeScenario(BytesOf(SpliceScenarios(a, b, seed, 4096)));
    bool seen_second = false;
    for (const Operation& operation : scenario.operations) {
      const bool is_second = std::get<Turn>(operation) == second;
      EXPECT_FALSE(seen_second && !is_second);
      seen_second = seen_second || is_second;
    }
    lengths.insert(scenario.operations.size());
  }
  EXPECT_EQ(lengths, (std::set<std::size_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace rollover
