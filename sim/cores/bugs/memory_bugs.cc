// What a process remembers of commits that never were, and what a retry repeats.
//
// A Core object is one Worker process. It lives on when its result is refused, fenced by a control,
// or undone by the engine's roll-back, and when another Worker commits in between.
#include <algorithm>

#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

class SequenceCore : public Core {
 public:
  explicit SequenceCore(const Options& options)
      : options_(options), inner_(MakeReferenceCore(options)) {}

  StepOutcome Invoke(const Invocation& invocation) override {
    const Session* session = invocation.state.Attribute<Session>(Name::kSession);
    Session remembered = session != nullptr ? *session : Session{};
    const bool ahead = remembered.next_sequence < next_;
    if (!Stores(invocation.input) || !invocation.state.Names(Name::kIndex) || !ahead) {
      return Remember(invocation, inner_->Invoke(invocation));
    }
    remembered.next_sequence = next_;
    FlowState altered = invocation.state.state();
    altered.Apply({Name::kSession, 0, MakeValue(std::move(remembered))});
    const LoadedState state(altered, invocation.state.loads());
    const Invocation inner{
        .input = invocation.input, .attempt = invocation.attempt, .state = state};
    StepOutcome outcome = Remember(inner, inner_->Invoke(inner));
    invocation.state.NoteUnloadedRead(state.unloaded_read());
    return outcome;
  }

  ReadOutcome Read(const ReadRequest& request) override { return inner_->Read(request); }

 private:
  static bool Stores(const StepInput& input) {
    if (const auto* control = std::get_if<ApplyTurnControl>(&input)) {
      return control->control == ControlKind::kSteer;
    }
    if (const auto* model = std::get_if<RunModel>(&input)) return model->reply.has_value();
    return KindOf(input) == StepKind::kStartTurn || KindOf(input) == StepKind::kResumeTurn;
  }

  StepOutcome Remember(const Invocation& invocation, StepOutcome outcome) {
    if (auto* result = std::get_if<StepResult>(&outcome)) {
      next_ = std::max(next_, Draft(invocation, options_, *result).NextAfter());
    }
    return outcome;
  }

  Options options_;
  std::unique_ptr<Core> inner_;
  Sequence next_ = 0;
};

class IndexCacheCore : public Core {
 public:
  explicit IndexCacheCore(const Options& options)
      : options_(options), inner_(MakeReferenceCore(options)) {}

  StepOutcome Invoke(const Invocation& invocation) override {
    StepOutcome outcome = inner_->Invoke(invocation);
    auto* result = std::get_if<StepResult>(&outcome);
    if (result == nullptr) return outcome;
    Draft draft(invocation, options_, *result);
    auto written = draft.WrittenIndex();
    if (!written) return outcome;
    if (cached_) {
      const Index* loaded = draft.IndexBefore();
      Carry(loaded != nullptr ? *loaded : Index{}, *written);
      draft.PutIndex(*cached_);
    } else {
      cached_ = std::move(written);
    }
    return outcome;
  }

  ReadOutcome Read(const ReadRequest& request) override { return inner_->Read(request); }

 private:
  // Makes in the cached index the changes that lead from one index to the other.
  void Carry(const Index& from, const Index& to) {
    const auto lists = [](const Index& index, const ChunkRange& range) {
      return std::find(index.chunks.begin(), index.chunks.end(), range) != index.chunks.end();
    };
    auto& chunks = cached_->chunks;
    for (const ChunkRange& range : from.chunks) {
      if (!lists(to, range)) std::erase(chunks, range);
    }
    for (const ChunkRange& range : to.chunks) {
      if (lists(from, range)) continue;
      const auto place = std::find_if(chunks.begin(), chunks.end(), [&](const ChunkRange& known) {
        return known.first > range.first;
      });
      chunks.insert(place, range);
    }
    cached_->window_start = to.window_start;
    cached_->oldest_kept = to.oldest_kept;
  }

  Options options_;
  std::unique_ptr<Core> inner_;
  std::optional<Index> cached_;
};

template <typename T>
std::unique_ptr<Core> Remembering(const Options& options) {
  return std::make_unique<T>(options);
}

void WriteReplySequenceAgain(Draft& draft) {
  const auto* model = std::get_if<RunModel>(&draft.input());
  if (model == nullptr || !model->reply || draft.attempt() == 1) return;
  draft.Put(Name::kTurnReply, 0, MakeValue(TurnReply{model->turn_id, draft.NextBefore()}));
}

}  // namespace

std::span<const PlantedBug> MemoryBugs() {
  static constexpr PlantedBug bugs[] = {
      {"sequence-from-process-memory",
       "The next sequence is kept in the process, which also counts commits that never happened.",
       Rule::kInOrder, "positional memory: openai/openai-agents-js#701", Remembering<SequenceCore>},
      {"stale-index-cache",
       "The index is written from the process's own copy, though others may have changed it.",
       Rule::kIndexMatchesChunks, "stale writer: google/adk-python#4751",
       Remembering<IndexCacheCore>},
      {"reply-sequence-rewritten-on-retry",
       "A model call that is tried again takes its turn for a new one and writes its start again.",
       Rule::kReplySequenceOnce, "ambiguous commit: dbos-inc/dbos-transact-golang#392",
       WithResult<WriteReplySequenceAgain>},
  };
  return bugs;
}

}  // namespace rollover
