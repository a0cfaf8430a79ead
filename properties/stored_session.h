// StoredSession: what storage functions see of a session, without engine, core or Steps, beside a
// flat list of what was stored. For the properties that call those functions directly.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/protocol/storage.h"
#include "properties/arbitrary.h"

namespace rollover {

// The commits that made a session: each stores messages of so many bytes, or compacts up to so many
// messages before the newest.
struct StorageStep {
  std::vector<std::uint64_t> message_bytes{};
  std::uint64_t keep = 0;  // counts when nothing is stored
};

struct StorageCase {
  Options options{};
  std::vector<StorageStep> steps{};
  // What is to be stored next; or, for a retry, this one time and that the other.
  std::vector<std::uint64_t> batch{};
  std::vector<std::uint64_t> other_batch{};
  std::vector<std::int64_t> limits{};  // of pages, in turn
};
std::string ToText(const StorageCase& storage);
rc::Gen<StorageCase> StorageCases();

class StoredSession {
 public:
  explicit StoredSession(const StorageCase& storage);

  // What a commit would write.
  StorageChange Change(std::span<const std::uint64_t> message_bytes) const;
  void Store(std::span<const std::uint64_t> message_bytes);
  // Commits that store nothing, until nothing is left to roll over or delete.
  void Drain();

  const Options& options() const { return options_; }
  const FlowState& state() const { return state_; }
  Sequence next() const { return ledger_.size() + 1; }
  Sequence oldest_kept() const;
  std::vector<ValueRef> Kept() const;
  // Empty when what is kept is the end of what was stored, from the oldest kept message on.
  std::string Wrong() const;

 private:
  StorageView View() const;
  void Apply(const StorageChange& change);

  Options options_;
  FlowState state_;
  std::vector<ValueRef> ledger_;
  Sequence summary_ = 0;
};

}  // namespace rollover
