// Retry and process state: what a process remembers of commits that never were, and what a retry
// repeats.
//
// A Core object is one Worker process. It lives on when its result is refused, fenced by a control,
// or undone by the engine's roll-back, and when another Worker commits in between.
#include <algorithm>

#include "model/codec.h"
#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

bool Stores(const StepInput& input) {
  if (const auto* control = std::get_if<ApplyTurnControl>(&input)) {
    return control->control == ControlKind::kSteer;
  }
  if (const auto* model = std::get_if<RunModel>(&input)) return model->reply.has_value();
  return KindOf(input) == StepKind::kStartTurn || KindOf(input) == StepKind::kResumeTurn;
}

Sequence NextOf(const Invocation& invocation) {
  const Session* session = invocation.state.Attribute<Session>(Name::kSession);
  return session != nullptr ? session->next_sequence : 1;
}

class SequenceCore : public Decorator {
 public:
  using Decorator::Decorator;

  StepOutcome Invoke(const Invocation& invocation) override {
    const bool own = Stores(invocation.input) && invocation.state.Names(Name::kIndex) &&
                     NextOf(invocation) < next_;
    StepOutcome outcome = own ? InvokeAt(inner(), invocation, next_) : inner().Invoke(invocation);
    if (auto* result = std::get_if<StepResult>(&outcome)) {
      next_ = std::max(next_, Draft(invocation, options(), *result).NextAfter());
    }
    return outcome;
  }

 private:
  Sequence next_ = 0;
};

// What a Worker sees when its process goes on: has its last commit come about, was it undone, or
// has somebody else committed?
enum class Seen { kCommitted, kNotCommitted, kRolledBack, kOthers };

// The index is written from the process's own copy. `kForgets` says what makes it load the index
// again.
template <bool (*kForgets)(Seen seen)>
class IndexCacheCore : public ResultChanger {
 public:
  using ResultChanger::ResultChanger;

 private:
  void Change(Draft& draft) override {
    if (kForgets(Look(draft.NextBefore()))) cached_.reset();
    before_ = draft.NextBefore();
    after_ = draft.NextAfter();
    auto written = draft.WrittenIndex();
    if (!written) return;
    if (cached_) {
      const Index* loaded = draft.IndexBefore();
      Carry(loaded != nullptr ? *loaded : Index{}, *written);
      draft.PutIndex(*cached_);
    } else {
      cached_ = std::move(written);
    }
  }

  Seen Look(Sequence next) const {
    if (next == after_) return Seen::kCommitted;
    if (next == before_) return Seen::kNotCommitted;
    return next < before_ ? Seen::kRolledBack : Seen::kOthers;
  }

  // Makes in the cached index the changes that lead from one index to the other.
  void Carry(const Index& from, const Index& to) {
    const auto lists = [](const Index& index, const ChunkRange& range) {
      return std::find(index.chunks.begin(), index.chunks.end(), range) != index.chunks.end();
    };
    for (const ChunkRange& range : from.chunks) {
      if (!lists(to, range)) std::erase(cached_->chunks, range);
    }
    for (const ChunkRange& range : to.chunks) {
      if (!lists(from, range)) AddRange(*cached_, range);
    }
    cached_->window_start = to.window_start;
    cached_->oldest_kept = to.oldest_kept;
  }

  std::optional<Index> cached_;
  Sequence before_ = 0;
  Sequence after_ = 0;
};

bool Never(Seen) { return false; }
bool UnlessRefused(Seen seen) { return seen == Seen::kRolledBack || seen == Seen::kOthers; }
bool UnlessRolledBack(Seen seen) { return seen == Seen::kNotCommitted || seen == Seen::kOthers; }

void WriteReplySequenceAgain(Draft& draft) {
  const auto* model = std::get_if<RunModel>(&draft.input());
  if (model == nullptr || !model->reply || draft.attempt() == 1) return;
  draft.Put(Name::kTurnReply, 0, MakeValue(TurnReply{model->turn_id, draft.NextBefore()}));
}

// The engine itself fences the late commit; the process sends its message along with the next one.
class LateReplyCore : public ResultChanger {
 public:
  using ResultChanger::ResultChanger;

 private:
  void Change(Draft& draft) override {
    const Sequence next = draft.NextBefore();
    if (std::holds_alternative<RunModel>(draft.input())) {
      reply_ = draft.WindowAfter().Find(next);
      turn_ = TurnOf(draft.input());
    } else if (draft.step() == StepKind::kFinishTurnCancellation && reply_ &&
               turn_ == TurnOf(draft.input()) && reply_->message().sequence == next) {
      draft.Put(Name::kMessages, next, reply_);
      draft.Put(Name::kSession, 0, MakeValue(Session{next + 1, std::nullopt}));
    }
  }

  ValueRef reply_;
  TurnId turn_;
};

// A new turn starts where the window ends: right, unless the newest message is oversized.
class WindowEndCore : public Decorator {
 public:
  using Decorator::Decorator;

  StepOutcome Invoke(const Invocation& invocation) override {
    const auto* start = std::get_if<StartTurn>(&invocation.input);
    if (start == nullptr) return inner().Invoke(invocation);
    const InstanceMap& window = invocation.state.WholeMap(Name::kMessages);
    const Sequence next = window.empty() ? 1 : window.back().key + 1;
    const std::uint64_t bytes =
        MessageHeaderBytes(next, start->turn_id, Role::kUser) + start->content.encoded().size();
    const bool to_window = AloneBytes(bytes) <= options().message_chunk_max_bytes;
    return to_window ? InvokeAt(inner(), invocation, next) : inner().Invoke(invocation);
  }
};

}  // namespace

std::span<const PlantedBug> MemoryBugs() {
  static constexpr PlantedBug bugs[] = {
      {"sequence-from-process-memory",
       "The next sequence is kept in the process, which also counts commits that never happened.",
       Rule::kInOrder, "positional memory: openai/openai-agents-js#701", Remembering<SequenceCore>},
      {"stale-index-cache",
       "The index is written from the process's own copy, though others may have changed it.",
       Rule::kIndexMatchesChunks, "stale writer: google/adk-python#4751",
       Remembering<IndexCacheCore<Never>>},
      {"cache-kept-after-refusal",
       "The process's copy of the index keeps what a refused or fenced commit would have changed.",
       Rule::kIndexMatchesChunks, "ambiguous commit: dbos-inc/dbos-transact-golang#392",
       Remembering<IndexCacheCore<UnlessRefused>>},
      {"cache-kept-after-roll-back",
       "The process's copy of the index keeps what a crash of the engine has undone.",
       Rule::kIndexMatchesChunks, "async durability: nats-io/nats-server#7564",
       Remembering<IndexCacheCore<UnlessRolledBack>>},
      {"reply-sequence-rewritten-on-retry",
       "A model call that is tried again takes its turn for a new one and writes its start again.",
       Rule::kReplySequenceOnce, "ambiguous commit: dbos-inc/dbos-transact-golang#392",
       WithResult<WriteReplySequenceAgain>},
      {"late-reply-stored-after-cancel",
       "The reply that a cancel was too early for is stored by the commit that ends the turn.",
       Rule::kInOrder, "summary coverage: openclaw/openclaw#35522", Remembering<LateReplyCore>},
      {"next-sequence-from-window",
       "A turn's next sequence is one more than the window's newest, as if no chunk were newer.",
       Rule::kWindowWriteOnce, "sequence from live data: etcd-io/etcd#17780",
       Remembering<WindowEndCore>},
  };
  return bugs;
}

}  // namespace rollover
