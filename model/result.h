// Result<T>: a value, or the reason why the world said no.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "model/check.h"

namespace rollover {

// What was wrong, in one line, and where: `position` is a byte offset into the text that was read
// (0 where there is no text).
struct Error {
  std::string reason;
  std::size_t position = 0;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: a value is a Result
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: an Error is a Result

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const {
    CHECK(ok());
    return std::get<0>(state_);
  }
  T& value() {
    CHECK(ok());
    return std::get<0>(state_);
  }
  const Error& error() const {
    CHECK(!ok());
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace rollover
