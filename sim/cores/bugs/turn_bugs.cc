// Turns: their messages, what is announced of them, what the model sees.
#include <nlohmann/json.hpp>
#include <utility>

#include "model/codec.h"
#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

void SkipChunksOfOne(Draft& draft) {
  auto& input = draft.result().model_input;
  if (!input || !draft.loaded().Names(Name::kChunks)) return;
  SequenceRuns seen;
  const std::vector<ValueRef> chunks = draft.loaded().Chunks();
  for (const ChunkRange& run : input->runs()) {
    Sequence from = run.first;
    for (const ValueRef& chunk : chunks) {
      const ChunkRange range = RangeOf(chunk);
      if (range.first != range.last || range.first < from || range.last > run.last) continue;
      if (from < range.first) seen.Append(from, range.first - 1);
      from = range.first + 1;
    }
    if (from <= run.last) seen.Append(from, run.last);
  }
  input = seen;
}

void MoveSingleMessages(Draft& draft) {
  draft.RollOverAgain([](const InstanceMap& window, const Options&) {
    return std::vector<ValueRef>{window.front().value};
  });
}

// Strings only, and only where the message still fits the window.
void EncodeContentsAgain(Draft& draft) {
  for (const auto& instance : draft.WindowAfter()) {
    if (!draft.Writes(Name::kMessages, instance.key)) continue;
    Message message = instance.value->message();
    const auto content = nlohmann::json::parse(message.content.encoded());
    if (!content.is_string()) continue;
    message.content = Content(content.dump(-1, ' ', /*ensure_ascii=*/true));
    const ValueRef again = MakeValue(std::move(message));
    if (AloneBytes(again->encoded_bytes()) > draft.options().message_chunk_max_bytes) continue;
    draft.Put(Name::kMessages, instance.key, again);
  }
}

StepOutcome RefuseOversized(const Invocation& invocation, const Options& options,
                            StepOutcome outcome) {
  auto* result = std::get_if<StepResult>(&outcome);
  if (result == nullptr) return outcome;
  if (Draft(invocation, options, *result).OversizedStores().empty()) return outcome;
  return StepFailure{"a message is larger than a chunk", false};
}

void CountTheNewMessage(Draft& draft) {
  for (Event& event : draft.result().events) {
    if (event.kind == EventKind::kTurnSteered) ++event.replies;
  }
}

void WriteSessionAlways(Draft& draft) {
  const Session* session = draft.loaded().Attribute<Session>(Name::kSession);
  if (session == nullptr || draft.Writes(Name::kSession, 0)) return;
  draft.Put(Name::kSession, 0, MakeValue(*session));
}

void WriteNewestAgain(Draft& draft) {
  if (draft.step() != StepKind::kStartTurn) return;
  const Sequence newest = draft.NextBefore() - 1;
  if (const ValueRef message = draft.WindowAfter().Find(newest)) {
    draft.Put(Name::kMessages, newest, message);
  }
}

// Knows an index that it wrote itself by its place in memory, which behind a wire it never does.
class SameObjectCore : public ResultChanger {
 public:
  using ResultChanger::ResultChanger;

 private:
  void Change(Draft& draft) override {
    const bool own = written_ && draft.IndexBefore() != nullptr &&
                     draft.loaded().state().Map(Name::kIndex).front().value == written_;
    auto& next = draft.result().next;
    if (next && own) std::swap(next->loads[0], next->loads[1]);
    for (const Write& write : draft.result().writes) {
      if (write.name == Name::kIndex) written_ = write.value;
    }
  }

  ValueRef written_;
};

}  // namespace

std::span<const PlantedBug> TurnBugs() {
  static constexpr PlantedBug bugs[] = {
      {"model-input-misses-oversized",
       "A chunk whose first and last sequence are the same is taken for empty by the model input.",
       Rule::kModelInput, "torn read: dapr/dapr#10058", WithResult<SkipChunksOfOne>},
      {"single-message-rolled-over",
       "The one message too many leaves the window, instead of a full run.", Rule::kFullRuns,
       "write amplification", WithResult<MoveSingleMessages>},
      {"content-encoded-again",
       "A content is parsed and written anew, with other escapes for the same characters.",
       Rule::kInOrder, "bytes vs characters: Expensify/App#13988", WithResult<EncodeContentsAgain>},
      {"newest-message-written-again",
       "A turn begins by writing the newest message once more, in case it was not written.",
       Rule::kWindowWriteOnce, "ambiguous commit: dbos-inc/dbos-transact-golang#392",
       WithResult<WriteNewestAgain>},
      {"oversized-message-refused",
       "A message that is larger than a chunk fails its turn, though the engine would take it.",
       Rule::kNoWedge, "limit wedges: restatedev/restate#4141", WithOutcome<RefuseOversized>},
      {"steer-counts-the-new-message",
       "A steered turn is counted after the next turn's message was stored, as one of its replies.",
       Rule::kReplyCount, "turn counters: MoonshotAI/kimi-code#833",
       WithResult<CountTheNewMessage>},
      {"session-written-unchanged", "AgentSession is written by each Step, changed or not.",
       Rule::kSessionState, "write amplification", WithResult<WriteSessionAlways>},
      {"same-object-taken-for-same-value",
       "The order of a load list hangs on whether the index is the very object that was written.",
       Rule::kDeterministic, "stale writer: a cache keyed by identity",
       Remembering<SameObjectCore>},
  };
  return bugs;
}

}  // namespace rollover
