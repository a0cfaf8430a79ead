// Upgrade: sessions, turns and messages that 0.1.0 left behind.
#include <algorithm>
#include <string>

#include "model/protocol/loads.h"
#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

// As the keys of a map come when they are sorted as text: 1, 10, 11, 2.
void OrderAsText(Draft& draft) {
  auto& input = draft.result().model_input;
  if (!input || draft.IndexBefore() != nullptr) return;
  std::vector<std::string> keys;
  for (const ChunkRange& run : input->runs()) {
    for (Sequence s = run.first; s <= run.last; ++s) keys.push_back(std::to_string(s));
  }
  std::sort(keys.begin(), keys.end());
  input.emplace();
  for (const std::string& key : keys) input->Append(std::stoull(key));
}

// With an index: its chunks, and a window of the size that a window has.
void HideTheRestOfTheWindow(const ReadRequest& request, const Options& options, Page& page) {
  const InstanceMap& window = request.state.WholeMap(Name::kMessages);
  if (request.state.Attribute<Index>(Name::kIndex) == nullptr ||
      window.size() <= options.message_window_size) {
    return;
  }
  const Sequence shown = window[window.size() - options.message_window_size].key;
  std::erase_if(page.messages, [&](const ValueRef& message) {
    const Sequence sequence = message->message().sequence;
    return sequence < shown && window.Find(sequence);
  });
}

// Its turn has no TurnReplySequence: only what this commit stores is counted.
void CountWithoutScan(Draft& draft) {
  const TurnReply* reply = draft.TurnReplyBefore();
  if (reply != nullptr && reply->turn_id == TurnOf(draft.input())) return;
  for (Event& event : draft.result().events) {
    if (event.kind == EventKind::kTurnFailed || event.kind == EventKind::kWarning) continue;
    event.replies = event.kind == EventKind::kTurnCompleted ? 1 : 0;
  }
}

// The path of a session without an index: a message that no chunk can take undoes the whole
// rollover.
void SkipWhereOversized(Draft& draft) {
  if (draft.IndexBefore() != nullptr) return;
  const std::vector<ValueRef> moved = draft.MovedChunks();
  const bool skips = std::any_of(moved.begin(), moved.end(), [&](const ValueRef& chunk) {
    return chunk->encoded_bytes() > draft.options().message_chunk_max_bytes;
  });
  if (skips) draft.UndoRollover();
}

// Instead of turning down what it cannot see all of, a 0.1.0 Worker starts the turn.
StepOutcome StartUnseeing(const Invocation& invocation, const Options&, StepOutcome outcome) {
  const auto* start = std::get_if<StartTurn>(&invocation.input);
  if (start == nullptr || std::holds_alternative<StepResult>(outcome)) return outcome;
  const Sequence next = invocation.state.Attribute<Session>(Name::kSession)->next_sequence;
  const Message message{next, start->turn_id, Role::kUser, start->content};
  const Session session{next + 1, start->turn_id};
  return StepResult{.writes = {{Name::kMessages, next, MakeValue(message)},
                               {Name::kSession, 0, MakeValue(session)}},
                    .events = {},
                    .next = Movement{StepKind::kRunModel, LegacyLoads(), LegacyLoads()},
                    .model_input = {}};
}

}  // namespace

std::span<const PlantedBug> UpgradeBugs() {
  static constexpr PlantedBug bugs[] = {
      {"legacy-messages-ordered-as-text",
       "The model gets a 0.1.0 session's messages in the order of their keys as text: 1, 10, 2.",
       Rule::kModelInput, "positional memory: keys of a map are strings", WithResult<OrderAsText>},
      {"new-layout-hides-the-rest",
       "Once an index exists, pages hold its chunks and one window, and nothing that waits to "
       "move.",
       Rule::kPageExact, "migration: backuppc/backuppc#529", WithPage<HideTheRestOfTheWindow>},
      {"reply-count-of-legacy-turn",
       "A turn that 0.1.0 started has no reply sequence, and its earlier replies go uncounted.",
       Rule::kReplyCount, "turn counters: MoonshotAI/kimi-code#833", WithResult<CountWithoutScan>},
      {"legacy-oversized-skipped",
       "A message above the cap makes the first migration commit move nothing, again and again.",
       Rule::kMigrationBounded, "limit wedges: tldraw/tldraw#10133",
       WithResult<SkipWhereOversized>},
      {"legacy-worker-does-not-look",
       "A 0.1.0 Worker that is still up after the upgrade starts turns on what it can see.",
       Rule::kUpgradeSafe, "migration: openai/openai-agents-python#4729",
       WithLegacyOutcome<StartUnseeing>, CoreKind::kLegacy},
  };
  return bugs;
}

}  // namespace rollover
