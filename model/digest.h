// 64-bit digests, equal on every platform: xxHash (XXH3) over bytes, or over little-endian words.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace rollover {

static_assert(std::endian::native == std::endian::little,
              "digests hash words in memory order; a big-endian port must swap them");

std::uint64_t Digest(std::string_view bytes);
std::uint64_t Digest(std::initializer_list<std::uint64_t> words);

}  // namespace rollover
