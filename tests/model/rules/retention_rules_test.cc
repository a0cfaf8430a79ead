// never-deletes, retention-safe, retention-done, bounded-state: what goes, and what stays.
#include <cstdio>

#include "tests/model/rules/history.h"

namespace rollover {
namespace {

// Chunks [1,2] [3,4] [5,6], the window 7 .. 9, and CompactContext of t9 is next.
History AboutToCompact(std::optional<std::uint64_t> limit, Sequence through) {
  History history;
  history.options.retained_message_limit = limit;
  history.Turns(4);
  history.Legal(Start("t9"));
  history.Legal(TooLong("t9", through));
  return history;
}

Sequence OldestAfterCompaction(std::optional<std::uint64_t> limit, Sequence through) {
  History history = AboutToCompact(limit, through);
  history.Legal(Compact("t9", through));
  return history.judge.ledger().first();
}

// Deletes chunks 1, 3, 5 up to `last`, whatever the core would do.
std::string Deleting(History history, const StepInput& input, Key last) {
  return history.Tampered(input, [&](StepResult& r) {
    std::erase_if(r.writes, [](const Write& w) { return w.name == Name::kChunks; });
    Index index{{}, 7, last + 2};
    for (const Key key : {1u, 3u, 5u}) {
      if (key <= last) {
        Delete(r, Name::kChunks, key);
      } else {
        index.chunks.push_back({key, key + 1});
      }
    }
    Put(r, Name::kIndex, 0, index);
  });
}

TEST(RetentionRules, TheLimitHasTwoSides) {
  EXPECT_EQ(OldestAfterCompaction(4, 8), 5u);  // 5 messages are stored after [3,4], 3 after [5,6]
  EXPECT_EQ(OldestAfterCompaction(5, 8), 5u);
  EXPECT_EQ(OldestAfterCompaction(6, 8), 3u);
  EXPECT_EQ(OldestAfterCompaction(0, 8), 7u);
  EXPECT_EQ(OldestAfterCompaction(std::nullopt, 8), 1u);
}

TEST(RetentionRules, TheSummaryHasTwoSides) {
  EXPECT_EQ(OldestAfterCompaction(0, 3), 3u);
  EXPECT_EQ(OldestAfterCompaction(0, 4), 5u);
  EXPECT_EQ(OldestAfterCompaction(0, 5), 5u);
}

RULE_BREAKS(kRetentionSafe, AChunkGoesBeforeTheLimitIsMet) {
  EXPECT_EQ(Deleting(AboutToCompact(3, 8), Compact("t9", 8), 5), "");
  EXPECT_EQ(Deleting(AboutToCompact(4, 8), Compact("t9", 8), 5),
            "retention-safe: chunk 5 is deleted with 3 messages after it; the limit is 4");
}

RULE_BREAKS(kRetentionSafe, AChunkGoesBeforeItsLastMessageIsSummarised) {
  EXPECT_EQ(Deleting(AboutToCompact(0, 4), Compact("t9", 4), 3), "");
  EXPECT_EQ(Deleting(AboutToCompact(0, 3), Compact("t9", 3), 3),
            "retention-safe: chunk 3 is deleted; its last message 4 is after the summary 3");
}

RULE_BREAKS(kRetentionSafe, AChunkGoesThoughAllAreKept) {
  EXPECT_EQ(Deleting(AboutToCompact(std::nullopt, 8), Compact("t9", 8), 1),
            "retention-safe: chunk 1 is deleted, and no limit is set");
}

RULE_BREAKS(kRetentionSafe, AChunkGoesInACommitThatNeitherStoresNorCompacts) {
  History history = AboutToCompact(std::nullopt, 8);
  history.Legal(Compact("t9", 8));
  history.options.retained_message_limit = 0;  // a restart
  EXPECT_EQ(Deleting(history, Cancel("t9"), 1),
            "retention-safe: chunk 1 is deleted by ApplyTurnControl");
}

RULE_BREAKS(kRetentionSafe, AChunkThatIsNotThereIsDeleted) {
  History history;
  history.Turns(2);
  EXPECT_EQ(history.Tampered(Start("t5"), [](auto& r) { Delete(r, Name::kChunks, 7); }),
            "retention-safe: chunk 7 was not there");
}

RULE_BREAKS(kRetentionDone, ADeletableChunkStays) {
  EXPECT_EQ(Deleting(AboutToCompact(5, 8), Compact("t9", 8), 3), "");
  EXPECT_EQ(Deleting(AboutToCompact(5, 8), Compact("t9", 8), 1),
            "retention-done: chunk 3 [..4] stays: the summary reaches 8, 5 messages are after it, "
            "the limit is 5");
}

RULE_BREAKS(kRetentionDone, AStoringCommitLeavesADeletableChunk) {
  History history = AboutToCompact(6, 8);
  history.Legal(Compact("t9", 8));  // 5 messages after [3,4]
  EXPECT_EQ(history.Tampered(Reply("t9"),
                             [](StepResult& r) {
                               Drop(r, Name::kChunks, 3);
                               Drop(r, Name::kIndex);
                             }),
            "retention-done: chunk 3 [..4] stays: the summary reaches 8, 6 messages are after it, "
            "the limit is 6");
}

TEST(RetentionRules, AChunkStaysInTheCommitThatWritesIt) {
  History history;
  history.options.retained_message_limit = 0;
  history.Turns(2);
  history.Legal(Start("t5"));
  history.Legal(TooLong("t5", 5));
  history.Legal(Compact("t5", 5));
  history.Legal(Reply("t5"));
  history.Legal(Start("t7"));  // moves [3,4], summarised and beyond the limit
  EXPECT_EQ(history.state.Map(Name::kChunks).size(), 1u);
  history.Legal(Reply("t7"));
  EXPECT_TRUE(history.state.Map(Name::kChunks).empty());
}

TEST(RetentionRules, AnOversizedChunkStaysWhileOlderMessagesAreInTheWindow) {
  History history;
  history.options.retained_message_limit = 0;
  history.Turns(1);
  history.Legal(Start("t3", Text(2000)));
  history.Legal(TooLong("t3", 3));
  history.Legal(Compact("t3", 3));
  EXPECT_EQ(history.state.Map(Name::kChunks).size(), 1u);
}

RULE_BREAKS(kNeverDeletes, AChunkGoesThoughCompactionIsOff) {
  for (const bool by_profile : {true, false}) {
    History history = AboutToCompact(std::nullopt, 8);
    history.Legal(Compact("t9", 8));
    history.Legal(Reply("t9"));  // the window is 7 .. 10
    history.options.retained_message_limit = 0;
    (by_profile ? history.profile.compaction : history.options.compaction) = false;
    StepResult legal = history.Run(Fail("t11"));
    EXPECT_EQ(Deleting(history, Fail("t11"), 1),
              "never-deletes: chunk 1 is deleted, and compaction is off");
    EXPECT_EQ(history.Judged(Fail("t11"), legal), "");
    EXPECT_GT(history.Evaluations(Rule::kNeverDeletes), 0u);
  }
}

// A leak that broke other rules when it was written is still there at the next commit.
std::string WithLeak(std::size_t bytes) {
  History history;
  history.Turns(3);
  history.Tampered(Start("t7"), [&](StepResult& r) {
    Put(r, Name::kChunks, 1001, Chunk{{TextMessage(1001, "t7", Role::kUser, Text(bytes))}});
  });
  return history.Tampered(Reply("t7"), [](auto&) {});
}

RULE_BREAKS(kBoundedState, MoreIsLiveThanOptionsAndContentsExplain) {
  unsigned long live = 0;
  unsigned long bound = 0;
  const std::string broken = WithLeak(9000);
  ASSERT_EQ(std::sscanf(broken.c_str(), "bounded-state: %lu bytes are live; the bound is %lu",
                        &live, &bound),
            2)
      << broken;
  const std::size_t at_bound = 9000 - (live - bound);
  EXPECT_EQ(WithLeak(at_bound - 1), "");
  EXPECT_EQ(WithLeak(at_bound), "");
  EXPECT_NE(WithLeak(at_bound + 1).find("bounded-state: "), std::string::npos);
}

TEST(RetentionRules, TheStateIsBoundedOverManyTurns) {
  History history;
  std::uint64_t most = 0;
  for (int i = 0; i < 50; ++i) {
    history.CompactedTurn(history.next() - 1);
    most = std::max(most, history.state.live_bytes());
  }
  EXPECT_LT(most, 1200u);
  EXPECT_GT(history.Evaluations(Rule::kBoundedState), 100u);
}

TEST(RetentionRules, NoLimitAndNoCompactionAreNotBounded) {
  History history;
  history.options.retained_message_limit = std::nullopt;
  history.Turns(3);
  history.options.retained_message_limit = 0;
  history.options.compaction = false;
  history.Turns(3);
  EXPECT_EQ(history.Evaluations(Rule::kBoundedState), 0u);
}

}  // namespace
}  // namespace rollover
