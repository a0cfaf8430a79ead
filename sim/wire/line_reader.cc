#include "sim/wire/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "model/json_text.h"

namespace rollover {
namespace {

constexpr std::uint64_t kNumberMax = (std::uint64_t{1} << 63) - 1;

bool Plain(char c) { return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20; }

void AppendUtf8(std::uint32_t code, std::string& out) {
  const auto byte = [&out](std::uint32_t bits) { out.push_back(static_cast<char>(bits)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

// What stands there instead, in a word.
std::string_view KindAt(std::string_view rest) {
  if (rest.empty()) return "nothing";
  switch (rest.front()) {
    case '{':
      return "an object";
    case '[':
      return "a list";
    case '"':
      return "a string";
    case 't':
    case 'f':
      return "a boolean";
    case 'n':
      return "null";
    default:
      return "something else";
  }
}

}  // namespace

void LineReader::Fail(std::string reason) {
  if (failed_) return;
  failed_ = true;
  error_ = {std::move(reason), at_};
}

void LineReader::FailExpected(std::string_view kind, std::string_view what) {
  Fail(fmt::format("{} must be {}, and is {}", what, kind, KindAt(text_.substr(at_))));
}

void LineReader::SkipSpace() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) {
    ++at_;
  }
}

bool LineReader::Open(char bracket, std::string_view what) {
  if (failed_) return false;
  SkipSpace();
  if (at_ >= text_.size() || text_[at_] != bracket) {
    FailExpected(bracket == '{' ? "an object" : "a list", what);
    return false;
  }
  ++at_;
  return true;
}

bool LineReader::More(char close, bool first) {
  if (failed_) return false;
  SkipSpace();
  if (at_ >= text_.size()) {
    Fail("cut short");
    return false;
  }
  if (text_[at_] == close) {
    ++at_;
    return false;
  }
  if (first) return true;
  if (text_[at_] != ',') {
    Fail(fmt::format("expected , or {}", close));
    return false;
  }
  ++at_;
  SkipSpace();
  if (at_ < text_.size() && text_[at_] == close) Fail(fmt::format("a comma before {}", close));
  return !failed_;
}

std::string_view LineReader::FieldName(std::string_view what, Seen& seen) {
  if (at_ >= text_.size() || text_[at_] != '"') {
    Fail(fmt::format("expected a field name in {}", what));
    return {};
  }
  const std::size_t begin = ++at_;
  while (at_ < text_.size() && Plain(text_[at_])) ++at_;
  if (at_ >= text_.size() || text_[at_] != '"') {
    Fail(fmt::format("a field name in {} that is cut short or holds an escape", what));
    return {};
  }
  const std::string_view name = text_.substr(begin, at_ - begin);
  ++at_;
  SkipSpace();
  if (at_ >= text_.size() || text_[at_] != ':') {
    Fail(fmt::format("expected : after field \"{}\"", Excerpt(name)));
    return {};
  }
  ++at_;
  const auto end = seen.names.begin() + static_cast<std::ptrdiff_t>(seen.count);
  if (std::find(seen.names.begin(), end, name) != end) {
    Fail(fmt::format("field \"{}\" twice in {}", Excerpt(name), what));
  } else if (seen.count < seen.names.size()) {
    seen.names[seen.count++] = name;
  } else {
    Fail(fmt::format("too many fields in {}", what));
  }
  return name;
}

std::string LineReader::String(std::string_view what) {
  std::string out;
  if (failed_) return out;
  SkipSpace();
  if (at_ >= text_.size() || text_[at_] != '"') {
    FailExpected("a string", what);
    return out;
  }
  ++at_;
  while (at_ < text_.size()) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && Plain(text_[at_])) ++at_;
    out.append(text_, begin, at_ - begin);
    if (at_ == text_.size()) break;
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      return out;
    } else if (c == '\\') {
      Escape(out);
      if (failed_) return {};
    } else {
      Fail(fmt::format("{} holds a raw control character", what));
      return {};
    }
  }
  Fail(fmt::format("{} is cut short", what));
  return {};
}

