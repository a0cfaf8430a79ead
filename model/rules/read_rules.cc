// page-exact: a page is a slice of the kept log.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/json_text.h"
#include "model/rules/commit_view.h"

namespace rollover {
namespace {

// A core may write a message anew when it returns one, so contents compare as JSON values.
bool SameMessage(const Message& returned, Sequence sequence, const ExpectedMessage& expected) {
  if (returned.sequence != sequence || returned.role != expected.role ||
      returned.turn_id != expected.turn_id) {
    return false;
  }
  if (returned.content == expected.content) return true;
  // What a core returns may be anything: text that is no JSON equals nothing, and neither does a
  // value so deep that comparing it would end the stack.
  if (NotOneJsonValue(returned.content.encoded())) return false;
  return nlohmann::json::parse(returned.content.encoded(), nullptr, false) ==
         nlohmann::json::parse(expected.content.encoded(), nullptr, false);
}

struct Slice {
  Sequence from = 1;
  Sequence until = 1;  // exclusive
  bool has_more = false;
};

// None: the arguments are out of range and must be refused.
std::optional<Slice> DueSlice(const ReadArguments& arguments, const Ledger& ledger) {
  const Sequence first = ledger.first();
  const Sequence end = ledger.next();
  if (arguments.rpc == Rpc::kGetAgentSnapshot) {
    const std::uint64_t kept = end - first;
    const std::uint64_t taken = std::min<std::uint64_t>(kept, 200);
    return Slice{end - taken, end, taken < kept};
  }
  const auto& after = arguments.after_sequence;
  const auto& before = arguments.before_sequence;
  if (arguments.limit < 1 || arguments.limit > 200 || (after && before) || after.value_or(0) < 0 ||
      before.value_or(0) < 0) {
    return std::nullopt;
  }
  const auto limit = static_cast<std::uint64_t>(arguments.limit);
  Slice slice{first, first, false};
  if (before) {
    const auto anchor = static_cast<Sequence>(*before);
    slice.until = anchor <= first ? first : std::min(anchor, end);
    slice.from = slice.until - first > limit ? slice.until - limit : first;
    slice.has_more = slice.from != first;
  } else {
    const auto anchor = static_cast<Sequence>(after.value_or(0));
    slice.from = anchor < first ? first : std::min(anchor + 1, end);
    slice.until = end - slice.from > limit ? slice.from + limit : end;
    slice.has_more = slice.until != end;
  }
  return slice;
}

std::string Difference(const Page& page, const Slice& due, const Ledger& ledger) {
  const std::size_t count = due.until - due.from;
  if (page.messages.size() != count) {
    return fmt::format("the page holds {} messages; due are {} from {} on", page.messages.size(),
                       count, due.from);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Message* message = page.messages[i] ? page.messages[i]->as<Message>() : nullptr;
    if (message == nullptr || !SameMessage(*message, due.from + i, ledger.At(due.from + i))) {
      return fmt::format("place {} of the page is not message {}", i, due.from + i);
    }
  }
  if (page.has_more != due.has_more) {
    return fmt::format("has_more is {}; the page is {}..{}, kept are {}..{}", page.has_more,
                       due.from, due.until - 1, ledger.first(), ledger.next() - 1);
  }
  const bool deleted = ledger.first() > 1;
  if (page.deleted_before_sequence.has_value() != deleted) {
    return fmt::format("deleted_before_sequence is {}", deleted ? "missing" : "present");
  }
  if (deleted && *page.deleted_before_sequence != ledger.first()) {
    return fmt::format("deleted_before_sequence is {}; the oldest kept is {}",
                       *page.deleted_before_sequence, ledger.first());
  }
  return {};
}

}  // namespace

void CheckRead(const ReadRecord& read, const Ledger& ledger, bool upgraded, Findings& findings) {
  findings.Evaluated(Rule::kPageExact);
  const auto due = DueSlice(read.arguments, ledger);
  const auto* refusal = std::get_if<ReadRefusal>(&read.outcome);
  // 0.1.0 cannot read what was moved, and must say so.
  const bool may_read = due && !(read.profile.legacy && upgraded);
  if (refusal != nullptr) {
    if (may_read) findings.Broken(Rule::kPageExact, "the read is refused: " + refusal->error);
    return;
  }
  if (!due) {
    findings.Broken(Rule::kPageExact, "arguments out of range are answered with a page");
    return;
  }
  const std::string difference = Difference(std::get<Page>(read.outcome), *due, ledger);
  if (!difference.empty()) findings.Broken(Rule::kPageExact, difference);
}

}  // namespace rollover
