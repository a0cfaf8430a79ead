// Storing: what was stored is kept, whole, once and in order, however it was cut into commits.
#include <gtest/gtest.h>

#include "properties/rules_hold.h"
#include "properties/stored_session.h"

namespace rollover {
namespace {

TEST(Storage, RulesHold) {
  ExpectRulesHold({.faults = Kills()},
                  {Rule::kChunkImmutable, Rule::kWindowWriteOnce, Rule::kInOrder,
                   Rule::kExactlyOnce, Rule::kNothingLost, Rule::kValueLimit});
}

TEST(Storage, KeepsTheEndOfWhatWasStored) {
  ForAll<StorageCase>(
      StorageCases(),
      [](const StorageCase& storage) {
        const std::string wrong = StoredSession(storage).Wrong();
        return wrong.empty() ? Held() : Broken("kept", wrong);
      },
      5000);
}

// Many messages in one commit, or one in each: a commit moves four chunks at most, and leaves the
// chunks that it wrote, so the two agree once all is drained.
TEST(Storage, OneCommitEndsWhereManyDo) {
  ForAll<StorageCase>(
      StorageCases(),
      [](const StorageCase& storage) {
        StoredSession one(storage);
        StoredSession many(storage);
        one.Store(storage.batch);
        for (const std::uint64_t& bytes : storage.batch) many.Store({&bytes, 1});
        one.Drain();
        many.Drain();
        const std::string difference = FirstDifference(one.Kept(), many.Kept());
        if (!difference.empty()) return Broken("messages", difference);
        if (!one.Wrong().empty()) return Broken("kept", one.Wrong());
        return one.state() == many.state() ? Held()
                                           : Broken("layout", "other chunks or another index");
      },
      5000);
}

}  // namespace
}  // namespace rollover
