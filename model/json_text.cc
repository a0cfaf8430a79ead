#include "model/json_text.h"

#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/src.hpp>
#include <cstring>

namespace rollover {
namespace {

// Boost.JSON's incremental parser with nothing to build: it validates and says where the value
// ends.
struct IgnoreEverything {
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  using Code = boost::json::error_code;
  using Text = boost::json::string_view;
  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_object_begin(Code&) { return true; }
  bool on_object_end(std::size_t, Code&) { return true; }
  bool on_array_begin(Code&) { return true; }
  bool on_array_end(std::size_t, Code&) { return true; }
  bool on_key_part(Text, std::size_t, Code&) { return true; }
  bool on_key(Text, std::size_t, Code&) { return true; }
  bool on_string_part(Text, std::size_t, Code&) { return true; }
  bool on_string(Text, std::size_t, Code&) { return true; }
  bool on_number_part(Text, Code&) { return true; }
  bool on_int64(std::int64_t, Text, Code&) { return true; }
  bool on_uint64(std::uint64_t, Text, Code&) { return true; }
  bool on_double(double, Text, Code&) { return true; }
  bool on_bool(bool, Code&) { return true; }
  bool on_null(Code&) { return true; }
  bool on_comment_part(Text, Code&) { return true; }
  bool on_comment(Text, Code&) { return true; }
};

// The letter of the two-character escape of `byte`, or 0 when it has none.
char ShortEscape(unsigned char byte) {
  switch (byte) {
    case '"':
    case '\\':
      return static_cast<char>(byte);
    case '\b':
      return 'b';
    case '\t':
      return 't';
    case '\n':
      return 'n';
    case '\f':
      return 'f';
    case '\r':
      return 'r';
    default:
      return 0;
  }
}

std::optional<unsigned char> FromShortEscape(char letter) {
  for (const char escaped : {'"', '\\', '\b', '\t', '\n', '\f', '\r'}) {
    const auto byte = static_cast<unsigned char>(escaped);
    if (ShortEscape(byte) == letter) return byte;
  }
  return std::nullopt;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

constexpr char kHexDigits[] = "0123456789abcdef";

// The length of the string literal that `text` starts with, if it is one of printable ASCII without
// escapes: most long values are, and this is ten times as fast as asking the parser.
std::optional<std::size_t> PlainStringExtent(std::string_view text) {
  if (text.front() != '"') return std::nullopt;
  const std::size_t close = text.find('"', 1);
  if (close == std::string_view::npos) return std::nullopt;
  std::uint8_t other = 0;  // no branch in the loop, so that it is done for many bytes at once
  for (const char c : text.substr(1, close - 1)) {
    const auto byte = static_cast<std::uint8_t>(c);
    const bool printable = static_cast<std::uint8_t>(byte - 0x20) < 0x60;
    other = static_cast<std::uint8_t>(other | !printable | (byte == '\\'));
  }
  return other == 0 ? std::optional(close + 1) : std::nullopt;
}

// Whether one of eight bytes may be a control character, a quote or a backslash: never falsely no.
// A byte's top bit comes out of (byte - n) & ~byte when byte < n; a borrow can only add to that.
bool MayNeedEscape(std::uint64_t eight) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t top_bits = 0x80 * ones;
  const auto below = [](std::uint64_t bytes, std::uint64_t n) {
    return (bytes - n * ones) & ~bytes & top_bits;
  };
  const std::uint64_t quote = eight ^ ('"' * ones);
  const std::uint64_t backslash = eight ^ ('\\' * ones);
  return (below(eight, 0x20) | below(quote, 1) | below(backslash, 1)) != 0;
}

}  // namespace

Result<std::size_t> JsonExtent(std::string_view text) {
  if (text.empty()) return Error{"a JSON value is missing", 0};
  const char first = text.front();
  if (first == ' ' || first == '\t' || first == '\n' || first == '\r') {
    return Error{"white space before a JSON value", 0};
  }
  if (const auto plain = PlainStringExtent(text)) return *plain;
  boost::json::parse_options options;
  options.max_depth = kJsonDepthMax;
  boost::json::basic_parser<IgnoreEverything> parser(options);
  boost::json::error_code code;
  std::size_t read = parser.write_some(false, text.data(), text.size(), code);
  if (code) return Error{"not JSON: " + code.message(), read};
  // The parser also takes the white space behind the value.
  while (read > 0 && (text[read - 1] == ' ' || text[read - 1] == '\t' || text[read - 1] == '\n' ||
                      text[read - 1] == '\r')) {
    --read;
  }
  return read;
}

std::optional<Error> NotOneJsonValue(std::string_view text) {
  const auto extent = JsonExtent(text);
  if (!extent) return extent.error();
  if (extent.value() != text.size()) return Error{"text after the JSON value", extent.value()};
  return std::nullopt;
}

void AppendJsonString(std::string_view text, std::string& out) {
  out.push_back('"');
  if (JsonStringBytes(text) == text.size() + 2) {  // nothing to escape, as in every turn's id
    out += text;
    out.push_back('"');
    return;
  }
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (const char letter = ShortEscape(byte)) {
      out.push_back('\\');
      out.push_back(letter);
    } else if (byte < 0x20) {
      out += "\\u00";
      out.push_back(kHexDigits[byte >> 4]);
      out.push_back(kHexDigits[byte & 15]);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

std::uint64_t JsonStringBytes(std::string_view text) {
  // What the escape of a byte takes beside the byte itself: mostly nothing.
  static constexpr auto extra = [] {
    std::array<std::uint8_t, 256> bytes{};
    for (std::size_t byte = 0; byte < 0x20; ++byte) bytes[byte] = 5;
    for (const char c : {'"', '\\', '\b', '\t', '\n', '\f', '\r'}) {
      bytes[static_cast<unsigned char>(c)] = 1;
    }
    return bytes;
  }();
  std::uint64_t bytes = 2 + text.size();
  std::size_t at = 0;
  for (std::uint64_t eight = 0; at + sizeof(eight) <= text.size(); at += sizeof(eight)) {
    std::memcpy(&eight, text.data() + at, sizeof(eight));
    if (!MayNeedEscape(eight)) continue;
    for (std::size_t i = at; i < at + sizeof(eight); ++i) {
      bytes += extra[static_cast<unsigned char>(text[i])];
    }
  }
  for (; at < text.size(); ++at) bytes += extra[static_cast<unsigned char>(text[at])];
  return bytes;
}

Result<JsonString> ReadJsonString(std::string_view text) {
  if (text.empty() || text[0] != '"') return Error{"a string is missing", 0};
  JsonString read;
  std::size_t at = 1;
  while (at < text.size() && text[at] != '"') {
    const std::size_t run = at;
    while (at < text.size() && static_cast<unsigned char>(text[at]) >= 0x20 && text[at] != '"' &&
           text[at] != '\\') {
      ++at;
    }
    if (at > run) {
      read.text += text.substr(run, at - run);
      continue;
    }
    if (text[at] != '\\') return Error{"a control character in a string", at};
    const std::size_t escape = at;
    if (++at == text.size()) return Error{"a string ends in mid-escape", escape};
    if (const auto plain = FromShortEscape(text[at])) {
      read.text.push_back(static_cast<char>(*plain));
      ++at;
      continue;
    }
    if (text[at] != 'u' || text.size() - at < 5) return Error{"an unknown escape", escape};
    int code = 0;
    for (std::size_t i = at + 1; i < at + 5; ++i) {
      const int digit = HexDigit(text[i]);
      if (digit < 0) return Error{"an escape that is not canonical", escape};
      code = code * 16 + digit;
    }
    const bool canonical = code < 0x20 && ShortEscape(static_cast<unsigned char>(code)) == 0;
    if (!canonical) return Error{"an escape that is not canonical", escape};
    read.text.push_back(static_cast<char>(code));
    at += 5;
  }
  if (at >= text.size()) return Error{"a string has no end", at};
  if (!ValidUtf8(read.text)) return Error{"a string is not valid UTF-8", 0};
  read.length = at + 1;
  return read;
}

bool ValidUtf8(std::string_view text) {
  bool ascii = true;
  for (const char c : text) ascii = ascii && static_cast<unsigned char>(c) < 0x80;
  if (ascii) return true;
  std::string literal;
  AppendJsonString(text, literal);
  return !NotOneJsonValue(literal);
}

}  // namespace rollover
