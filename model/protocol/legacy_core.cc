// The 0.1.0 core: every message is an AgentMessages instance, for ever.
//
// No chunks, no index, no reply sequence. It fails a turn when any message is missing from what it
// loaded, which is what keeps a 0.1.0 Worker on an upgraded session from doing harm (assumption
// A-legacy-check). RecordTurnFailure does not look: a failure must be recordable.
#include "model/protocol/core.h"
#include "model/protocol/loads.h"
#include "model/protocol/paging.h"

namespace rollover {
namespace {

class LegacyHandler {
 public:
  explicit LegacyHandler(const LoadedState& state)
      : window_(state.WholeMap(Name::kMessages)),
        summary_(state.Attribute<Summary>(Name::kSummary)) {
    if (const Session* session = state.Attribute<Session>(Name::kSession)) session_ = *session;
    next_sequence_ = session_.next_sequence;
  }

  // Keys are distinct and below next_sequence, so the count tells.
  bool MissesMessages() const { return window_.size() != session_.next_sequence - 1; }

  StepOutcome Run(const StartTurn& step) {
    Store(step.turn_id, Role::kUser, step.content);
    WriteSession(step.turn_id);
    return MoveTo(StepKind::kRunModel);
  }

  StepOutcome Run(const RunModel& step) {
    if (!step.reply) return MoveTo(StepKind::kCompactContext);
    const Sequence after = summary_ != nullptr ? summary_->last_sequence : 0;
    result_.model_input.emplace();
    if (after + 1 < next_sequence_) result_.model_input->Append(after + 1, next_sequence_ - 1);
    Store(step.turn_id, Role::kAssistant, step.reply->content);
    if (step.reply->tool_calls > 0) {
      WriteSession(step.turn_id);
      return MoveTo(StepKind::kResumeTurn);
    }
    return EndTurn(EventKind::kTurnCompleted, step.turn_id);
  }

  StepOutcome Run(const ResumeTurn& step) {
    for (const Content& content : step.tool_results) Store(step.turn_id, Role::kTool, content);
    WriteSession(step.turn_id);
    return MoveTo(StepKind::kRunModel);
  }

  StepOutcome Run(const CompactContext& step) {
    result_.writes.push_back({Name::kSummary, 0, MakeValue(Summary{step.through, step.text})});
    return MoveTo(StepKind::kRunModel);
  }

  StepOutcome Run(const ApplyTurnControl& step) {
    if (step.control == ControlKind::kCancel) return MoveTo(StepKind::kFinishTurnCancellation);
    AddEndEvent(EventKind::kTurnSteered, step.turn_id);
    Store(step.new_turn_id, Role::kUser, step.content);
    WriteSession(step.new_turn_id);
    return MoveTo(StepKind::kRunModel);
  }

  StepOutcome Run(const FinishTurnCancellation& step) {
    return EndTurn(EventKind::kTurnCancelled, step.turn_id);
  }

  StepOutcome Run(const RecordTurnFailure& step) {
    result_.events.push_back({.kind = EventKind::kTurnFailed, .turn_id = step.turn_id});
    WriteSession(std::nullopt);
    return std::move(result_);
  }

 private:
  void Store(const TurnId& turn_id, Role role, const Content& content) {
    const Sequence sequence = next_sequence_++;
    result_.writes.push_back(
        {Name::kMessages, sequence, MakeValue(Message{sequence, turn_id, role, content})});
  }

  void WriteSession(std::optional<TurnId> turn_id) {
    Session after{next_sequence_, std::move(turn_id)};
    if (after == session_) return;
    result_.writes.push_back({Name::kSession, 0, MakeValue(std::move(after))});
  }

  void AddEndEvent(EventKind kind, const TurnId& turn_id) {
    std::uint64_t replies = next_sequence_ - session_.next_sequence;
    for (const auto& instance : window_) {
      const Message& message = instance.value->message();
      if (message.turn_id == turn_id && message.role != Role::kUser) ++replies;
    }
    result_.events.push_back({.kind = kind, .turn_id = turn_id, .replies = replies});
  }

  StepOutcome EndTurn(EventKind kind, const TurnId& turn_id) {
    AddEndEvent(kind, turn_id);
    WriteSession(std::nullopt);
    return std::move(result_);
  }

  StepOutcome MoveTo(StepKind step) {
    result_.next = Movement{step, LegacyLoads(), LegacyLoads()};
    return std::move(result_);
  }

  const InstanceMap& window_;
  const Summary* summary_;
  Session session_;
  Sequence next_sequence_ = 1;
  StepResult result_;
};

class LegacyCore : public Core {
 public:
  StepOutcome Invoke(const Invocation& invocation) override {
    LegacyHandler handler(invocation.state);
    if (invocation.step() != StepKind::kRecordTurnFailure && handler.MissesMessages()) {
      return StepFailure{"messages are missing", false};
    }
    return std::visit([&](const auto& input) { return handler.Run(input); }, invocation.input);
  }

  ReadOutcome Read(const ReadRequest& request) override {
    const LegacyHandler handler(request.state);
    if (handler.MissesMessages()) return ReadRefusal{"messages are missing"};
    return ReadPage(request.arguments, KeptLog({}, request.state.WholeMap(Name::kMessages)));
  }
};

}  // namespace

// 0.1.0 has none of the options.
std::unique_ptr<Core> MakeLegacyCore(const Options&) { return std::make_unique<LegacyCore>(); }

}  // namespace rollover
