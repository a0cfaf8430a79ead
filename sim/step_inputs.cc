#include "sim/step_inputs.h"

#include <algorithm>

#include "sim/content.h"

namespace rollover {
namespace {

// Places in a turn, so that no two of its contents look alike.
constexpr std::uint64_t kPlacesARound = 64;

// `ahead`: messages that the same Step stores before it.
Content MakeContent(const InputFrame& frame, const ContentSpec& spec, Role role,
                    std::uint64_t place, std::uint64_t ahead = 0) {
  return Expand(spec, {.sequence = frame.judge.ledger().next() + ahead,
                       .turn_id = frame.turn_id,
                       .role = role,
                       .cap = frame.options.message_chunk_max_bytes,
                       .limit = frame.max_value_bytes,
                       .place = place});
}

}  // namespace

LoadList LoadsOf(const Movement& queued, const Profile& profile) {
  if (queued.step == StepKind::kStartTurn) return StartTurnLoads(profile);
  if (queued.step == StepKind::kRecordTurnFailure) return RecordTurnFailureLoads(profile);
  return queued.loads;
}

std::uint64_t HandOutsAtMost(const Turn& turn, std::uint64_t faults) {
  return 64 + (2 * turn.rounds.size() + 8) * (faults + 8);
}

Content UserContentFor(const InputFrame& frame) {
  return MakeContent(frame, frame.turn.user, Role::kUser, 0);
}

RunModel RunModelFor(const InputFrame& frame, TurnPlace& place) {
  const auto& rounds = frame.turn.rounds;
  while (place.round < rounds.size() && rounds[place.round].compact && !frame.compaction) {
    ++place.round;  // a core without compaction is never told that the context is too long
  }
  const std::uint64_t reply = place.round * kPlacesARound + 1;
  if (place.round >= rounds.size()) {
    const Content last = MakeContent(frame, {}, Role::kAssistant, reply);
    return {frame.turn_id, ModelReply{last, 0}, 0};
  }
  const Round& round = rounds[place.round];
  if (round.compact) {
    const Sequence last = frame.judge.ledger().next() - 1;
    const Sequence through = last - std::min(last, round.keep);
    place.compact_through = std::max(through, frame.judge.summary().last_sequence);
    return {frame.turn_id, std::nullopt, place.compact_through};
  }
  const Content content = MakeContent(frame, round.reply, Role::kAssistant, reply);
  return {frame.turn_id, ModelReply{content, round.tools.size()}, 0};
}

ResumeTurn ResumeTurnFor(const InputFrame& frame, const TurnPlace& place) {
  ResumeTurn resume{frame.turn_id, {}};
  const Round& round = frame.turn.rounds[place.round];
  for (std::size_t i = 0; i < round.tools.size(); ++i) {
    resume.tool_results.push_back(
        MakeContent(frame, round.tools[i], Role::kTool, place.round * kPlacesARound + 2 + i, i));
  }
  return resume;
}

CompactContext CompactContextFor(const InputFrame& frame, const TurnPlace& place) {
  return {frame.turn_id, place.compact_through, frame.turn.rounds[place.round].summary};
}

}  // namespace rollover
