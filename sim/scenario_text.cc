#include "sim/scenario_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "model/json_text.h"
#include "sim/json_view.h"

namespace rollover {
namespace {

using Json = nlohmann::json;

std::optional<Error> BadValue(JsonView view, int depth) {
  if (depth > kScenarioDepthMax) {
    return Error{fmt::format("nested deeper than {} levels", kScenarioDepthMax), view.position};
  }
  const JsonKind kind = view.kind();
  if (kind == JsonKind::kNumber) {
    const auto number = Json::parse(view.text, nullptr, /*allow_exceptions=*/false);
    if (number.is_discarded()) return Error{"the number is out of range", view.position};
  }
  std::set<std::string> names;
  for (JsonItems items(view); items.Next();) {
    if (kind == JsonKind::kObject && !names.insert(items.key()).second) {
      return Error{fmt::format("field {} stands twice in one object", Shown(items.key())),
                   items.value().position};
    }
    if (auto bad = BadValue(items.value(), depth + 1)) return bad;
  }
  return std::nullopt;
}

std::size_t SkipSpace(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

}  // namespace

std::optional<Error> BadScenarioText(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  const std::size_t start = SkipSpace(text, text.starts_with(byte_order_mark) ? 3 : 0);
  if (start == text.size()) return Error{"the file is empty", 0};
  const auto extent = JsonExtent(text.substr(start));
  if (!extent) {
    const std::size_t at = start + extent.error().position;
    if (at >= text.size()) return Error{"not JSON: the text ends too early", at};
    return Error{extent.error().reason, at};
  }
  const std::size_t rest = SkipSpace(text, start + extent.value());
  if (rest < text.size()) return Error{"text after the scenario", rest};
  return BadValue({text.substr(start, extent.value()), start}, 1);
}

std::string Shown(const std::string& text) {
  constexpr std::size_t shown_max = 60;
  std::string shown =
      Json(text.substr(0, shown_max)).dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() > shown_max ? shown + "..." : shown;
}

}  // namespace rollover
