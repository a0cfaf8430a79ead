// What the harness supplies to a Step: its input, from the scenario's turn and what is stored.
#include "sim/world.h"

namespace rollover {

World::TurnMemory& World::Memory(std::uint64_t turn) {
  CHECK(turn >= turns_first_ && turn - turns_first_ < turns_.size());
  return *turns_[turn - turns_first_];
}

const StepInput& World::Input() {
  if (!input_) input_ = MakeInput(engine_.queued().step);
  return *input_;
}

StepInput World::MakeInput(StepKind step) {
  Current& current = *progress_.current;
  TurnMemory& memory = Memory(current.turn);
  const TurnId& turn_id = memory.turn_id;
  switch (step) {
    case StepKind::kStartTurn:
      return StartTurn{turn_id, UserContent(current.turn)};
    case StepKind::kRunModel:
      return RunModelFor(FrameOf(memory), current.place);
    case StepKind::kResumeTurn:
      return ResumeTurnFor(FrameOf(memory), current.place);
    case StepKind::kCompactContext:
      return CompactContextFor(FrameOf(memory), current.place);
    case StepKind::kApplyTurnControl: {
      ApplyTurnControl control{turn_id, current.control, {}, {}};
      if (current.control == ControlKind::kSteer) {
        control.new_turn_id = Memory(current.steered_to).turn_id;
        control.content = UserContent(current.steered_to);
      }
      return control;
    }
    case StepKind::kFinishTurnCancellation:
      return FinishTurnCancellation{turn_id};
    case StepKind::kRecordTurnFailure:
      break;
  }
  return RecordTurnFailure{turn_id, current.failure};
}

InputFrame World::FrameOf(const TurnMemory& memory) const {
  return {.turn = memory.turn,
          .turn_id = memory.turn_id,
          .judge = judge_,
          .options = options_,
          .max_value_bytes = engine_.limits().max_value_bytes,
          .compaction = options_.compaction && ProfileOf(ActiveKind()).compaction};
}

// A user's message does not change when its turn has to start again.
const Content& World::UserContent(std::uint64_t turn) {
  TurnMemory& memory = Memory(turn);
  if (!memory.user) memory.user = UserContentFor(FrameOf(memory));
  return *memory.user;
}

}  // namespace rollover
