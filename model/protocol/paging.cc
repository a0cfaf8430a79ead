#include "model/protocol/paging.h"

#include <fmt/format.h>

#include <algorithm>

namespace rollover {
namespace {

std::optional<ReadRefusal> Refused(const ReadArguments& arguments) {
  if (arguments.rpc == Rpc::kGetAgentSnapshot) return std::nullopt;
  if (arguments.limit < kPageMessagesMin || arguments.limit > kPageMessagesMax) {
    return ReadRefusal{fmt::format("limit is {}; valid: {} .. {}", arguments.limit,
                                   kPageMessagesMin, kPageMessagesMax)};
  }
  if (arguments.after_sequence && arguments.before_sequence) {
    return ReadRefusal{"after_sequence and before_sequence exclude each other"};
  }
  for (const auto& anchor : {arguments.after_sequence, arguments.before_sequence}) {
    if (anchor && *anchor < 0)
      return ReadRefusal{fmt::format("anchor is {}; valid: 0 and up", *anchor)};
  }
  return std::nullopt;
}

}  // namespace

KeptLog::KeptLog(std::vector<ValueRef> chunks, const InstanceMap& window)
    : chunks_(std::move(chunks)) {
  for (const ValueRef& value : chunks_) {
    const Chunk& chunk = *value->as<Chunk>();
    segments_.push_back({chunk.first(), chunk.last(), &chunk, nullptr});
  }
  for (const auto& instance : window) {
    const bool extends = !segments_.empty() && segments_.back().window != nullptr &&
                         segments_.back().last + 1 == instance.key;
    if (extends) {
      segments_.back().last = instance.key;
    } else {
      segments_.push_back({instance.key, instance.key, nullptr, &instance});
    }
  }
  std::sort(segments_.begin(), segments_.end(),
            [](const Segment& a, const Segment& b) { return a.first < b.first; });
  if (!segments_.empty()) end_ = segments_.back().last + 1;
}

Sequence KeptLog::first() const { return segments_.empty() ? end_ : segments_.front().first; }

std::vector<ValueRef> KeptLog::Slice(Sequence from, Sequence until) const {
  std::vector<ValueRef> messages;
  messages.reserve(std::min(until, end_) - std::min({from, until, end_}));
  for (const Segment& segment : segments_) {
    const Sequence begin = std::max(from, segment.first);
    const Sequence end = std::min(until, segment.last + 1);
    for (Sequence s = begin; s < end; ++s) {
      const std::size_t at = s - segment.first;
      messages.push_back(segment.chunk != nullptr ? segment.chunk->messages[at]
                                                  : segment.window[at].value);
    }
  }
  return messages;
}

ReadOutcome ReadPage(const ReadArguments& arguments, const KeptLog& log) {
  if (auto refused = Refused(arguments)) return *refused;
  const bool snapshot = arguments.rpc == Rpc::kGetAgentSnapshot;
  const bool backward = snapshot || arguments.before_sequence.has_value();
  const Sequence limit = static_cast<Sequence>(snapshot ? kPageMessagesMax : arguments.limit);
  const Sequence kept_first = log.first();
  const Sequence kept_end = log.end();

  Page page;
  if (backward) {
    const Sequence anchor = snapshot ? kept_end : static_cast<Sequence>(*arguments.before_sequence);
    const Sequence until = std::clamp(anchor, kept_first, kept_end);
    const Sequence from = until - std::min(limit, until - kept_first);
    page.messages = log.Slice(from, until);
    page.has_more = from > kept_first;
  } else {
    const Sequence anchor = static_cast<Sequence>(arguments.after_sequence.value_or(0));
    const Sequence from = std::clamp(anchor + 1, kept_first, kept_end);
    const Sequence until = from + std::min(limit, kept_end - from);
    page.messages = log.Slice(from, until);
    page.has_more = until < kept_end;
  }
  return page;
}

}  // namespace rollover
