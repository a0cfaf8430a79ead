#include "sim/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace rollover {
namespace {

// Golden numbers: a change here changes what every seed means.
TEST(Random, IsTheSameOnEveryPlatform) {
  Random random(1, "workload");
  EXPECT_EQ(random.Next(), 0xafd87fc8d4316edeu);
  EXPECT_EQ(random.Next(), 0x0b0705b919963b24u);
}

TEST(Random, StreamsOfOneSeedDiffer) {
  EXPECT_NE(Random(1, "workload").Next(), Random(1, "faults").Next());
  EXPECT_NE(Random(1, "workload").Next(), Random(2, "workload").Next());
}

TEST(Random, BelowReachesEveryNumberAndNoOther) {
  Random random(7, "test");
  std::vector<int> seen(5, 0);
  for (int i = 0; i < 5000; ++i) ++seen.at(random.Below(5));
  for (const int count : seen) EXPECT_GT(count, 800);
  EXPECT_EQ(random.Below(1), 0u);
}

TEST(Random, BetweenIncludesBothEnds) {
  Random random(7, "test");
  bool low = false;
  bool high = false;
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t number = random.Between(3, 6);
    ASSERT_TRUE(number >= 3 && number <= 6);
    low = low || number == 3;
    high = high || number == 6;
  }
  EXPECT_TRUE(low && high);
  EXPECT_EQ(random.Between(9, 9), 9u);
  random.Between(0, ~std::uint64_t{0});
}

TEST(Random, SkewedFavoursSmallNumbersAndReachesTheEnd) {
  Random random(7, "test");
  int small = 0;
  bool end = false;
  for (int i = 0; i < 4000; ++i) {
    const std::uint64_t number = random.Skewed(0, 1000);
    ASSERT_LE(number, 1000u);
    if (number < 32) ++small;
    end = end || number == 1000;
  }
  EXPECT_GT(small, 1600);
  EXPECT_TRUE(end);
}

TEST(Random, ChanceFollowsItsOdds) {
  Random random(7, "test");
  int hits = 0;
  for (int i = 0; i < 8000; ++i) hits += random.Chance({1, 8}) ? 1 : 0;
  EXPECT_GT(hits, 850);
  EXPECT_LT(hits, 1150);
  EXPECT_FALSE(random.Chance({0, 1}));
  EXPECT_TRUE(random.Chance({1, 1}));
}

}  // namespace
}  // namespace rollover
