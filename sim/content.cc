#include "sim/content.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "model/codec.h"
#include "model/json_text.h"

namespace rollover {
namespace {

constexpr std::string_view kLatin =
    "The quick brown fox jumps over the lazy dog; pack my box with five dozen liquor jugs. ";

// Encoded units that a fill repeats; none is ever cut.
std::span<const std::string_view> Units(Fill fill) {
  static constexpr std::array<std::string_view, 1> ascii = {kLatin};
  static constexpr std::array<std::string_view, 8> escapes = {
      "\\n", "\\\"", "\\\\", "\\t", "\\u0000", "\\u001f", "\\/", "\\ud83d\\ude00"};
  static constexpr std::array<std::string_view, 6> cjk = {"会", "話", "の", "記", "録", "は"};
  static constexpr std::array<std::string_view, 4> emoji = {
      "\U0001F600", "\U0001F468\u200D\U0001F469\u200D\U0001F467", "\U0001F1EA\U0001F1FA",
      "e\u0301"};
  switch (fill) {
    case Fill::kEscapes:
      return escapes;
    case Fill::kCjk:
      return cjk;
    case Fill::kEmoji:
      return emoji;
    default:
      return ascii;
  }
}

// Appends exactly `bytes` bytes: whole units, then single letters.
void AppendFill(Fill fill, std::uint64_t bytes, std::string& out) {
  const auto units = Units(fill);
  const std::size_t begin = out.size();
  const std::size_t end = begin + bytes;
  std::size_t cycle = 0;
  for (const std::string_view unit : units) cycle += unit.size();
  // All units once, then what is there again and again, twice as much each time: most of a large
  // fill is a few large copies.
  if (bytes >= cycle) {
    for (const std::string_view unit : units) out += unit;
    const std::size_t cycles_end = end - bytes % cycle;
    while (out.size() < cycles_end) {
      const std::size_t again = std::min(out.size() - begin, cycles_end - out.size());
      out.append(out, begin, again);
    }
  }
  for (std::size_t i = 0; out.size() + units[i % units.size()].size() <= end; ++i) {
    out += units[i % units.size()];
  }
  out.append(end - out.size(), 'x');
}

// `bytes` bytes of encoded JSON: a string, or for kJson a nested document where it fits.
std::string Filled(Fill fill, std::uint64_t bytes, std::string marker) {
  constexpr std::string_view nested =
      "[{\"z\":1.50,\"a\": [[[[-0.0e+2, true,null]]]],\"a\":\"\"}, \"";
  constexpr std::string_view end = "\"]";
  const std::uint64_t quotes = 2;
  std::string out;
  out.reserve(bytes);
  const bool document = fill == Fill::kJson && bytes >= nested.size() + marker.size() + end.size();
  const std::string_view open = document ? nested : std::string_view("\"");
  const std::string_view close = document ? end : std::string_view("\"");
  out += open;
  const std::uint64_t room = std::max(bytes, quotes) - open.size() - close.size();
  marker.resize(std::min<std::uint64_t>(marker.size(), room));
  out += marker;
  AppendFill(fill, room - marker.size(), out);
  out += close;
  return out;
}

// "t00000042.65 "
std::string Marker(const ContentFrame& frame) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), frame.place).ptr;
  std::string marker = frame.turn_id;
  marker.push_back('.');
  marker.append(digits.data(), end);
  marker.push_back(' ');
  return marker;
}

std::uint64_t Sum(std::uint64_t base, std::int64_t amount) {
  const std::int64_t sum = static_cast<std::int64_t>(base) + amount;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(sum, 0));
}

// Bytes of encoded content that the specification asks for.
std::uint64_t BytesOf(const ContentSpec& spec, const ContentFrame& frame) {
  const std::uint64_t header = MessageHeaderBytes(frame.sequence, frame.turn_id, frame.role);
  std::uint64_t bytes = 0;
  switch (spec.base) {
    case SizeBase::kBytes:
      return Sum(0, spec.amount);
    case SizeBase::kMessage:
      bytes = Sum(DecimalDigits(frame.sequence), spec.amount);
      return bytes - std::min(bytes, header);
    case SizeBase::kCap:
      bytes = Sum(frame.cap, spec.amount);
      return bytes - std::min(bytes, AloneBytes(header));
    case SizeBase::kLimit:
      bytes = Sum(frame.limit, spec.amount);
      return bytes - std::min(bytes, AloneBytes(header));
  }
  return bytes;
}

}  // namespace

std::string_view FillName(Fill fill) {
  constexpr std::array<std::string_view, kFillCount> names = {"ascii", "escapes", "cjk", "emoji",
                                                              "json"};
  return names.at(static_cast<std::size_t>(fill));
}

Content Expand(const ContentSpec& spec, const ContentFrame& frame) {
  if (spec.kind == ContentSpec::Kind::kJson) return Content(spec.text);
  if (spec.kind == ContentSpec::Kind::kText) {
    std::string literal;
    AppendJsonString(spec.text, literal);
    return Content(std::move(literal));
  }
  const std::uint64_t bytes = std::min(BytesOf(spec, frame), kContentBytesMax);
  return Content(Filled(spec.fill, bytes, Marker(frame)));
}

std::uint64_t ContentBytesAtMost(const ContentSpec& spec, std::uint64_t cap, std::uint64_t limit) {
  if (spec.kind == ContentSpec::Kind::kJson) return spec.text.size();
  if (spec.kind == ContentSpec::Kind::kText) return JsonStringBytes(spec.text);
  const std::uint64_t base = spec.base == SizeBase::kCap     ? cap
                             : spec.base == SizeBase::kLimit ? limit
                                                             : 0;
  return std::min(std::max<std::uint64_t>(Sum(base, spec.amount), 2), kContentBytesMax);
}

}  // namespace rollover
