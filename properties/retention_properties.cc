// Retention: what may go goes, and nothing else.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/protocol/retention.h"
#include "properties/rules_hold.h"
#include "properties/stored_session.h"

namespace rollover {
namespace {

TEST(Retention, RulesHold) {
  ExpectRulesHold(
      {.faults = Kills(), .compaction_odds = {1, 2}},
      {Rule::kNeverDeletes, Rule::kRetentionSafe, Rule::kRetentionDone, Rule::kBoundedState});
}

// A lower limit deletes what a higher one does, and more; no limit deletes nothing.
TEST(Retention, ALowerLimitDeletesNoLess) {
  ForAll<StorageCase>(
      StorageCases(),
      [](const StorageCase& storage) {
        StorageCase keeps_all = storage;
        keeps_all.options.retained_message_limit.reset();
        if (StoredSession(keeps_all).oldest_kept() != 1)
          return Broken("limit", "none, yet it deletes");
        if (!storage.options.retained_message_limit) return Held();
        StorageCase higher = storage;
        ++*higher.options.retained_message_limit;
        StoredSession low(storage);
        StoredSession high(higher);
        low.Drain();
        high.Drain();
        if (low.oldest_kept() >= high.oldest_kept()) return Held();
        return Broken("order", fmt::format("kept from {} and, with one more, from {}",
                                           low.oldest_kept(), high.oldest_kept()));
      },
      5000);
}

TEST(Retention, KeepsAsManyMessagesAsTheLimitSays) {
  ForAll<StorageCase>(
      StorageCases(),
      [](const StorageCase& storage) {
        StoredSession session(storage);
        session.Drain();
        const std::uint64_t limit = storage.options.retained_message_limit.value_or(session.next());
        const std::uint64_t kept = session.Kept().size();
        if (kept >= std::min<std::uint64_t>(limit, session.next() - 1)) return Held();
        return Broken("limit", fmt::format("{} of {} kept", kept, session.next() - 1));
      },
      5000);
}

}  // namespace
}  // namespace rollover
