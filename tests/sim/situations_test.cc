#include "sim/situations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sim/scenario.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

std::string Page() { return test::TextOf(ROLLOVER_SOURCE_DIR "/docs/situations.md"); }

std::string Grouped(std::uint64_t number) {
  std::string digits = fmt::to_string(number);
  if (digits.size() > 3) digits.insert(digits.size() - 3, ",");
  return digits;
}

TEST(Situations, AreListedOnceEachInTheirOwnOrder) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kSituationCount; ++i) {
    const SituationInfo& info = Situations()[i];
    EXPECT_EQ(static_cast<std::size_t>(info.situation), i) << info.name;
    EXPECT_GT(info.minimum, 0u) << info.name;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
  }
  EXPECT_GE(names.size(), 40u);
}

TEST(Situations, StandOnTheirPageWithTheirMinimumAndMeaning) {
  const std::string page = Page();
  for (const SituationInfo& info : Situations()) {
    const std::string row =
        fmt::format("| `{}` | {} | {} |\n", info.name, Grouped(info.minimum), info.says);
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

TEST(Situations, MatrixOnThePageSaysWhichFaultCanHitWhichStep) {
  const std::string page = Page();
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    const auto fault = static_cast<FaultKind>(f);
    const std::string begin = fmt::format("\n| `{}` |", FaultName(fault));
    const std::size_t at = page.find(begin);
    ASSERT_NE(at, std::string::npos) << FaultName(fault);
    std::stringstream cells(
        page.substr(at + begin.size(), page.find('\n', at + 1) - at - begin.size()));
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      std::string cell;
      std::getline(cells, cell, '|');
      const auto step = static_cast<StepKind>(s);
      EXPECT_EQ(cell == " \u25cf ", CanHit(fault, step))
          << FaultName(fault) << " " << StepName(step);
    }
  }
}

TEST(Situations, EveryPairThatCannotOccurHasAReason) {
  std::size_t pairs = 0;
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      const auto fault = static_cast<FaultKind>(f);
      const auto step = static_cast<StepKind>(s);
      pairs += CanHit(fault, step) ? 1 : 0;
      EXPECT_EQ(CanHit(fault, step), WhyNot(fault, step).empty());
    }
  }
  EXPECT_EQ(pairs, 13u * 7 + 2 + 1 + 3);
}

}  // namespace
}  // namespace rollover
