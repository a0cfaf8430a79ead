// What the harness supplies to a Step: its input, from the scenario's turn and what is stored.
#include <fmt/format.h>

#include <algorithm>

#include "sim/world.h"

namespace rollover {
namespace {

// Places in a turn, so that no two of its contents look alike.
constexpr std::uint64_t kPlacesARound = 64;

}  // namespace

World::TurnMemory& World::Memory(std::uint64_t turn) {
  CHECK(turn >= turns_first_ && turn - turns_first_ < turns_.size());
  return turns_[turn - turns_first_];
}

// A Step that a movement queued has the loads that it lists; the others have static ones, which are
// those of the Worker that takes it.
LoadList World::QueuedLoads() const {
  const Movement& queued = engine_.queued();
  const Profile profile = ProfileOf(ActiveKind());
  if (queued.step == StepKind::kStartTurn) return StartTurnLoads(profile);
  if (queued.step == StepKind::kRecordTurnFailure) return RecordTurnFailureLoads(profile);
  return queued.loads;
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
      return MakeRunModel(memory);
    case StepKind::kResumeTurn: {
      ResumeTurn resume{turn_id, {}};
      const Round& round = memory.turn.rounds[current.round];
      for (std::size_t i = 0; i < round.tools.size(); ++i) {
        resume.tool_results.push_back(MakeContent(round.tools[i], Role::kTool, current.turn,
                                                  current.round * kPlacesARound + 2 + i, i));
      }
      return resume;
    }
    case StepKind::kCompactContext:
      return CompactContext{turn_id, current.compact_through,
                            memory.turn.rounds[current.round].summary};
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

RunModel World::MakeRunModel(const TurnMemory& memory) {
  Current& current = *progress_.current;
  const auto& rounds = memory.turn.rounds;
  const bool compaction = options_.compaction && ProfileOf(ActiveKind()).compaction;
  while (current.round < rounds.size() && rounds[current.round].compact && !compaction) {
    ++current.round;  // a core without compaction is never told that the context is too long
  }
  if (current.round >= rounds.size()) {
    const ContentSpec last{};
    const Content content =
        MakeContent(last, Role::kAssistant, current.turn, current.round * kPlacesARound + 1);
    return {memory.turn_id, ModelReply{content, 0}, 0};
  }
  const Round& round = rounds[current.round];
  if (round.compact) {
    const Sequence last = judge_.ledger().next() - 1;
    const Sequence through = last - std::min(last, round.keep);
    current.compact_through = std::max(through, judge_.summary().last_sequence);
    return {memory.turn_id, std::nullopt, current.compact_through};
  }
  const Content content =
      MakeContent(round.reply, Role::kAssistant, current.turn, current.round * kPlacesARound + 1);
  return {memory.turn_id, ModelReply{content, round.tools.size()}, 0};
}

// A user's message does not change when its turn has to start again.
const Content& World::UserContent(std::uint64_t turn) {
  auto& user = Memory(turn).user;
  if (!user) user = MakeContent(Memory(turn).turn.user, Role::kUser, turn, 0);
  return *user;
}

Content World::MakeContent(const ContentSpec& spec, Role role, std::uint64_t turn,
                           std::uint64_t place, std::uint64_t ahead) {
  return Expand(spec, {.sequence = judge_.ledger().next() + ahead,
                       .turn_id = Memory(turn).turn_id,
                       .role = role,
                       .cap = options_.message_chunk_max_bytes,
                       .limit = engine_.limits().max_value_bytes,
                       .place = place});
}

}  // namespace rollover
