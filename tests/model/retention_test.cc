#include "model/protocol/retention.h"

#include <gtest/gtest.h>

#include "tests/model/builders.h"

namespace rollover {
namespace {

using test::Show;
using test::StoredSession;
using test::Texts;

// How many chunks may go, from an index and positions alone.
struct EightStored {
  Index index = {{{1, 2}, {3, 4}}, 5, 1};
  Sequence summary_last_sequence = 8;
  std::vector<Sequence> written{};

  std::size_t Deletable(std::optional<std::uint64_t> limit, bool compaction = true) const {
    const Options options{.retained_message_limit = limit, .compaction = compaction};
    return DeletableChunks({.options = options,
                            .index = index,
                            .next_sequence = 9,
                            .summary_last_sequence = summary_last_sequence,
                            .written = written});
  }
};

TEST(Retention, AChunkGoesOnceTheLimitIsStoredAfterIt) {
  // Given chunks 1-2 and 3-4 and everything up to 8 stored: six and four messages after them.
  EXPECT_EQ(EightStored{}.Deletable(3), 2u);
  EXPECT_EQ(EightStored{}.Deletable(4), 2u);
  EXPECT_EQ(EightStored{}.Deletable(5), 1u);
  EXPECT_EQ(EightStored{}.Deletable(6), 1u);
  EXPECT_EQ(EightStored{}.Deletable(7), 0u);
}

TEST(Retention, AChunkGoesOnceTheSummaryHoldsAllOfIt) {
  const std::vector<std::size_t> deletable = {0, 0, 1, 1, 2, 2};
  for (Sequence last = 0; last < deletable.size(); ++last) {
    EightStored session;
    session.summary_last_sequence = last;
    EXPECT_EQ(session.Deletable(4), deletable[last]) << "summary up to " << last;
  }
}

TEST(Retention, NoLimitKeepsAll) { EXPECT_EQ(EightStored{}.Deletable(std::nullopt), 0u); }

TEST(Retention, WithoutCompactionNothingIsDeletable) {
  EXPECT_EQ(EightStored{}.Deletable(0, true), 2u);
  EXPECT_EQ(EightStored{}.Deletable(0, false), 0u);
}

TEST(Retention, LimitZeroKeepsOnlyWhatIsNotSummarised) {
  // Given chunks up to the very last message.
  EightStored session;
  session.index = {{{1, 4}, {5, 8}}, 9, 1};
  EXPECT_EQ(session.Deletable(0), 2u);
  EXPECT_EQ(session.Deletable(1), 1u);
  session.summary_last_sequence = 7;
  EXPECT_EQ(session.Deletable(0), 1u);
}

TEST(Retention, OnlyAPrefixMayGo) {
  // Given message 3 in a chunk of its own while 1 and 2 are still in the window.
  EightStored session;
  session.index = {{{3, 3}}, 1, 1};
  EXPECT_EQ(session.Deletable(0), 0u);
  // Given 1-2 in a chunk, 3 and 4 in the window, 5 in a chunk: the first goes, the other stays.
  session.index = {{{1, 2}, {5, 5}}, 3, 1};
  EXPECT_EQ(session.Deletable(0), 1u);
}

TEST(Retention, AChunkThisCommitWritesStaysAndShieldsWhatFollows) {
  EightStored session;
  session.written = {9};
  EXPECT_EQ(session.Deletable(0), 2u);
  session.written = {3};
  EXPECT_EQ(session.Deletable(0), 1u);
  session.written = {1};
  EXPECT_EQ(session.Deletable(0), 0u);
}

TEST(Retention, NoChunksNothingDeletable) {
  EightStored session;
  session.index = {};
  EXPECT_EQ(session.Deletable(0), 0u);
}

// In a session --------------------------------------------------------------------------------

StoredSession Small(std::optional<std::uint64_t> limit) {
  return {.options = {.message_window_size = 4,
                      .message_chunk_size = 2,
                      .message_chunk_max_bytes = kKibibyte,
                      .retained_message_limit = limit}};
}

TEST(RetainOnly, DeletesWithoutRollingOver) {
  StoredSession session = Small(2);
  session.StoreOneByOne(6);
  ASSERT_EQ(session.ShowIndex(), "1-2 window 3 oldest 1");
  // Mishap: the window is made too small for what it holds.
  session.options.message_window_size = 2;
  EXPECT_EQ(Show(session.Compact(6).writes), (Texts{"-chunk 1", "AgentMessageIndex"}));
  EXPECT_EQ(session.ShowIndex(), "window 3 oldest 3");
}

TEST(RetainOnly, WritesNothingWhenNothingMayGo) {
  StoredSession session = Small(5);
  session.StoreOneByOne(6);
  EXPECT_EQ(Show(session.Compact(6).writes), Texts{});
  session.options.retained_message_limit = 4;
  EXPECT_EQ(Show(session.Compact(1).writes), Texts{});
  EXPECT_EQ(Show(session.Compact(2).writes), (Texts{"-chunk 1", "AgentMessageIndex"}));
}

TEST(RetainOnly, DeletesAllThatMayGoAtOnce) {
  StoredSession session = Small(2);
  session.StoreOneByOne(14);
  ASSERT_EQ(session.ShowIndex(), "1-2 3-4 5-6 7-8 9-10 window 11 oldest 1");
  EXPECT_EQ(Show(session.Compact(9).writes),
            (Texts{"-chunk 1", "-chunk 3", "-chunk 5", "-chunk 7", "AgentMessageIndex"}));
  EXPECT_EQ(session.ShowIndex(), "9-10 window 11 oldest 9");
}

TEST(RetainOnly, OfAnEmptySessionIsNothing) {
  StoredSession session = Small(0);
  const StorageChange change = session.Compact(0);
  EXPECT_EQ(Show(change.writes), Texts{});
  EXPECT_EQ(change.next_sequence, 1u);
}

TEST(Retention, AStoreDeletesWhatItMakesDeletable) {
  StoredSession session = Small(4);
  session.StoreOneByOne(5);
  session.Compact(5);
  ASSERT_EQ(session.ShowIndex(), "1-2 window 3 oldest 1");
  EXPECT_EQ(Show(session.StoreEqual(1).writes),
            (Texts{"-chunk 1", "AgentMessageIndex", "message 6"}));
  EXPECT_EQ(session.ShowIndex(), "window 3 oldest 3");
}

TEST(Retention, AMovedRunIsDeletedByTheNextCommitAtTheEarliest) {
  StoredSession session = Small(0);
  session.StoreOneByOne(4);
  session.summary_last_sequence = 4;
  EXPECT_EQ(Show(session.StoreEqual(1).writes),
            (Texts{"-message 1", "-message 2", "AgentMessageIndex", "chunk 1-2", "message 5"}));
  EXPECT_EQ(Show(session.StoreEqual(1).writes),
            (Texts{"-chunk 1", "AgentMessageIndex", "message 6"}));
}

TEST(Retention, AnOversizedChunkWaitsForTheOlderWindow) {
  // Given 1 and 2 in the window, 3 oversized, all summarised, no limit to hold them.
  StoredSession session = Small(0);
  session.Store({100, 100, 2000, 100, 100});
  ASSERT_EQ(session.ShowIndex(), "3-3 window 1 oldest 1");
  EXPECT_EQ(Show(session.Compact(5).writes), Texts{});
  // When 1 and 2 have moved, all three chunks' worth may go.
  session.StoreEqual(1);
  ASSERT_EQ(session.ShowIndex(), "1-2 3-3 window 4 oldest 1");
  EXPECT_EQ(Show(session.Compact(5).writes), (Texts{"-chunk 1", "-chunk 3", "AgentMessageIndex"}));
  EXPECT_EQ(session.ShowIndex(), "window 4 oldest 4");
}

TEST(Retention, WithNothingLeftTheOldestKeptIsTheNextSequence) {
  StoredSession session = Small(0);
  session.Store({2000, 2000});
  session.Compact(2);
  EXPECT_EQ(session.ShowIndex(), "window 3 oldest 3");
  EXPECT_EQ(session.state.stored_message_bytes(), 0u);
  session.StoreEqual(1);
  EXPECT_EQ(session.ShowIndex(), "window 3 oldest 3");
}

}  // namespace
}  // namespace rollover
