#include "model/digest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rollover {

std::uint64_t Digest(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::uint64_t Digest(std::initializer_list<std::uint64_t> words) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  const std::uint64_t* begin = words.begin();
  // The same each time; but where the compiler knows the length, it takes half the instructions.
  switch (words.size()) {
    case 2:
      return XXH3_64bits(begin, 2 * word);
    case 3:
      return XXH3_64bits(begin, 3 * word);
    case 4:
      return XXH3_64bits(begin, 4 * word);
    default:
      return XXH3_64bits(begin, words.size() * word);
  }
}

}  // namespace rollover
