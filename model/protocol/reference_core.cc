// The reference core (0.2.0), and the same core without compaction.
//
// One function a Step, in the order of the protocol's table. Each reads its loads, decides what is
// stored, and hands the rest to storage.h and loads.h. What a turn's life looks like:
//
//   StartTurn ─► RunModel ─► (reply without tool calls) turn completed
//                  │ ▲ ▲ └─► ResumeTurn ──┐
//                  │ │ └──────────────────┘
//                  │ └───── CompactContext ◄── context too long
//                  └─ control ─► ApplyTurnControl ─► steer: RunModel of the new turn
//                                                 └► cancel: FinishTurnCancellation
//   any refused or failed Step ─► RecordTurnFailure
#include <algorithm>
#include <span>

#include "model/protocol/core.h"
#include "model/protocol/loads.h"
#include "model/protocol/paging.h"
#include "model/protocol/storage.h"

namespace rollover {
namespace {

class ReferenceCore : public Core {
 public:
  explicit ReferenceCore(const Options& options) : options_(options) {}

  StepOutcome Invoke(const Invocation& invocation) override;
  ReadOutcome Read(const ReadRequest& request) override;

 private:
  Options options_;
  bool warned_ = false;  // a process warns once; a fresh process has forgotten
};

// One invocation of one Step.
class Handler {
 public:
  Handler(const Options& options, const LoadedState& state)
      : options_(options), state_(state), window_(state.WholeMap(Name::kMessages)) {
    if (const Session* session = state.Attribute<Session>(Name::kSession)) session_ = *session;
    // A Step that 0.1.0 queued names no index: none was written then, or MissesMessages says so.
    queued_by_legacy_ = !state.Names(Name::kIndex);
    if (!queued_by_legacy_) index_ = state.Attribute<Index>(Name::kIndex);
    if (const Summary* summary = state.Attribute<Summary>(Name::kSummary)) summary_ = summary;
  }

  // A Step that 0.1.0 queued loads the window only. On an upgraded session that is not everything:
  // storing on would use a half view (assumption A-legacy-queued).
  bool MissesMessages() const {
    return queued_by_legacy_ && window_.size() != session_.next_sequence - 1;
  }

  StepOutcome Run(const StartTurn& step) {
    Store(step.turn_id, NewMessage{Role::kUser, step.content});
    WriteReplySequence(step.turn_id);
    WriteSession(step.turn_id);
    return MoveTo(StepKind::kRunModel);
  }

  StepOutcome Run(const RunModel& step) {
    if (!step.reply) {
      if (!options_.compaction) return StepFailure{"context too long, and no compaction", false};
      return MoveTo(StepKind::kCompactContext, step.compact_through);
    }
    result_.model_input = ModelInput();
    Store(step.turn_id, NewMessage{Role::kAssistant, step.reply->content});
    if (step.reply->tool_calls > 0) {
      WriteSession(step.turn_id);
      return MoveTo(StepKind::kResumeTurn);
    }
    AddEndEvent(EventKind::kTurnCompleted, step.turn_id);
    WriteSession(std::nullopt);
    return std::move(result_);
  }

  StepOutcome Run(const ResumeTurn& step) {
    std::vector<NewMessage> messages;
    for (const Content& content : step.tool_results) messages.push_back({Role::kTool, content});
    Store(step.turn_id, messages);
    WriteSession(step.turn_id);
    return MoveTo(StepKind::kRunModel);
  }

  StepOutcome Run(const CompactContext& step) {
    compacted_through_ = step.through;
    result_.writes.push_back({Name::kSummary, 0, MakeValue(Summary{step.through, step.text})});
    Take(RetainOnly(View()));
    return MoveTo(StepKind::kRunModel);
  }

  StepOutcome Run(const ApplyTurnControl& step) {
    if (step.control == ControlKind::kCancel) return MoveTo(StepKind::kFinishTurnCancellation);
    AddEndEvent(EventKind::kTurnSteered, step.turn_id);  // counted before the new turn's message
    Store(step.new_turn_id, NewMessage{Role::kUser, step.content});
    WriteReplySequence(step.new_turn_id);
    WriteSession(step.new_turn_id);
    return MoveTo(StepKind::kRunModel);
  }

  StepOutcome Run(const FinishTurnCancellation& step) {
    AddEndEvent(EventKind::kTurnCancelled, step.turn_id);
    WriteSession(std::nullopt);
    return std::move(result_);
  }

  StepOutcome Run(const RecordTurnFailure& step) {
    result_.events.push_back({.kind = EventKind::kTurnFailed, .turn_id = step.turn_id});
    WriteSession(std::nullopt);
    return std::move(result_);
  }

  void WarnOfDeletedMessages() {
    result_.events.push_back(
        {.kind = EventKind::kWarning,
         .text = "no compaction, but this session has deleted messages: the model misses them"});
  }
  bool HasDeletedMessages() const { return index_ != nullptr && index_->oldest_kept > 1; }

 private:
  StorageView View() const {
    return {.options = options_,
            .window = window_,
            .index = index_,
            .next_sequence = session_.next_sequence,
            .summary_last_sequence = SummaryLast()};
  }

  Sequence SummaryLast() const {
    if (compacted_through_) return *compacted_through_;
    return summary_ != nullptr ? summary_->last_sequence : 0;
  }

  void Store(const TurnId& turn_id, std::span<const NewMessage> messages) {
    Take(StoreMessages(View(), turn_id, messages));
  }
  void Store(const TurnId& turn_id, const NewMessage& message) {
    Store(turn_id, std::span(&message, 1));
  }

