#include "model/step.h"

#include <array>

namespace rollover {
namespace {

constexpr std::array<std::string_view, kStepKindCount> kStepNames = {
    "StartTurn",        "RunModel",         "ResumeTurn",
    "CompactContext",   "ApplyTurnControl", "FinishTurnCancellation",
    "RecordTurnFailure"};

}  // namespace

std::string_view StepName(StepKind kind) { return kStepNames.at(static_cast<std::size_t>(kind)); }

std::optional<StepKind> StepNamed(std::string_view name) {
  for (std::size_t i = 0; i < kStepNames.size(); ++i) {
    if (kStepNames[i] == name) return static_cast<StepKind>(i);
  }
  return std::nullopt;
}

const TurnId& TurnOf(const StepInput& input) {
  return std::visit([](const auto& step) -> const TurnId& { return step.turn_id; }, input);
}

std::string_view EventName(EventKind kind) {
  constexpr std::array<std::string_view, 5> names = {"turn_completed", "turn_steered",
                                                     "turn_cancelled", "turn_failed", "warning"};
  return names.at(static_cast<std::size_t>(kind));
}

void SequenceRuns::Append(Sequence sequence) { Append(sequence, sequence); }

void SequenceRuns::Append(Sequence first, Sequence last) {
  if (!runs_.empty() && runs_.back().last + 1 == first) {
    runs_.back().last = last;
  } else {
    runs_.push_back({first, last});
  }
}

}  // namespace rollover
