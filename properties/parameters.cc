#include "properties/parameters.h"

#include <fmt/format.h>
#include <rapidcheck/detail/Configuration.h>

#include <charconv>
#include <limits>
#include <set>

namespace rollover {
namespace {

constexpr std::string_view kReproduce = "reproduce=";

// A whole decimal number in the range, nothing else.
std::optional<std::uint64_t> Number(std::string_view text, std::uint64_t least,
                                    std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (number < least || number > most) return std::nullopt;
  return number;
}

std::optional<std::string> ReadReproduce(std::string_view value, Parameters& parameters) {
  const std::string wrong = fmt::format("reproduce={}: not what a failure printed", value);
  try {
    const auto read = rc::detail::configFromString(fmt::format("{}{}", kReproduce, value));
    if (read.reproduce.size() != 1) return wrong;
    const auto& [property, reproduce] = *read.reproduce.begin();
    parameters.reproduces = property;
    parameters.reproduce = reproduce;
  } catch (const std::exception&) {
    return wrong;
  }
  return std::nullopt;
}

std::optional<std::string> ReadWord(std::string_view word, Parameters& parameters) {
  const std::size_t equals = word.find('=');
  const std::string_view key = word.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view{} : word.substr(equals + 1);
  if (key == "reproduce") return ReadReproduce(value, parameters);

  constexpr auto int_max = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  struct Known {
    std::string_view key;
    std::uint64_t least;
    std::uint64_t most;
  };
  constexpr Known known[] = {{"seed", 0, std::numeric_limits<std::uint64_t>::max()},
                             {"max_success", 1, int_max},
                             {"max_size", 1, 1000},
                             {"max_discard_ratio", 1, 1000},
                             {"noshrink", 0, 1}};
  for (const Known& one : known) {
    if (key != one.key) continue;
    const auto number = Number(value, one.least, one.most);
    if (!number) {
      return fmt::format("{} is '{}'; valid: {} .. {}", key, value, one.least, one.most);
    }
    if (key == "seed") parameters.seed = *number;
    if (key == "max_success") parameters.cases = static_cast<int>(*number);
    if (key == "max_size") parameters.size_max = static_cast<int>(*number);
    if (key == "max_discard_ratio") parameters.discards_max = static_cast<int>(*number);
    if (key == "noshrink") parameters.shrinks = *number == 0;
    return std::nullopt;
  }
  return fmt::format(
      "unknown '{}'; valid: seed, max_success, max_size, max_discard_ratio, noshrink, reproduce",
      word);
}

}  // namespace

Result<Parameters> ReadParameters(std::string_view text) {
  Parameters parameters;
  std::set<std::string_view> seen;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.empty()) continue;
    if (!seen.insert(word.substr(0, word.find('='))).second) {
      return Error{fmt::format("'{}': given twice", word)};
    }
    if (auto wrong = ReadWord(word, parameters)) return Error{*wrong};
  }
  return parameters;
}

std::string ReproduceWord(const std::string& property, const rc::detail::Reproduce& reproduce) {
  rc::detail::Configuration configuration;
  configuration.reproduce.emplace(property, reproduce);
  std::string text = rc::detail::configToString(configuration);
  text.erase(0, text.find(kReproduce));
  return text.substr(0, text.find(' '));
}

}  // namespace rollover
