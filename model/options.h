// Options of a core and limits of the engine it runs on.
//
// Defaults and ranges: the protocol's option table (docs/protocol.md, "Options"). An invalid set is
// refused whole, with the option's name, its value and its valid range; nothing is started.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "model/result.h"

namespace rollover {

inline constexpr std::uint64_t kKibibyte = 1024;
inline constexpr std::uint64_t kMebibyte = 1024 * kKibibyte;

// One commit moves at most this much out of the window (source: "at most 4 chunks and 8 MiB").
inline constexpr std::uint64_t kCommitChunksMax = 4;
inline constexpr std::uint64_t kCommitMovedBytesMax = 8 * kMebibyte;

// Messages an RPC page may hold; a snapshot holds the newest kPageMessagesMax (source).
inline constexpr std::int64_t kPageMessagesMin = 1;
inline constexpr std::int64_t kPageMessagesMax = 200;

inline constexpr std::uint64_t kChunkBytesFloor = 1 * kKibibyte;  // assumption A-chunk-bytes-floor
inline constexpr std::uint64_t kChunkBytesCeiling = 8 * kMebibyte;

struct Options {
  std::uint64_t message_window_size = 64;                      // messages, >= 1
  std::uint64_t message_chunk_size = 32;                       // messages, 1 .. message_window_size
  std::uint64_t message_chunk_max_bytes = 1 * kMebibyte;       // bytes of a chunk's encoded value
  std::optional<std::uint64_t> retained_message_limit = 1000;  // messages; none keeps all
  bool compaction = true;

  // Amendments of the protocol, each a cure of a weak spot (docs/findings.md), off by default.
  std::uint64_t commit_chunks_max = kCommitChunksMax;           // chunks moved by a commit, >= 1
  std::uint64_t commit_moved_max_bytes = kCommitMovedBytesMax;  // of these, if there are several
  std::optional<std::uint64_t> value_max_bytes = std::nullopt;  // no chunk is planned above it

  // Neither a chunk of several messages, nor a message that a chunk could hold, is larger.
  std::uint64_t chunk_cap() const {
    return std::min(message_chunk_max_bytes, value_max_bytes.value_or(message_chunk_max_bytes));
  }
  bool amended() const {
    return commit_chunks_max != kCommitChunksMax ||
           commit_moved_max_bytes != kCommitMovedBytesMax || value_max_bytes;
  }

  friend bool operator==(const Options&, const Options&) = default;
};

enum class Durability : std::uint8_t {
  kSync,   // an acknowledged commit survives an engine crash
  kAsync,  // an engine crash rolls back to a recent commit boundary, never to a mixture
};

// What the engine refuses. Bytes are sums of encoded values; keys do not count.
struct Limits {
  std::uint64_t max_value_bytes = 9 * kMebibyte;
  std::uint64_t max_result_bytes = 64 * kMebibyte;
  std::uint64_t max_flow_state_bytes = 4096 * kMebibyte;
  std::uint64_t history_commits = 32;  // superseded values count until this many commits later
  Durability durability = Durability::kSync;

  friend bool operator==(const Limits&, const Limits&) = default;
};

// Largest number accepted anywhere in options and limits: far above any real setting, and small
// enough that no sum of a few of them wraps.
inline constexpr std::uint64_t kSettingMax = std::uint64_t{1} << 40;

// No value when valid; else one line: name, value, valid range.
std::optional<std::string> Invalid(const Options& options);
std::optional<std::string> Invalid(const Limits& limits);

}  // namespace rollover
