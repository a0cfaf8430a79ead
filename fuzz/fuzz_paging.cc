// fuzz_paging: any layout of chunks and window, any anchor and limit, against a slice of the list
// of messages it holds.
#include <fmt/format.h>

#include <vector>

#include "fuzz/input.h"
#include "fuzz/target.h"
#include "model/protocol/paging.h"

namespace rollover {
namespace {

struct Layout {
  std::vector<ValueRef> chunks;
  InstanceMap window;
  std::vector<ValueRef> messages;  // ascending, neighbours
};

// Chunks may lie anywhere among the window's messages, as oversized ones do.
Layout DrawLayout(Input& input) {
  Layout layout;
  Sequence next = input.Below(3) == 0 ? input.Below(300) + 1 : 1;
  for (std::uint64_t parts = input.Below(40); parts > 0; --parts) {
    const std::uint8_t shape = input.Byte();
    Chunk chunk;
    for (std::uint64_t n = shape % 32 + 1; n > 0; --n) {
      const ValueRef message = MakeValue(Message{next++, "t1", Role::kUser, Content()});
      layout.messages.push_back(message);
      if (shape < 96) {
        layout.window.Put(message->message().sequence, message);
      } else {
        chunk.messages.push_back(message);
      }
    }
    if (!chunk.messages.empty()) layout.chunks.push_back(MakeValue(std::move(chunk)));
  }
  return layout;
}

std::optional<std::int64_t> DrawAnchor(Input& input, const Layout& layout) {
  switch (input.Below(6)) {
    case 0:
      return std::nullopt;
    case 1:
      return -1;
    case 2:
      return INT64_MAX;
    default:
      break;
  }
  const Sequence first = layout.messages.empty() ? 1 : layout.messages.front()->message().sequence;
  return static_cast<std::int64_t>(first + input.Below(layout.messages.size() + 4)) - 2;
}

bool Refused(const ReadArguments& arguments) {
  const auto negative = [](const std::optional<std::int64_t>& anchor) {
    return anchor.value_or(0) < 0;
  };
  return arguments.limit < kPageMessagesMin || arguments.limit > kPageMessagesMax ||
         (arguments.after_sequence && arguments.before_sequence) ||
         negative(arguments.after_sequence) || negative(arguments.before_sequence);
}

void ComparePage(const ReadArguments& arguments, const Layout& layout, const Page& page) {
  std::vector<ValueRef> beyond;  // the messages that lie in the direction of the walk
  for (const ValueRef& message : layout.messages) {
    const auto sequence = static_cast<std::int64_t>(message->message().sequence);
    const bool wanted = arguments.before_sequence ? sequence < *arguments.before_sequence
                                                  : sequence > arguments.after_sequence.value_or(0);
    if (wanted) beyond.push_back(message);
  }
  const auto limit = static_cast<std::size_t>(arguments.limit);
  const bool more = beyond.size() > limit;
  if (more && arguments.before_sequence) {
    beyond.erase(beyond.begin(), beyond.end() - static_cast<std::ptrdiff_t>(limit));
  } else if (more) {
    beyond.resize(limit);
  }
  if (page.messages.size() != beyond.size()) {
    Fail("paging", fmt::format("{} messages, not {}", page.messages.size(), beyond.size()));
  }
  for (std::size_t i = 0; i < beyond.size(); ++i) {
    if (!(*page.messages[i] == *beyond[i])) Fail("paging", "another message");
  }
  if (page.has_more != more) Fail("paging", "has_more is wrong");
}

}  // namespace

void Fuzz(std::span<const std::uint8_t> bytes) {
  Input input(bytes);
  const Layout layout = DrawLayout(input);
  const KeptLog log(layout.chunks, layout.window);
  for (int reads = 0; reads < 8; ++reads) {
    constexpr std::int64_t kLimits[] = {0, -1, 1, 2, 3, 31, 199, 200, 201, INT64_MIN, INT64_MAX};
    ReadArguments arguments{.rpc = Rpc::kListAgentMessages};
    arguments.after_sequence = DrawAnchor(input, layout);
    arguments.before_sequence =
        input.Below(8) == 0 || !arguments.after_sequence ? DrawAnchor(input, layout) : std::nullopt;
    arguments.limit = kLimits[input.Below(std::size(kLimits))];
    const ReadOutcome outcome = ReadPage(arguments, log);
    const auto* page = std::get_if<Page>(&outcome);
    if ((page == nullptr) != Refused(arguments)) Fail("paging", "refused, or answered, wrongly");
    if (page != nullptr) ComparePage(arguments, layout, *page);
  }
}

}  // namespace rollover
