// The encoding of persisted values: compact JSON, UTF-8, keys in this order and no others.
//
//   message  {"sequence":n,"turn_id":s,"role":"user"|"assistant"|"tool","content":c}
//   chunk    {"messages":[message,...]}                      one message or more
//   index    {"chunks":[{"first":n,"last":n},...],"window_start":n,"oldest_kept":n}
//   reply    {"turn_id":s,"sequence":n}
//   summary  {"last_sequence":n,"text":s}
//   session  {"next_sequence":n,"turn_id":s,"status":"running"}
//          | {"next_sequence":n,"turn_id":null,"status":"idle"}
//
//   n        decimal, no sign, no leading zero, below 2^63
//   s        escapes " \ \b \t \n \f \r, other controls as \u00xx in lower case; all else raw
//   c        one JSON value, kept byte for byte
//
// Decoding accepts exactly what encoding writes (contents aside, which may be any JSON): a value in
// another spelling has another size, and sizes decide what may be stored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/result.h"
#include "model/values.h"

namespace rollover {

// What stands around one message in a chunk of its own: {"messages":[]}
inline constexpr std::uint64_t kChunkWrapperBytes = 15;

enum class ValueKind : std::uint8_t { kMessage, kChunk, kIndex, kTurnReply, kSummary, kSession };

std::string Encode(const Value& value);
void EncodeTo(const Value::Body& body, std::string& out);

// On malformed input: the reason, and the byte where reading stopped.
Result<ValueRef> Decode(ValueKind kind, std::string_view encoded);

// Exact length of the encoding, without encoding.
std::uint64_t EncodedBytes(const Value::Body& body);

// Length of a message with an empty content, sequence digits included.
std::uint64_t MessageHeaderBytes(Sequence sequence, std::string_view turn_id, Role role);

// The size of a chunk that holds just this message: the largest value it will ever need.
inline std::uint64_t AloneBytes(std::uint64_t message_bytes) {
  return message_bytes + kChunkWrapperBytes;
}

std::string_view RoleName(Role role);
std::uint64_t DecimalDigits(std::uint64_t number);

}  // namespace rollover
