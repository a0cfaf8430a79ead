#include "sim/random.h"

#include <bit>

#include "model/digest.h"

namespace rollover {
namespace {

std::uint64_t SplitMix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::string_view stream) {
  std::uint64_t mix = Digest({seed, Digest(stream)});
  for (std::uint64_t& word : state_) word = SplitMix(mix);
}

std::uint64_t Random::Next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::Below(std::uint64_t bound) {
  CHECK(bound > 0);
  // Numbers below the threshold would make the small remainders likelier.
  const std::uint64_t threshold = (0 - bound) % bound;
  for (;;) {
    const std::uint64_t number = Next();
    if (number >= threshold) return number % bound;
  }
}

std::uint64_t Random::Between(std::uint64_t low, std::uint64_t high) {
  CHECK(low <= high);
  const std::uint64_t span = high - low;
  return span == ~std::uint64_t{0} ? Next() : low + Below(span + 1);
}

std::uint64_t Random::Skewed(std::uint64_t low, std::uint64_t high) {
  CHECK(low <= high);
  const auto bits = static_cast<std::uint64_t>(std::bit_width(high - low));
  const std::uint64_t width = Below(bits + 1);
  if (width == 0) return low;
  const std::uint64_t largest = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  const std::uint64_t offset = Between(std::uint64_t{1} << (width - 1), largest);
  return offset > high - low ? high : low + offset;
}

}  // namespace rollover
