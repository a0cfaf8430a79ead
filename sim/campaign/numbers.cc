#include "sim/campaign/numbers.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace rollover {
namespace {

// Three digits that count, and no zeros after the point.
std::string ThreeDigits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals == 0) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string Grouped(std::uint64_t number) {
  std::string digits = fmt::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

std::string GroupedSigned(std::int64_t number) {
  const auto magnitude = static_cast<std::uint64_t>(number);
  return number < 0 ? "-" + Grouped(0 - magnitude) : "+" + Grouped(magnitude);
}

std::string BytesText(double bytes) {
  constexpr std::array<std::string_view, 6> units = {"B", "KB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{} {}", ThreeDigits(bytes), units[unit]);
}

std::string DurationText(double seconds) {
  if (seconds < 59.95) return ThreeDigits(seconds) + " s";
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string CountText(double count) {
  if (count >= 100 || count == std::floor(count)) {
    return Grouped(static_cast<std::uint64_t>(std::llround(count)));
  }
  return ThreeDigits(count);
}

}  // namespace rollover
