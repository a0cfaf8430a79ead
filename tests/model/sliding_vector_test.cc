#include "model/sliding_vector.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <vector>

namespace rollover {
namespace {

SlidingVector<int> Numbers(int first, int last) {
  SlidingVector<int> numbers;
  for (int i = first; i <= last; ++i) numbers.push_back(i);
  return numbers;
}

std::vector<int> Held(const SlidingVector<int>& numbers) {
  return {numbers.begin(), numbers.end()};
}

TEST(SlidingVector, HoldsWhatADequeWould) {
  SlidingVector<int> numbers;
  std::deque<int> expected;
  for (int i = 0; i < 2000; ++i) {
    numbers.push_back(i);
    expected.push_back(i);
    const std::size_t gone = static_cast<std::size_t>(i * 7 % 5) % (expected.size() + 1) / 2;
    numbers.DropFront(gone);
    expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(gone));
    ASSERT_EQ(Held(numbers), std::vector<int>(expected.begin(), expected.end())) << i;
    ASSERT_EQ(numbers.size(), expected.size());
  }
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(numbers[0], expected[0]);
}

TEST(SlidingVector, IsEmptyWhenAllLeft) {
  SlidingVector<int> numbers = Numbers(1, 100);
  numbers.DropFront(100);
  EXPECT_TRUE(numbers.empty());
  numbers.push_back(7);
  EXPECT_EQ(Held(numbers), std::vector<int>{7});
}

TEST(SlidingVector, GrowsAtTheBackByResize) {
  SlidingVector<int> numbers = Numbers(1, 3);
  numbers.DropFront(1);
  numbers.resize(4, 9);
  EXPECT_EQ(Held(numbers), (std::vector<int>{2, 3, 9, 9}));
}

TEST(SlidingVector, LetsGoOfWhatLeft) {
  const auto shared = std::make_shared<int>(1);
  SlidingVector<std::shared_ptr<int>> held;
  held.push_back(shared);
  held.push_back(shared);
  held.DropFront(1);
  EXPECT_EQ(shared.use_count(), 2);
}

TEST(SlidingVector, ACopyIsItsOwn) {
  SlidingVector<int> numbers = Numbers(1, 4);
  numbers.DropFront(2);
  SlidingVector<int> copy = numbers;
  copy[0] = 8;
  copy.push_back(5);
  EXPECT_EQ(Held(numbers), (std::vector<int>{3, 4}));
  numbers = copy;
  EXPECT_EQ(Held(numbers), (std::vector<int>{8, 4, 5}));
}

TEST(SlidingVector, WhatWasMovedFromCanBeUsedAgain) {
  SlidingVector<int> numbers = Numbers(1, 4);
  numbers.DropFront(2);
  const SlidingVector<int> moved = std::move(numbers);
  EXPECT_EQ(Held(moved), (std::vector<int>{3, 4}));
  numbers = Numbers(6, 6);
  EXPECT_EQ(Held(numbers), std::vector<int>{6});
}

}  // namespace
}  // namespace rollover
