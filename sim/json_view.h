// JSON that is already known to be valid, walked in place: no tree is built, so that every value
// keeps its position for error messages, and its spelling (1.50 stays 1.50).
//
// Not here: validation. A JsonView holds exactly one value that JsonExtent accepted (json_text.h),
// or one inside such a value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rollover {

enum class JsonKind : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };
std::string_view JsonKindName(JsonKind kind);  // with its article: "an array"

struct JsonView {
  std::string_view text{};
  std::size_t position = 0;  // of text[0] in the file

  JsonKind kind() const;
  std::string String() const;   // what a string says, escapes resolved; of the others: nothing
  std::string Compact() const;  // without the white space between tokens
};

// Steps through the elements of an array or the members of an object, in order:
//
//   for (JsonItems items(view); items.Next();) Use(items.key(), items.value());
class JsonItems {
 public:
  explicit JsonItems(JsonView container) : container_(container) {}

  bool Next();  // false at the end, and for a value that holds no others
  std::string key() const { return key_.String(); }  // members only
  JsonView value() const { return value_; }

 private:
  JsonView Take();
  void SkipSpace();
  bool Ended() const;

  JsonView container_;
  std::size_t at_ = 0;
  JsonView key_{};
  JsonView value_{};
};

}  // namespace rollover
