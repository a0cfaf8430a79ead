// Content specifications: how a scenario describes a message's content, compactly and exactly.
//
//   {"fill":"ascii","bytes":1400}      that many bytes of encoded content
//   {"fill":"cjk","alone":"cap-1"}     sized so that the message, alone in a chunk, is one byte
//                                      under message_chunk_max_bytes
//   {"fill":"emoji","alone":"limit"}   ... exactly max_value_bytes
//   {"fill":"ascii","message":1440}    sized so that the encoded message is 1,440 bytes without
//                                      the digits of its sequence
//   {"text":"…"}                       this string
//   {"json":"[1, 2.0]"}                this encoded JSON, verbatim
//
// Expansion is a pure function of the specification, the message's header and the sizes in force.
// A fill starts with a marker that names turn and place, so that two contents never look alike.
#pragma once

#include <cstdint>
#include <string>

#include "model/options.h"
#include "model/values.h"

namespace rollover {

enum class Fill : std::uint8_t { kAscii, kEscapes, kCjk, kEmoji, kJson };
inline constexpr std::size_t kFillCount = 5;
std::string_view FillName(Fill fill);

enum class SizeBase : std::uint8_t { kBytes, kMessage, kCap, kLimit };

struct ContentSpec {
  enum class Kind : std::uint8_t { kFill, kText, kJson };

  Kind kind = Kind::kFill;
  Fill fill = Fill::kAscii;
  SizeBase base = SizeBase::kBytes;
  std::int64_t amount = 16;  // bytes; for kCap and kLimit what is added to them
  std::string text{};        // kText: the string; kJson: encoded JSON

  friend bool operator==(const ContentSpec&, const ContentSpec&) = default;
};

// No expanded content is larger.
inline constexpr std::uint64_t kContentBytesMax = 16 * kMebibyte;

// The message around the content, and the sizes that a specification may refer to.
struct ContentFrame {
  Sequence sequence = 1;
  const TurnId& turn_id;
  Role role = Role::kUser;
  std::uint64_t cap = 0;    // message_chunk_max_bytes
  std::uint64_t limit = 0;  // max_value_bytes
  std::uint64_t place = 0;  // of this content in its turn
};

Content Expand(const ContentSpec& spec, const ContentFrame& frame);

// An upper bound of the encoded content, given the largest cap and limit of a scenario.
std::uint64_t ContentBytesAtMost(const ContentSpec& spec, std::uint64_t cap, std::uint64_t limit);

}  // namespace rollover
