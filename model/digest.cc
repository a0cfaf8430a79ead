#include "model/digest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rollover {

std::uint64_t Digest(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::uint64_t Digest(std::initializer_list<std::uint64_t> words) {
  return XXH3_64bits(words.begin(), words.size() * sizeof(std::uint64_t));
}

}  // namespace rollover
