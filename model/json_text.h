// Text-level JSON: where a value ends, how a string is escaped. Nothing here builds a tree, because
// contents must survive byte for byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/result.h"

namespace rollover {

// The length of the JSON value that `text` starts with (leading white space refused). Error when
// it is not JSON in valid UTF-8, holds a lone surrogate, or nests deeper than kJsonDepthMax; and,
// though that is JSON, when a number's exponent is not within 2^31 of 0: no reader would keep it.
inline constexpr std::size_t kJsonDepthMax = 512;
Result<std::size_t> JsonExtent(std::string_view text);

// No value when `text` is exactly one JSON value, as a content must be.
std::optional<Error> NotOneJsonValue(std::string_view text);

// A JSON string literal in the one canonical spelling (codec.h). `text` must be valid UTF-8.
void AppendJsonString(std::string_view text, std::string& out);
std::uint64_t JsonStringBytes(std::string_view text);

// Reads a canonical literal that starts at text[0] == '"'; sets `length` to its end.
struct JsonString {
  std::string text;
  std::size_t length = 0;  // bytes of the literal, quotes included
};
Result<JsonString> ReadJsonString(std::string_view text);

bool ValidUtf8(std::string_view text);

}  // namespace rollover
