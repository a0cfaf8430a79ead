// Draft: a result between the core that made it and the engine, open to change.
//
// What a bug asks of a result (what did it move, what follows from it) and the changes that keep
// the rest of it consistent: a planted bug makes its own mistake and no other.
#pragma once

#include <optional>
#include <vector>

#include "model/protocol/core.h"

namespace rollover {

// Which of the window's messages leave it together: one or more of the oldest.
using CutRunOf = std::vector<ValueRef> (*)(const InstanceMap& window, const Options& options);

class Draft {
 public:
  Draft(const Invocation& invocation, const Options& options, StepResult& result)
      : invocation_(invocation), options_(options), result_(result) {}

  const StepInput& input() const { return invocation_.input; }
  StepKind step() const { return invocation_.step(); }
  std::uint32_t attempt() const { return invocation_.attempt; }
  const LoadedState& loaded() const { return invocation_.state; }
  const Options& options() const { return options_; }
  StepResult& result() { return result_; }

  // Before the commit, as loaded. An index or reply sequence that was not loaded is none.
  Sequence NextBefore() const;
  const Index* IndexBefore() const;
  const TurnReply* TurnReplyBefore() const;
  const InstanceMap& WindowBefore() const { return loaded().WholeMap(Name::kMessages); }

  // After it.
  Sequence NextAfter() const;
  Sequence SummaryLastAfter() const;
  InstanceMap WindowAfter() const;
  bool StoresOrCompacts() const;

  std::optional<Index> WrittenIndex() const;
  Index IndexAfter() const;
  bool Writes(Name name, Key key) const;
  bool TouchesChunks() const;
  // The chunks that left the window, in order; not the oversized stores.
  std::vector<ValueRef> MovedChunks() const;
  // The messages of the oversized stores.
  std::vector<ValueRef> OversizedStores() const;

  // Changes.
  void Put(Name name, Key key, ValueRef value);  // in place of what was written there
  void Delete(Name name, Key key);
  void Drop(Name name, Key key);  // neither written nor deleted after all
  void PutIndex(Index index);
  // The window's message leaves it: deleted, or never written, whichever this commit needs.
  void TakeFromWindow(const ValueRef& message);
  void ReturnToWindow(const ValueRef& message);
  // The oldest of the window after it, as a chunk.
  void MoveRun(std::vector<ValueRef> run);
  // Undoes what the core moved, and cuts runs anew, within the caps of a commit.
  void UndoRollover();
  void RollOverAgain(CutRunOf cut);
  // This index, its window_start and oldest_kept as the commit now leaves them, unless it touches
  // no chunk; and the loads that follow from it.
  void Settle(Index index);
  // Lists loads again, from the index and the summary as the commit now leaves them.
  void RefreshMovement();

 private:
  const Write* Find(Name name, Key key) const;
  bool IsOversizedStore(const Write& write) const;

  const Invocation& invocation_;
  const Options& options_;
  StepResult& result_;
};

ChunkRange RangeOf(const ValueRef& chunk);
ChunkRange* RangeAt(Index& index, Sequence first);  // null: not listed
void AddRange(Index& index, const ChunkRange& range);

}  // namespace rollover
