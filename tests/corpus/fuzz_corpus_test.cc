// The fuzz corpus: small files, a folder a target, and an input for each situation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "sim/campaign/fuzzing.h"
#include "sim/fuzzed_scenario.h"
#include "sim/scenario_bytes.h"
#include "sim/world.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kFileBytesMax = 4096;
constexpr std::uintmax_t kCorpusBytesMax = 4 * kMebibyte;

const fs::path kCorpus = fs::path(ROLLOVER_SOURCE_DIR) / "corpus/fuzz";

Scenario SeedNamed(const std::string& name) {
  return FuzzedScenario(test::TextOf(kCorpus / "fuzz_session" / name));
}

TEST(FuzzCorpus, IsSmall) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kCorpus)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_LE(entry.file_size(), kFileBytesMax) << entry.path();
    bytes += entry.file_size();
  }
  EXPECT_LE(bytes, kCorpusBytesMax);
}

TEST(FuzzCorpus, HasAFolderForEachTargetAndNoOther) {
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator(kCorpus)) {
    EXPECT_FALSE(fs::is_empty(entry)) << entry.path();
    folders.insert(entry.path().filename().string());
  }
  EXPECT_EQ(folders, std::set<std::string>(FuzzTargets().begin(), FuzzTargets().end()));
}

TEST(FuzzCorpus, UpgradesAfterManyDifferentTurnsAndToBothCores) {
  std::set<char> turns;
  std::size_t without_compaction = 0;
  for (const auto& entry : fs::directory_iterator(kCorpus / "fuzz_migration")) {
    const std::string bytes = test::TextOf(entry.path());
    if (bytes.size() < kSpareByte + 2) continue;
    turns.insert(bytes[kSpareByte]);
    without_compaction += static_cast<std::uint8_t>(bytes[kSpareByte + 1]) % 8 == 7 ? 1 : 0;
  }
  EXPECT_GT(turns.size(), 32u);
  EXPECT_GT(without_compaction, 10u);
}

TEST(FuzzCorpus, HasAnInputThatReachesEachSituation) {
  for (const SituationInfo& info : Situations()) {
    const Verdict verdict = RunScenario(SeedNamed(std::string(info.name)));
    EXPECT_TRUE(verdict.held()) << info.name;
    const auto reached = verdict.statistics.situations[static_cast<std::size_t>(info.situation)];
    EXPECT_GT(reached, 0u) << info.name;
  }
}

TEST(FuzzCorpus, HasAnInputForEachFaultAtEachStepThatItCanHit) {
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      const auto kind = static_cast<FaultKind>(f);
      const auto step = static_cast<StepKind>(s);
      if (!CanHit(kind, step)) continue;
      std::string name = fmt::format("{}-at-{}", FaultName(kind), StepName(step));
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      EXPECT_GT(RunScenario(SeedNamed(name)).statistics.faults_at[f][s], 0u) << name;
    }
  }
}

}  // namespace
}  // namespace rollover
