// reply-sequence-once, reply-count, model-input: what a turn tells the world.
#include <fmt/format.h>

#include "model/rules/commit_view.h"

namespace rollover {
namespace {

bool StoresUserMessage(const StepInput& input) {
  if (const auto* control = std::get_if<ApplyTurnControl>(&input)) {
    return control->control == ControlKind::kSteer;
  }
  return KindOf(input) == StepKind::kStartTurn;
}

void CheckReplySequence(const CommitView& view, Findings& findings) {
  const auto& write = view.change().turn_reply;
  const bool due = !view.legacy() && StoresUserMessage(view.commit.input);
  if (due || write) findings.Evaluated(Rule::kReplySequenceOnce);
  if (due != write.has_value()) {
    findings.Broken(Rule::kReplySequenceOnce,
                    fmt::format("TurnReplySequence is {}written by {}", due ? "not " : "",
                                StepName(view.commit.step())));
    return;
  }
  if (!due) return;
  const TurnReply* reply = write->after ? write->after->as<TurnReply>() : nullptr;
  const TurnReply expected{view.turn_after->turn_id, view.turn_after->first + 1};
  if (reply != nullptr && *reply == expected) return;
  findings.Broken(
      Rule::kReplySequenceOnce,
      fmt::format("TurnReplySequence names {} at {}; it is {} at {}",
                  reply != nullptr ? reply->turn_id : "nothing",
                  reply != nullptr ? reply->sequence : 0, expected.turn_id, expected.sequence));
}

// The event that ends the turn in this commit, if the Step ends it.
std::optional<EventKind> DueEvent(const StepInput& input) {
  if (const auto* model = std::get_if<RunModel>(&input)) {
    if (model->reply && model->reply->tool_calls == 0) return EventKind::kTurnCompleted;
  }
  if (const auto* control = std::get_if<ApplyTurnControl>(&input)) {
    if (control->control == ControlKind::kSteer) return EventKind::kTurnSteered;
  }
  if (std::holds_alternative<FinishTurnCancellation>(input)) return EventKind::kTurnCancelled;
  if (std::holds_alternative<RecordTurnFailure>(input)) return EventKind::kTurnFailed;
  return std::nullopt;
}

// The turn's replies at its end: before a steer's new message, after a completion's reply.
std::uint64_t DueReplies(const CommitView& view) {
  if (!view.turn_before) return 0;
  const bool completes = view.commit.step() == StepKind::kRunModel;
  return view.turn_before->replies + (completes ? 1 : 0);
}

void CheckReplyCount(const CommitView& view, Findings& findings) {
  const auto due = DueEvent(view.commit.input);
  std::size_t ends = 0;
  for (const Event& event : view.commit.result.events) {
    if (event.kind == EventKind::kWarning) continue;
    ++ends;
    if (event.kind != due || event.turn_id != TurnOf(view.commit.input)) {
      findings.Broken(Rule::kReplyCount, fmt::format("{} of {} by {}", EventName(event.kind),
                                                     event.turn_id, StepName(view.commit.step())));
      continue;
    }
    if (event.kind == EventKind::kTurnFailed) continue;
    // A turn that 0.1.0 started is counted by what is loaded; beyond that it cannot be judged.
    if (!view.turn_was_loaded) continue;
    findings.Evaluated(Rule::kReplyCount);
    if (event.replies != DueReplies(view)) {
      findings.Broken(Rule::kReplyCount,
                      fmt::format("{} of {} counts {} replies; there are {}", EventName(event.kind),
                                  event.turn_id, event.replies, DueReplies(view)));
    }
  }
  if (due && ends != 1) {
    findings.Broken(Rule::kReplyCount,
                    fmt::format("{} is announced {} times", EventName(*due), ends));
  }
}

std::string Describe(const SequenceRuns& input) {
  std::string text;
  for (const ChunkRange& run : input.runs()) {
    text += fmt::format("{}{}..{}", text.empty() ? "" : " ", run.first, run.last);
  }
  return text.empty() ? "nothing" : text;
}

void CheckModelInput(const CommitView& view, Findings& findings) {
  const auto* model = std::get_if<RunModel>(&view.commit.input);
  const bool due = model != nullptr && model->reply.has_value();
  const auto& input = view.commit.result.model_input;
  if (!due && !input) return;
  findings.Evaluated(Rule::kModelInput);
  if (due != input.has_value()) {
    findings.Broken(Rule::kModelInput, due ? "the model was not called" : "the model was called");
    return;
  }
  const bool all = !view.commit.compaction() && !view.legacy();
  const Sequence first =
      all ? view.kept_before : std::max(view.kept_before, view.summary_before.last_sequence + 1);
  SequenceRuns expected;
  if (first < view.first_new) expected.Append(first, view.first_new - 1);
  if (*input == expected) return;
  findings.Broken(Rule::kModelInput, fmt::format("the model saw {}; it should see {}",
                                                 Describe(*input), Describe(expected)));
}

}  // namespace

void CheckTurn(const CommitView& view, Findings& findings) {
  CheckReplySequence(view, findings);
  CheckReplyCount(view, findings);
  CheckModelInput(view, findings);
}

}  // namespace rollover
