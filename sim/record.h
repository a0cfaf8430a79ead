// Record: 16 bytes of the byte form of a scenario, and where each field lies in it.
//
//   turn, round, tool  1 content  2-5 amount
//   compact            1-4 keep
//   text               1 length  2-15 bytes
//   read               1 flags  2 places  3 after.chunk  4 before.chunk  5-8 after.offset
//                      9-12 before.offset  13-14 limit
//   restart            1 flags
//   limits             1-5 max_value_bytes  6-10 max_result_bytes
//   fault              1 kind  2 step  3 occurrence - 1  4 attempt - 1  5 flags  6 more flags
//                      7 entries  8 commits  9-13 bytes
//   options            1-4 message_window_size  5-8 message_chunk_size  9-11 cap and compaction
//                      12-15 retained_message_limit
//   header             0 version  1 core  2 durability  3-5 history_commits  6-10 max_value_bytes
//                      11-15 max_result_bytes; then 0-4 max_flow_state_bytes; then options
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "sim/scenario_bytes.h"

namespace rollover {

class Record {
 public:
  Record() = default;
  explicit Record(RecordKind kind) { bytes_[0] = static_cast<std::uint8_t>(kind); }
  // Up to 16 bytes; the rest is zero.
  explicit Record(std::span<const std::uint8_t> bytes) {
    std::copy_n(bytes.begin(), std::min(bytes.size(), kRecordBytes), bytes_.begin());
  }

  RecordKind kind() const { return static_cast<RecordKind>(bytes_[0] & 15); }  // or another number
  const std::array<std::uint8_t, kRecordBytes>& bytes() const { return bytes_; }

  std::uint64_t Get(std::size_t at, std::size_t width) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i) value |= std::uint64_t{bytes_[at + i]} << (8 * i);
    return value;
  }
  std::int64_t GetSigned(std::size_t at, std::size_t width) const {
    const std::uint64_t sign = std::uint64_t{1} << (8 * width - 1);
    return static_cast<std::int64_t>((Get(at, width) ^ sign) - sign);
  }
  // Keeps the low `width` bytes; says whether they are all.
  bool Put(std::size_t at, std::size_t width, std::uint64_t value) {
    for (std::size_t i = 0; i < width; ++i) {
      bytes_[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
    return Get(at, width) == value;
  }
  bool PutSigned(std::size_t at, std::size_t width, std::int64_t value) {
    Put(at, width, static_cast<std::uint64_t>(value));
    return GetSigned(at, width) == value;
  }

 private:
  std::array<std::uint8_t, kRecordBytes> bytes_{};
};

// What version 1 knows: numbers wrap at these, whatever is added to the enumerations later.
inline constexpr std::size_t kCoreKinds1 = 3;
inline constexpr std::size_t kContentKinds1 = 3;
inline constexpr std::size_t kFills1 = 5;
inline constexpr std::size_t kAnchorPlaces1 = 7;
inline constexpr std::size_t kFaultKinds1 = 16;
inline constexpr std::size_t kStepKinds1 = 7;
inline constexpr std::size_t kLates1 = 3;

// Flags of a fault record: the point in the two bits below, the lateness in the next two.
inline constexpr std::uint64_t kFaultCancels = 16;
inline constexpr std::uint64_t kFaultRetryable = 32;
// ... of its second flags: the core in the two bits below.
inline constexpr std::uint64_t kFaultThisAttempt = 4;

// Flags of a read record: which rpc, which anchors.
inline constexpr std::uint64_t kReadLists = 1;
inline constexpr std::uint64_t kReadAfter = 2;
inline constexpr std::uint64_t kReadBefore = 4;

// Flags of a restart record: the core is in the two bits above.
inline constexpr std::uint64_t kRestartSetsCore = 1;

// A retained_message_limit of this is none.
inline constexpr std::uint64_t kKeepsAll = 0xFFFFFFFF;
// Above the 23 bits of the cap's excess over its floor.
inline constexpr std::uint64_t kCompactionBit = std::uint64_t{1} << 23;

}  // namespace rollover
