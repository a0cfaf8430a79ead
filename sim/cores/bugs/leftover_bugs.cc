// Leftovers and off-by-ones: what stays behind, and what is one too many or too few.
#include <algorithm>
#include <limits>

#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

void KeepLastOfRun(Draft& draft) {
  const auto moved = draft.MovedChunks();
  if (moved.empty()) return;
  const Sequence last = RangeOf(moved.back()).last;
  if (last < draft.NextBefore()) draft.Drop(Name::kMessages, last);
}

// The same, but the index says where the window then starts.
void OverlapWithWindow(Draft& draft) {
  const auto moved = draft.MovedChunks();
  if (moved.empty() || draft.WindowAfter().size() >= draft.options().message_window_size) return;
  KeepLastOfRun(draft);
  draft.Settle(draft.IndexAfter());
}

void DropLastOfRun(Draft& draft) {
  for (const ValueRef& chunk : draft.MovedChunks()) {
    const ChunkRange range = RangeOf(chunk);
    if (range.first == range.last || range.last >= draft.NextBefore()) continue;
    std::vector<ValueRef> messages = chunk->as<Chunk>()->messages;
    messages.pop_back();
    draft.Put(Name::kChunks, range.first, MakeValue(Chunk{std::move(messages)}));
    Index index = draft.IndexAfter();
    if (ChunkRange* listed = RangeAt(index, range.first)) --listed->last;
    draft.PutIndex(std::move(index));
  }
}

void ListOnePastTheEnd(Draft& draft) {
  const auto moved = draft.MovedChunks();
  if (moved.empty()) return;
  Index index = draft.IndexAfter();
  for (const ValueRef& chunk : moved) {
    if (ChunkRange* listed = RangeAt(index, RangeOf(chunk).first)) ++listed->last;
  }
  draft.PutIndex(std::move(index));
}

// In a window of messages that this process was there for: what 0.1.0 left is moved in time.
class OneLateCore : public Decorator {
 public:
  OneLateCore(std::unique_ptr<Core> core, const Options& options)
      : Decorator(std::move(core), options), late_(MakeReferenceCore(OneMore(options))) {}

  StepOutcome Invoke(const Invocation& invocation) override {
    const Session* session = invocation.state.Attribute<Session>(Name::kSession);
    const Sequence next = session != nullptr ? session->next_sequence : 1;
    if (!since_) since_ = next;
    const InstanceMap& window = invocation.state.WholeMap(Name::kMessages);
    const bool there = window.empty() || window.front().key >= *since_;
    return there ? late_->Invoke(invocation) : inner().Invoke(invocation);
  }

 private:
  static Options OneMore(Options options) {
    ++options.message_window_size;
    return options;
  }

  std::unique_ptr<Core> late_;
  std::optional<Sequence> since_;
};

Options KeepOneLess(Options options) {
  auto& limit = options.retained_message_limit;
  if (limit && *limit > 0) --*limit;
  return options;
}

void LeaveOldestKept(Draft& draft) {
  auto index = draft.WrittenIndex();
  if (!index || draft.IndexBefore() == nullptr) return;
  index->oldest_kept = draft.IndexBefore()->oldest_kept;
  draft.PutIndex(*index);
}

ReadArguments IncludeTheAnchor(ReadArguments arguments) {
  auto& before = arguments.before_sequence;
  if (before && *before >= 0 && *before < std::numeric_limits<std::int64_t>::max()) ++*before;
  return arguments;
}

// As unsigned numbers do: -1 is more than any limit.
ReadArguments ClampFromAbove(ReadArguments arguments) {
  const auto limit = static_cast<std::uint64_t>(arguments.limit);
  arguments.limit =
      static_cast<std::int64_t>(std::min(limit, static_cast<std::uint64_t>(kPageMessagesMax)));
  return arguments;
}

ReadArguments TakeZeroForNone(ReadArguments arguments) {
  if (arguments.limit == 0) arguments.limit = kPageMessagesMax;
  return arguments;
}

void WrapBelowTheLimit(const ReadRequest& request, const Options&, Page& page) {
  const auto& before = request.arguments.before_sequence;
  if (!before || *before >= request.arguments.limit) return;
  page.messages.clear();  // from 2^64 minus something on
}

void TakeFullForMore(const ReadRequest& request, const Options&, Page& page) {
  page.has_more = page.messages.size() == static_cast<std::size_t>(request.arguments.limit);
}

}  // namespace

std::span<const PlantedBug> LeftoverBugs() {
  static constexpr PlantedBug bugs[] = {
      {"rolled-message-not-deleted",
       "Rolled-over messages are deleted up to, not including, the last of the run.",
       Rule::kExactlyOnce, "positional memory: openai/openai-agents-js#701",
       WithResult<KeepLastOfRun>},
      {"run-overlaps-window",
       "The last message of a run stays in the window, too, where the index says that it starts.",
       Rule::kExactlyOnce, "off by one: an inclusive end taken for an exclusive one",
       WithResult<OverlapWithWindow>},
      {"last-of-run-dropped",
       "The chunk is cut one message short of the run that leaves the window.", Rule::kNothingLost,
       "two caps, two answers: scylladb/scylladb#20095", WithResult<DropLastOfRun>},
      {"index-last-one-past",
       "The index takes the end of a run, one past its last message, for the last.",
       Rule::kIndexMatchesChunks, "not one commit: rabbitmq/osiris#79",
       WithResult<ListOnePastTheEnd>},
      {"rollover-one-late",
       "Rollover waits until the window exceeds its size by two messages instead of one.",
       Rule::kFullRuns, "off by one: > written for >=", Remembering<OneLateCore>},
      {"page-limit-unclamped",
       "A limit is only clamped from above, so -1 and 201 are answered with a page.",
       Rule::kPageExact, "paging: NousResearch/hermes-agent#74316", WithArguments<ClampFromAbove>},
      {"page-limit-zero-for-none",
       "A limit of 0 is taken for one that was not given, and answered with 200 messages.",
       Rule::kPageExact, "paging: NousResearch/hermes-agent#74316", WithArguments<TakeZeroForNone>},
      {"page-before-inclusive", "A page before an anchor ends with the anchor itself.",
       Rule::kPageExact, "paging: mastra-ai/mastra#19550", WithArguments<IncludeTheAnchor>},
      {"page-start-wraps",
       "A page starts at its anchor minus its limit, which wraps where the anchor is the smaller.",
       Rule::kPageExact, "off by one: unsigned subtraction below zero",
       WithPage<WrapBelowTheLimit>},
      {"has-more-from-page-size", "There is more, says a page, exactly when it is full itself.",
       Rule::kPageExact, "paging: mastra-ai/mastra#19550", WithPage<TakeFullForMore>},
      {"retention-keeps-one-less",
       "A chunk is deleted when one message fewer than the limit is stored after it.",
       Rule::kRetentionSafe, "off by one: the message being stored is counted twice",
       WithOptions<KeepOneLess>},
      {"oldest-kept-not-moved", "The oldest chunk is deleted, and oldest_kept stays where it was.",
       Rule::kIndexMatchesChunks, "retention: redpanda-data/redpanda#3722",
       WithResult<LeaveOldestKept>},
  };
  return bugs;
}

}  // namespace rollover
