// CommitView: one commit, with everything the rules may ask about it.
//
// The judge makes it once a commit; each rule is a function of it. "before" and "after" are the
// commit's; what is expected comes from the Step's input and the ledger, never from what was
// written.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/history.h"
#include "model/rules/ledger.h"
#include "model/rules/rule.h"
#include "model/rules/stored.h"

namespace rollover {

// The turn in progress, as far as the rules must remember it.
struct RunningTurn {
  TurnId turn_id;
  Sequence first = 1;         // its user message
  std::uint64_t replies = 0;  // its messages since
  bool by_legacy = false;     // 0.1.0 stored its user message
};

struct CommitView {
  const Commit& commit;
  const Ledger& ledger;           // this commit's messages included
  const Stored& stored;           // after the commit
  Sequence first_new = 1;         // next sequence before the commit
  Sequence kept_before = 1;       // oldest kept sequence before the commit
  const Summary& summary_before;  // as the inputs say; last_sequence 0: none
  const Summary& summary_after;
  const std::optional<RunningTurn>& turn_before;
  const std::optional<RunningTurn>& turn_after;
  bool migrating = false;        // 0.1.0 messages were in the window before
  bool upgraded_before = false;  // some message was outside the window before
  bool turn_was_loaded = true;   // every message of the running turn was loaded by this Step
  // The largest message_chunk_size that a commit of this session ran with, this one included: no
  // stored chunk may hold more.
  std::uint64_t largest_chunk_size = 0;
  // What `bounded-state` holds the commit to, in bytes; none where it does not apply.
  std::optional<std::uint64_t> state_bound{};

  const Change& change() const { return stored.change(); }
  Sequence next() const { return ledger.next(); }
  bool stores() const { return next() > first_new; }
  bool compacts() const { return commit.step() == StepKind::kCompactContext; }
  bool touches_chunks() const {
    return !change().chunk_puts.empty() || !change().chunk_deletes.empty();
  }
  bool legacy() const { return commit.profile.legacy; }
  std::optional<std::uint64_t> limit() const { return commit.options.retained_message_limit; }

  // A chunk that an oversized store wrote, rather than one that was moved out of the window.
  bool IsOversizedStore(const ChunkPut& put) const;
  // The others, ascending.
  std::vector<ChunkPut> MovedChunks() const;
  // Whether the next run would have taken the commit over what it may move, in bytes.
  bool StoppedByBytes() const;
};

// What bounds a chunk of several messages, in bytes, and a message that is not oversized: the
// option, and, where the Worker was told of it, the largest value that the engine takes.
std::uint64_t CapOf(const Options& options);

// Of everything else that the view says.
std::optional<std::uint64_t> StateBound(const CommitView& view);

// One function a family; each reports under the names of its rules.
void CheckStorage(const CommitView& view, Findings& findings);    // storage_rules.cc
void CheckChunks(const CommitView& view, Findings& findings);     // chunk_rules.cc
void CheckIndex(const CommitView& view, Findings& findings);      // index_rules.cc
void CheckRetention(const CommitView& view, Findings& findings);  // retention_rules.cc
void CheckTurn(const CommitView& view, Findings& findings);       // turn_rules.cc
void CheckMovement(const CommitView& view, Findings& findings);   // movement_rules.cc
void CheckUpgrade(const CommitView& view, Findings& findings);    // upgrade_rules.cc

// Any read, against the kept log.
void CheckRead(const ReadRecord& read, const Ledger& ledger, bool upgraded, Findings& findings);

}  // namespace rollover