  void Take(StorageChange change) {
    if (result_.writes.empty()) {
      result_.writes = std::move(change.writes);
    } else {
      std::move(change.writes.begin(), change.writes.end(), std::back_inserter(result_.writes));
    }
    next_sequence_after_ = change.next_sequence;
    new_index_ = std::move(change.new_index);
  }

  Sequence NextSequenceAfter() const {
    return std::max(next_sequence_after_, session_.next_sequence);
  }

  void WriteReplySequence(const TurnId& turn_id) {
    result_.writes.push_back(
        {Name::kTurnReply, 0, MakeValue(TurnReply{turn_id, NextSequenceAfter()})});
  }

  // Written only when it changes.
  void WriteSession(std::optional<TurnId> turn_id) {
    Session after{NextSequenceAfter(), std::move(turn_id)};
    if (after == session_) return;
    result_.writes.push_back({Name::kSession, 0, MakeValue(std::move(after))});
  }

  void AddEndEvent(EventKind kind, const TurnId& turn_id) {
    result_.events.push_back({.kind = kind, .turn_id = turn_id, .replies = CountReplies(turn_id)});
  }

  // Of the turn up to and including what this commit has stored so far.
  std::uint64_t CountReplies(const TurnId& turn_id) const {
    const TurnReply* reply =
        state_.Names(Name::kTurnReply) ? state_.Attribute<TurnReply>(Name::kTurnReply) : nullptr;
    if (reply != nullptr && reply->turn_id == turn_id) {
      return NextSequenceAfter() - reply->sequence;
    }
    // A turn that 0.1.0 started: scan what is loaded.
    std::uint64_t count = NextSequenceAfter() - session_.next_sequence;
    const auto scan = [&](const ValueRef& value) {
      const Message& message = value->message();
      if (message.turn_id == turn_id && message.role != Role::kUser) ++count;
    };
    for (const auto& instance : window_) scan(instance.value);
    if (!queued_by_legacy_) {
      for (const ValueRef& chunk : state_.Chunks()) {
        for (const ValueRef& message : chunk->as<Chunk>()->messages) scan(message);
      }
    }
    return count;
  }

  // Every kept message after the summary; without compaction, every kept message.
  SequenceRuns ModelInput() const {
    const Sequence after = options_.compaction ? SummaryLast() : 0;
    SequenceRuns input;
    std::vector<ValueRef> chunks;
    if (!queued_by_legacy_) chunks = state_.Chunks();
    auto chunk = chunks.begin();
    // A chunk's messages are neighbours; window messages may stand before, between and after them.
    const auto take_chunks_before = [&](Sequence sequence) {
      for (; chunk != chunks.end(); ++chunk) {
        const Chunk& messages = *(*chunk)->as<Chunk>();
        if (messages.first() > sequence) break;
        if (messages.last() > after)
          input.Append(std::max(messages.first(), after + 1), messages.last());
      }
    };
    for (auto at = window_.LowerBound(after + 1); at != window_.end(); ++at) {
      take_chunks_before(at->key);
      input.Append(at->key);
    }
    take_chunks_before(~Sequence{0});
    return input;
  }

  StepOutcome MoveTo(StepKind step, Sequence compact_through = 0) {
    const Index* index = new_index_ ? &*new_index_ : index_;
    result_.next = rollover::MoveTo(
        step,
        {.compaction = options_.compaction, .index = index, .summary_last_sequence = SummaryLast()},
        compact_through);
    return std::move(result_);
  }

  const Options& options_;
  const LoadedState& state_;
  const InstanceMap& window_;
  Session session_;  // a session that has stored nothing: sequence 1, no turn
  const Index* index_ = nullptr;
  const Summary* summary_ = nullptr;
  bool queued_by_legacy_ = false;
  std::optional<Sequence> compacted_through_;
  Sequence next_sequence_after_ = 0;
  std::optional<Index> new_index_;
  StepResult result_;
};

StepOutcome ReferenceCore::Invoke(const Invocation& invocation) {
  Handler handler(options_, invocation.state);
  const StepKind step = invocation.step();
  if (step != StepKind::kRecordTurnFailure && handler.MissesMessages()) {
    return StepFailure{"messages are missing: 0.1.0 queued this Step on an upgraded session",
                       false};
  }
  const bool warns = !options_.compaction && !warned_ && handler.HasDeletedMessages();
  if (warns) handler.WarnOfDeletedMessages();
  StepOutcome outcome =
      std::visit([&](const auto& input) { return handler.Run(input); }, invocation.input);
  // A failed Step takes its events with it, so the next one warns.
  if (warns) warned_ = std::holds_alternative<StepResult>(outcome);
  return outcome;
}

ReadOutcome ReferenceCore::Read(const ReadRequest& request) {
  const KeptLog log(request.state.Chunks(), request.state.WholeMap(Name::kMessages));
  ReadOutcome outcome = ReadPage(request.arguments, log);
  const Index* index = request.state.Attribute<Index>(Name::kIndex);
  Page* page = std::get_if<Page>(&outcome);
  if (page != nullptr && index != nullptr && index->oldest_kept > 1) {
    page->deleted_before_sequence = index->oldest_kept;
  }
  return outcome;
}

}  // namespace

std::unique_ptr<Core> MakeReferenceCore(const Options& options) {
  return std::make_unique<ReferenceCore>(options);
}

std::unique_ptr<Core> MakeNoCompactionCore(const Options& options) {
  Options without = options;
  without.compaction = false;
  return std::make_unique<ReferenceCore>(without);
}

}  // namespace rollover
