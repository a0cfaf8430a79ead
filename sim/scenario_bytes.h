// The byte form of a scenario: what libFuzzer mutates. Every input is a valid scenario.
//
// Records of 16 bytes, so that to insert, drop, swap or change one is a small edit of the scenario;
// no record counts others or names a place. The first three are the header (limits, core, options);
// each of the others has its kind in the low four bits of its first byte:
//
//   0 turn      a turn with its user message         5 read      a read between turns
//   1 round     a reply, in the turn before it       6 restart   of the Worker
//   2 compact   a round that compacts                7 limits    other engine limits
//   3 tool      a tool result, in the round before   8 fault     in the turn before it
//   4 text      14 bytes more of the text before it  9 options   of the restart or fault before it
//
// A read right behind a read-race is what races. What stands nowhere (a round before any turn, a
// fault that cannot hit its Step) is skipped, as are kinds 10 to 15. A number out of range becomes
// the nearest valid one; in text that is not UTF-8 all but ASCII becomes '?'; JSON that is none is
// text. A tail shorter than a record counts as if filled with zeros. Numbers are little-endian.
//
// The form is frozen: what version 1 encodes decodes to the same for ever (tests/sim/frozen/). A
// new kind of fault, fill or Step is not in it, and needs a version of its own; until there is one,
// every first byte counts as 1. Bytes 5 to 15 of the second header record mean nothing to a
// scenario: a target may take a choice of its own from them (kSpareByte).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/result.h"
#include "sim/scenario.h"

namespace rollover {

inline constexpr std::uint8_t kScenarioBytesVersion = 1;
inline constexpr std::size_t kRecordBytes = 16;
inline constexpr std::size_t kHeaderRecords = 3;
inline constexpr std::size_t kSpareByte = kRecordBytes + 5;  // and the ten that follow

enum class RecordKind : std::uint8_t {
  kTurn,
  kRound,
  kCompact,
  kTool,
  kText,
  kRead,
  kRestart,
  kLimits,
  kFault,
  kOptions,
};

// The bytes that decode to `scenario`, its faults in the order of their turns and without the
// fields that do not count for their kind. Error, with the place: a number too large for its field.
Result<std::string> EncodeScenario(const Scenario& scenario);

// Never fails. Valid, but not always sound (sound.h).
Scenario DecodeScenario(std::span<const std::uint8_t> bytes);
inline Scenario DecodeScenario(std::string_view bytes) {
  return DecodeScenario({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

}  // namespace rollover
