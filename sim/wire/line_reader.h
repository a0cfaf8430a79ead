// LineReader: one JSON line of a core, left to right, strictly.
//
//   any white space between tokens; numbers are whole, 0 .. 2^63-1, without sign, exponent or
//   leading zeros; field names hold no escapes and come once an object; strings may hold any escape
//   but no lone surrogate
//
// The caller knows what comes next and asks for it. The first thing that does not fit is kept as
// the error; everything asked for after it is empty. Whether the line is UTF-8 at all is for
// wire_message.h, which looks at it as a whole.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/result.h"

namespace rollover {

class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  bool failed() const { return failed_; }
  const Error& error() const { return error_; }
  void Fail(std::string reason);

  // Reads an object: `on_field(name)` reads the value, or returns false for a name that it does not
  // know. `what` names the object in errors.
  template <typename OnField>
  void Object(std::string_view what, OnField on_field) {
    Seen seen;
    if (!Open('{', what)) return;
    while (!failed_ && More('}', seen.count == 0)) {
      const std::string_view name = FieldName(what, seen);
      if (failed_) return;
      if (!on_field(name) && !failed_) {
        Fail("unknown field \"" + std::string(name) + "\" in " + std::string(what));
      }
    }
  }

  // Reads a list: `on_entry(i)` reads the i-th entry.
  template <typename OnEntry>
  void List(std::string_view what, OnEntry on_entry) {
    if (!Open('[', what)) return;
    for (std::size_t i = 0; !failed_ && More(']', i == 0); ++i) on_entry(i);
  }

  // Each `what` names the value in errors.
  std::string String(std::string_view what);
  std::uint64_t Number(std::string_view what);
  bool Bool(std::string_view what);
  std::string_view Raw(std::string_view what);  // any value, as it is spelt
  bool TakeNull();                              // whether null comes next; if so it is read
  void ExpectEnd();

 private:
  struct Seen {
    std::array<std::string_view, 16> names{};  // more than any object of the protocol has
    std::size_t count = 0;
  };

  void SkipSpace();
  bool Open(char bracket, std::string_view what);
  bool More(char close, bool first);
  std::string_view FieldName(std::string_view what, Seen& seen);
  void Escape(std::string& out);
  std::uint32_t FourHexDigits();
  bool TakeWord(std::string_view word);
  void FailExpected(std::string_view kind, std::string_view what);

  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
  Error error_;
};

// `text` as it may stand in a one-line message: at most `bytes_max` of it, what does not print as
// \xNN.
std::string Excerpt(std::string_view text, std::size_t bytes_max = 200);

}  // namespace rollover
