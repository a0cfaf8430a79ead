// Judge: hears the history of one session and says which rules it breaks.
//
// Checking is incremental: a commit costs what it touches. Audit() looks at everything from scratch
// and must agree. A Judge is a value: a copy taken at a commit is the way back to it, which is how
// a rolled-back engine takes the ledger, the history and the rules' memory with it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "model/history.h"
#include "model/rules/commit_view.h"
#include "model/rules/ledger.h"
#include "model/rules/rule.h"
#include "model/rules/stored.h"

namespace rollover {

class Judge {
 public:
  // `checks` false: it keeps the books and judges no commit. For benchmarks, which show so what the
  // rules cost.
  explicit Judge(bool checks = true) : checks_(checks) {}

  // A user message was accepted; its turn must end within so many hand-outs of Steps.
  void OnTurnAccepted(const TurnId& turn_id, std::uint64_t hand_outs_max);
  // A Step of this turn was handed to a Worker.
  void OnHandOut(const TurnId& turn_id);
  void OnCommit(const Commit& commit);
  void OnRead(const ReadRecord& read) { OnRead(read, ledger_, upgraded()); }
  // ... that loaded at an earlier commit: against a copy of ledger() and upgraded() taken then.
  void OnRead(const ReadRecord& read, const Ledger& as_of, bool upgraded_then);
  void OnRefusal(const Refusal& refusal);
  void OnFailure(const Failure& failure);
  // A handler read a value that its loads do not name.
  void OnUnloadedRead(StepKind step, const std::string& what);
  // From here on: no faults, small messages, one a commit.
  void OnQuiet(const Options& options);
  // The engine came back at the commit after which `earlier` was copied. Everything goes back with
  // it but the count of evaluations.
  void RollBackTo(const Judge& earlier);
  // Nothing more will come.
  void OnEnd();

  // Everything from scratch, against the engine's own state.
  void Audit(const FlowState& engine_state);

  // Whether anything was broken since the last call of TakeViolations.
  bool has_violations() const { return !findings_.empty(); }
  // What was broken since the last call, the most telling first.
  std::vector<Violation> TakeViolations() { return findings_.TakeViolations(commits_); }
  const std::array<std::uint64_t, kRuleCount>& evaluations() const {
    return findings_.evaluations();
  }

  const Ledger& ledger() const { return ledger_; }
  const Stored& stored() const { return stored_; }
  const std::optional<RunningTurn>& turn() const { return turn_; }
  const Summary& summary() const { return summary_; }
  std::uint64_t commits() const { return commits_; }
  // The bound that `bounded-state` held the last commit that stored or compacted to, in bytes; none
  // where the rule does not apply.
  std::optional<std::uint64_t> state_bound() const { return state_bound_; }
  // Whether the window still holds messages that 0.1.0 stored.
  bool HoldsLegacyMessages() const;
  // Whether some message is outside the window, where 0.1.0 cannot see it.
  bool upgraded() const { return stored_.window().size() != ledger_.next() - 1; }

 private:
  struct AcceptedTurn {
    TurnId turn_id;
    std::uint64_t hand_outs = 0;
    std::uint64_t hand_outs_max = 0;
  };
  struct Quiet {
    std::uint64_t storing_commits = 0;
    // The window's excess + 4, and the commits that the byte cap stopped: a message leaves for
    // every one that comes while the old ones are larger than half the cap.
    std::uint64_t storing_commits_max = 0;
    bool drained = false;
  };

  bool TurnIsLoaded(const Commit& commit) const;
  void AdvanceTurn(const Commit& commit, Sequence first_new);
  void ForgetDeletedPrefix();
  void CheckDraining(const CommitView& view);
  void EndTurn(const TurnId& turn_id);

  bool checks_ = true;
  Findings findings_;
  Ledger ledger_;
  Stored stored_;
  Summary summary_;
  std::optional<RunningTurn> turn_;
  std::deque<AcceptedTurn> accepted_;  // not ended yet
  std::optional<Quiet> quiet_;
  Sequence legacy_until_ = 0;             // newest message that 0.1.0 stored
  std::uint64_t largest_chunk_size_ = 0;  // of every commit's options
  std::optional<std::uint64_t> state_bound_;
  std::uint64_t commits_ = 0;
};

}  // namespace rollover
