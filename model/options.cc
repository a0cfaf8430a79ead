#include "model/options.h"

#include <fmt/format.h>

namespace rollover {
namespace {

std::optional<std::string> OutOfRange(const char* name, std::uint64_t value, std::uint64_t low,
                                      std::uint64_t high) {
  if (value >= low && value <= high) return std::nullopt;
  return fmt::format("{} is {}; valid: {} .. {}", name, value, low, high);
}

}  // namespace

std::optional<std::string> Invalid(const Options& options) {
  if (auto bad = OutOfRange("message_window_size", options.message_window_size, 1, kSettingMax)) {
    return bad;
  }
  if (auto bad = OutOfRange("message_chunk_size", options.message_chunk_size, 1,
                            options.message_window_size)) {
    return *bad + " (message_window_size)";
  }
  if (auto bad = OutOfRange("message_chunk_max_bytes", options.message_chunk_max_bytes,
                            kChunkBytesFloor, kChunkBytesCeiling)) {
    return bad;
  }
  if (auto bad = OutOfRange("commit_chunks_max", options.commit_chunks_max, 1, kSettingMax)) {
    return bad;
  }
  if (auto bad =
          OutOfRange("commit_moved_max_bytes", options.commit_moved_max_bytes, 1, kSettingMax)) {
    return bad;
  }
  if (options.value_max_bytes) {
    if (auto bad = OutOfRange("value_max_bytes", *options.value_max_bytes, 1, kSettingMax)) {
      return bad;
    }
  }
  if (!options.retained_message_limit) return std::nullopt;
  return OutOfRange("retained_message_limit", *options.retained_message_limit, 0, kSettingMax);
}

std::optional<std::string> Invalid(const Limits& limits) {
  if (auto bad = OutOfRange("max_value_bytes", limits.max_value_bytes, 1, kSettingMax)) return bad;
  if (auto bad = OutOfRange("max_result_bytes", limits.max_result_bytes, 1, kSettingMax)) {
    return bad;
  }
  if (auto bad = OutOfRange("max_flow_state_bytes", limits.max_flow_state_bytes, 1, kSettingMax)) {
    return bad;
  }
  return OutOfRange("history_commits", limits.history_commits, 0, 1'000'000);
}

}  // namespace rollover