void LineReader::Escape(std::string& out) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
  ++at_;
  const char letter = at_ < text_.size() ? text_[at_] : '\0';
  const std::size_t place = letters.find(letter);
  if (letter != '\0' && place != std::string_view::npos) {
    out.push_back(meant[place]);
    ++at_;
    return;
  }
  if (letter != 'u') return Fail("an unknown escape");
  ++at_;
  std::uint32_t code = FourHexDigits();
  if (code >= 0xD800 && code < 0xDC00) {
    if (text_.substr(at_, 2) != "\\u") return Fail("a lone surrogate");
    at_ += 2;
    const std::uint32_t low = FourHexDigits();
    if (low < 0xDC00 || low > 0xDFFF) return Fail("a lone surrogate");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  } else if (code >= 0xDC00 && code <= 0xDFFF) {
    return Fail("a lone surrogate");
  }
  if (!failed_) AppendUtf8(code, out);
}

std::uint32_t LineReader::FourHexDigits() {
  std::uint32_t code = 0;
  const char* const begin = text_.data() + at_;
  const char* const end = begin + std::min<std::size_t>(4, text_.size() - at_);
  const auto [stop, error] = std::from_chars(begin, end, code, 16);
  if (error != std::errc() || stop - begin != 4) {
    Fail("\\u without four hexadecimal digits");
    return 0;
  }
  at_ += 4;
  return code;
}

std::uint64_t LineReader::Number(std::string_view what) {
  if (failed_) return 0;
  SkipSpace();
  const char* const begin = text_.data() + at_;
  const char* const end = text_.data() + text_.size();
  if (begin == end || *begin == '"' || *begin == '{' || *begin == '[' || *begin == 'n') {
    FailExpected("a number", what);
    return 0;
  }
  std::uint64_t number = 0;
  const auto [stop, code] = std::from_chars(begin, end, number);
  const bool leading_zero = stop - begin > 1 && *begin == '0';
  const bool goes_on = stop != end && std::string_view(".eE").find(*stop) != std::string_view::npos;
  if (code != std::errc() || leading_zero || goes_on || number > kNumberMax) {
    Fail(fmt::format("{} must be a whole number 0 .. 2^63-1", what));
    return 0;
  }
  at_ += static_cast<std::size_t>(stop - begin);
  return number;
}

bool LineReader::TakeWord(std::string_view word) {
  if (failed_) return false;
  SkipSpace();
  if (text_.substr(at_, word.size()) != word) return false;
  at_ += word.size();
  return true;
}

bool LineReader::Bool(std::string_view what) {
  if (TakeWord("true")) return true;
  if (TakeWord("false") || failed_) return false;
  FailExpected("true or false", what);
  return false;
}

std::string_view LineReader::Raw(std::string_view what) {
  if (failed_) return {};
  SkipSpace();
  const auto extent = JsonExtent(text_.substr(at_));
  if (!extent) {
    Fail(fmt::format("{}: {}", what, extent.error().reason));
    return {};
  }
  const std::string_view raw = text_.substr(at_, extent.value());
  at_ += extent.value();
  return raw;
}

bool LineReader::TakeNull() { return TakeWord("null"); }

void LineReader::ExpectEnd() {
  if (failed_) return;
  SkipSpace();
  if (at_ != text_.size()) Fail("text after the object");
}

std::string Excerpt(std::string_view text, std::size_t bytes_max) {
  std::string_view shown = text.substr(0, bytes_max);
  // A character that the cut takes apart goes whole.
  if (shown.size() < text.size()) {
    for (int i = 0; i < 3 && !shown.empty() && (text[shown.size()] & 0xC0) == 0x80; ++i) {
      shown.remove_suffix(1);
    }
  }
  const bool utf8 = ValidUtf8(shown);
  std::string out;
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !utf8)) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out.push_back(c);
    }
  }
  if (shown.size() < text.size()) out += "...";
  return out;
}

}  // namespace rollover
