#include "sim/json_view.h"

#include <array>
#include <nlohmann/json.hpp>

namespace rollover {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// text[at] == '"'. One behind the closing quote.
std::size_t StringEnd(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// One behind the value that starts at `at`.
std::size_t ValueEnd(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = StringEnd(text, at);
      if (depth == 0) return at;
      continue;
    }
    if (c == '[' || c == '{') ++depth;
    const bool closes = c == ']' || c == '}';
    if (depth == 0 && (closes || c == ',' || IsSpace(c))) return at;
    ++at;
    if (closes && --depth == 0) return at;
  }
  return at;
}

}  // namespace

std::string_view JsonKindName(JsonKind kind) {
  constexpr std::array<std::string_view, 6> names = {"null",     "a boolean", "a number",
                                                     "a string", "an array",  "an object"};
  return names.at(static_cast<std::size_t>(kind));
}

JsonKind JsonView::kind() const {
  switch (text.empty() ? 'n' : text.front()) {
    case 'n':
      return JsonKind::kNull;
    case 't':
    case 'f':
      return JsonKind::kBoolean;
    case '"':
      return JsonKind::kString;
    case '[':
      return JsonKind::kArray;
    case '{':
      return JsonKind::kObject;
    default:
      return JsonKind::kNumber;
  }
}

std::string JsonView::String() const {
  if (kind() != JsonKind::kString) return {};
  if (text.find('\\') == std::string_view::npos)
    return std::string(text.substr(1, text.size() - 2));
  const auto parsed = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto* said = parsed.get_ptr<const std::string*>();
  return said == nullptr ? std::string() : *said;
}

std::string JsonView::Compact() const {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (IsSpace(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = text[at] == '"' ? StringEnd(text, at) : at + 1;
    out += text.substr(at, end - at);
    at = end;
  }
  return out;
}

bool JsonItems::Next() {
  const JsonKind kind = container_.kind();
  if (kind != JsonKind::kArray && kind != JsonKind::kObject) return false;
  ++at_;  // over the bracket, or the comma
  SkipSpace();
  if (Ended()) return false;
  if (kind == JsonKind::kObject) {
    key_ = Take();
    ++at_;  // over the colon
    SkipSpace();
  }
  value_ = Take();
  return true;
}

// The value at at_, and on to what follows it.
JsonView JsonItems::Take() {
  const std::size_t end = ValueEnd(container_.text, at_);
  const JsonView taken{container_.text.substr(at_, end - at_), container_.position + at_};
  at_ = end;
  SkipSpace();
  return taken;
}

void JsonItems::SkipSpace() {
  while (!Ended() && IsSpace(container_.text[at_])) ++at_;
}

bool JsonItems::Ended() const { return at_ + 1 >= container_.text.size(); }

}  // namespace rollover
