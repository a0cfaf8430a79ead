// DigestSet: which states were seen, by 128-bit digest, in bounded memory.
//
// Open addressing over one flat array that doubles. Two states with one digest would hide one from
// the other; with 2^128 digests and a billion states the odds are below 10^-20.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rollover {

struct StateDigest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const StateDigest&, const StateDigest&) = default;
};

// Equal on every platform.
StateDigest DigestOfWords(std::span<const std::uint64_t> words);

class DigestSet {
 public:
  enum class Answer : std::uint8_t { kNew, kKnown, kFull };

  // While it doubles it holds the old array, too: `bytes_max` is never exceeded, even then.
  explicit DigestSet(std::uint64_t bytes_max);

  // kFull: it is new, and there is no room left to remember it.
  Answer Insert(const StateDigest& digest);
  std::uint64_t size() const { return size_; }

 private:
  bool Grow();
  std::size_t PlaceOf(const StateDigest& digest) const;

  std::uint64_t bytes_max_;
  std::vector<StateDigest> places_;  // all zero: free
  std::uint64_t size_ = 0;
};

}  // namespace rollover
