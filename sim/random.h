// Random: named streams of chance, equal on every platform and compiler.
//
// One stream a concern (workload, faults, options, content), so that a new kind of fault does not
// move the workload. The generator is xoshiro256** (Blackman and Vigna), seeded through SplitMix64;
// the distributions are ours, because the standard library's differ between implementations.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "model/check.h"

namespace rollover {

// Odds of `numerator` in `denominator`.
struct Ratio {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;
};

class Random {
 public:
  Random(std::uint64_t seed, std::string_view stream);

  std::uint64_t Next();
  // Uniform in 0 .. bound - 1, without bias. `bound` must be positive.
  std::uint64_t Below(std::uint64_t bound);
  // Uniform in low .. high, both included.
  std::uint64_t Between(std::uint64_t low, std::uint64_t high);
  // Favours small numbers: each bit length up to that of `high` is as likely as any other.
  std::uint64_t Skewed(std::uint64_t low, std::uint64_t high);
  bool Chance(Ratio odds) { return Below(odds.denominator) < odds.numerator; }

  template <typename T>
  const T& Pick(std::span<const T> choices) {
    CHECK(!choices.empty());
    return choices[Below(choices.size())];
  }
  template <typename T, std::size_t N>
  const T& Pick(const std::array<T, N>& choices) {
    return Pick(std::span<const T>(choices));
  }

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace rollover
