#include "sim/campaign/digest_set.h"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rollover {
namespace {

constexpr std::size_t kPlacesMin = 1024;

bool Free(const StateDigest& digest) { return digest.low == 0 && digest.high == 0; }

}  // namespace

StateDigest DigestOfWords(std::span<const std::uint64_t> words) {
  const XXH128_hash_t digest = XXH3_128bits(words.data(), words.size_bytes());
  return {digest.low64, digest.high64};
}

DigestSet::DigestSet(std::uint64_t bytes_max) : bytes_max_(bytes_max), places_(kPlacesMin) {}

// Where it is, or the free place where it would go.
std::size_t DigestSet::PlaceOf(const StateDigest& digest) const {
  const std::size_t mask = places_.size() - 1;
  std::size_t place = digest.low & mask;
  while (!Free(places_[place]) && !(places_[place] == digest)) place = (place + 1) & mask;
  return place;
}

DigestSet::Answer DigestSet::Insert(const StateDigest& given) {
  const StateDigest digest = Free(given) ? StateDigest{1, 0} : given;
  std::size_t place = PlaceOf(digest);
  if (!Free(places_[place])) return Answer::kKnown;
  if ((size_ + 1) * 4 > places_.size() * 3) {
    if (!Grow()) return Answer::kFull;
    place = PlaceOf(digest);
  }
  places_[place] = digest;
  ++size_;
  return Answer::kNew;
}

bool DigestSet::Grow() {
  if (places_.size() * 3 * sizeof(StateDigest) > bytes_max_) return false;
  std::vector<StateDigest> old(places_.size() * 2);
  old.swap(places_);
  for (const StateDigest& digest : old) {
    if (!Free(digest)) places_[PlaceOf(digest)] = digest;
  }
  return true;
}

}  // namespace rollover
