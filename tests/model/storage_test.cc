// What one storing commit writes. Retention in the same commit: retention_test.cc; the published
// figures: published_figures_test.cc.
#include "model/protocol/storage.h"

#include <gtest/gtest.h>

#include "model/protocol/rollover.h"
#include "tests/model/builders.h"

namespace rollover {
namespace {

using test::Range;
using test::Show;
using test::StoredSession;
using test::Texts;

// Window 4, chunks of 2, 1 KiB; nothing is ever deleted.
StoredSession Small() {
  return {.options = {.message_window_size = 4,
                      .message_chunk_size = 2,
                      .message_chunk_max_bytes = kKibibyte,
                      .retained_message_limit = std::nullopt}};
}

constexpr std::uint64_t kCap = kKibibyte;
constexpr std::uint64_t kLargestInWindow = kCap - kChunkWrapperBytes;

// Storing ------------------------------------------------------------------------------------

TEST(Storing, AMessageIsOneWriteAndNoIndex) {
  StoredSession session = Small();
  EXPECT_EQ(Show(session.StoreEqual(1).writes), Texts{"message 1"});
  EXPECT_EQ(session.next_sequence, 2u);
  EXPECT_EQ(session.ShowIndex(), "none");
}

TEST(Storing, SequencesAreDenseFromOne) {
  StoredSession session = Small();
  EXPECT_EQ(Show(session.StoreEqual(2).writes), (Texts{"message 1", "message 2"}));
  EXPECT_EQ(Show(session.StoreEqual(2).writes), (Texts{"message 3", "message 4"}));
  EXPECT_EQ(session.next_sequence, 5u);
}

TEST(Storing, NothingToStoreWritesNothing) {
  StoredSession session = Small();
  session.StoreEqual(4);
  const StorageChange change = session.Store({});
  EXPECT_EQ(Show(change.writes), Texts{});
  EXPECT_EQ(change.next_sequence, 5u);
  EXPECT_FALSE(change.new_index);
}

TEST(Storing, TheContentIsWhatWasGiven) {
  StoredSession session = Small();
  const NewMessage tool{Role::kTool, Content("[1.0, \"\\u0041\"]")};
  session.Commit(StoreMessages(session.View(), "turn", std::span(&tool, 1)));
  const Message expected{1, "turn", Role::kTool, Content("[1.0, \"\\u0041\"]")};
  EXPECT_TRUE(session.state.Map(Name::kMessages).Find(1)->message() == expected);
}

// Oversized ----------------------------------------------------------------------------------

TEST(Oversized, IsWhatDoesNotFitAChunkAlone) {
  const Options options = Small().options;
  EXPECT_FALSE(Oversized(kLargestInWindow - 1, options));
  EXPECT_FALSE(Oversized(kLargestInWindow, options));
  EXPECT_TRUE(Oversized(kLargestInWindow + 1, options));
}

TEST(Oversized, AMessageThatFillsAChunkExactlyIsInTheWindow) {
  StoredSession session = Small();
  EXPECT_EQ(Show(session.Store({kLargestInWindow}).writes), Texts{"message 1"});
  EXPECT_EQ(test::ChunkOf(1, 1, kLargestInWindow)->encoded_bytes(), kCap);
}

TEST(Oversized, AMessageOneByteLargerIsAChunkAtOnceAndNeverInTheWindow) {
  StoredSession session = Small();
  EXPECT_EQ(Show(session.Store({kLargestInWindow + 1}).writes),
            (Texts{"AgentMessageIndex", "chunk 1-1"}));
  EXPECT_EQ(session.ShowIndex(), "1-1 window 2 oldest 1");
}

TEST(Oversized, TheEdgeIsInBytesOfMultiByteText) {
  // U+00E9 is two bytes and one character: the cap counts two.
  const std::uint64_t header = MessageHeaderBytes(1, test::kTurn, Role::kUser) + 2;
  const auto store = [header](std::uint64_t message_bytes) {
    std::string text;
    while (header + text.size() + 2 <= message_bytes) text += "\u00e9";
    text.append(message_bytes - header - text.size(), 'x');
    StoredSession session = Small();
    const NewMessage message{Role::kUser, test::Text(text)};
    const auto change = StoreMessages(session.View(), test::kTurn, std::span(&message, 1));
    return Show(change.writes);
  };
  EXPECT_EQ(store(kLargestInWindow - 1), Texts{"message 1"});
  EXPECT_EQ(store(kLargestInWindow), Texts{"message 1"});
  EXPECT_EQ(store(kLargestInWindow + 1), (Texts{"AgentMessageIndex", "chunk 1-1"}));
}

TEST(Oversized, OlderMessagesMayStillBeInTheWindow) {
  StoredSession session = Small();
  session.StoreEqual(2);
  EXPECT_EQ(Show(session.Store({2000, 100}).writes),
            (Texts{"AgentMessageIndex", "chunk 3-3", "message 4"}));
  EXPECT_EQ(session.ShowIndex(), "3-3 window 1 oldest 1");
  EXPECT_EQ(test::Keys(session.state.Map(Name::kMessages)), (std::vector<Sequence>{1, 2, 4}));
}

TEST(Oversized, OnlyOversizedMessagesLeaveAnEmptyWindow) {
  StoredSession session = Small();
  session.Store({2000, 2000});
  EXPECT_EQ(session.ShowIndex(), "1-1 2-2 window 3 oldest 1");
  EXPECT_EQ(Show(session.StoreEqual(1).writes), Texts{"message 3"});
  EXPECT_EQ(session.ShowIndex(), "1-1 2-2 window 3 oldest 1");
}

TEST(Oversized, TheyDoNotCountTowardTheCommitCaps) {
  // Given a window of one too many, and five oversized messages in one commit.
  StoredSession session = Small();
  session.StoreEqual(4);
  EXPECT_EQ(Show(session.Store({2000, 2000, 2000, 2000, 2000, 100}).writes),
            (Texts{"-message 1", "-message 2", "AgentMessageIndex", "chunk 1-2", "chunk 5-5",
                   "chunk 6-6", "chunk 7-7", "chunk 8-8", "chunk 9-9", "message 10"}));
  EXPECT_EQ(session.ShowIndex(), "1-2 5-5 6-6 7-7 8-8 9-9 window 3 oldest 1");
}

// Rollover -----------------------------------------------------------------------------------

TEST(Rollover, StartsOnlyOnceTheWindowIsTooLarge) {
  StoredSession session = Small();
  session.StoreOneByOne(3);
  EXPECT_EQ(Show(session.StoreEqual(1).writes), Texts{"message 4"});
  EXPECT_EQ(Show(session.StoreEqual(1).writes),
            (Texts{"-message 1", "-message 2", "AgentMessageIndex", "chunk 1-2", "message 5"}));
  EXPECT_EQ(session.ShowIndex(), "1-2 window 3 oldest 1");
}

TEST(Rollover, AFullRunMovesSoThatMostCommitsWriteNoIndex) {
  // Given the defaults: 65 in the window become one chunk of 32 and a window of 33.
  StoredSession session;
  session.StoreOneByOne(64);
  EXPECT_EQ(session.ShowIndex(), "none");
  session.StoreEqual(1);
  EXPECT_EQ(session.ShowIndex(), "1-32 window 33 oldest 1");
  EXPECT_EQ(session.state.Map(Name::kMessages).size(), 33u);
  for (int i = 0; i < 31; ++i) EXPECT_FALSE(session.StoreEqual(1).new_index);
  EXPECT_TRUE(session.StoreEqual(1).new_index);
}

TEST(Rollover, ARunClosesByCount) {
  StoredSession session = Small();
  session.options.message_chunk_size = 3;
  session.StoreOneByOne(5);
  EXPECT_EQ(session.ShowIndex(), "1-3 window 4 oldest 1");
}

TEST(Rollover, ARunClosesByBytesExactlyAtTheCap) {
  // Three messages and two commas in one chunk: 15 + 3n + 2 bytes, or one more.
  for (const std::uint64_t excess : {0u, 1u}) {
    StoredSession session = Small();
    session.options.message_chunk_size = 3;
    session.Store({300, 300, kCap - kChunkWrapperBytes - 2 - 600 + excess, 100, 100});
    EXPECT_EQ(session.ShowIndex(), excess == 0 ? "1-3 window 4 oldest 1" : "1-2 window 3 oldest 1");
    EXPECT_LE(session.state.Map(Name::kChunks).front().value->encoded_bytes(), kCap);
  }
}

TEST(Rollover, ARunClosesAtAGapAndIsThenShort) {
  // Given 1 in the window, 2 oversized, 3 to 6 in the window.
  StoredSession session = Small();
  session.Store({100, 2000, 100, 100, 100, 100});
  EXPECT_EQ(session.ShowIndex(), "1-1 2-2 window 3 oldest 1");
}

TEST(Rollover, ShortRunsAreFollowedByFurtherOnesInTheSameCommit) {
  // Given 1 | 2 oversized | 3 | 4 oversized | 5 6 7 8: six in a window of four.
  StoredSession session = Small();
  session.options.message_chunk_size = 4;
  session.Store({100, 2000, 100, 2000, 100, 100, 100, 100});
  EXPECT_EQ(session.ShowIndex(), "1-1 2-2 3-3 4-4 window 5 oldest 1");
}

TEST(Rollover, AMessageStoredAndMovedByOneCommitIsWrittenToItsChunkOnly) {
  StoredSession session = Small();
  EXPECT_EQ(Show(session.StoreEqual(5).writes),
            (Texts{"AgentMessageIndex", "chunk 1-2", "message 3", "message 4", "message 5"}));
}

TEST(Rollover, ARunMayMixLoadedAndNewMessages) {
  StoredSession session = Small();
  session.options.message_chunk_size = 4;
  session.StoreEqual(2);
  EXPECT_EQ(Show(session.StoreEqual(4).writes),
            (Texts{"-message 1", "-message 2", "AgentMessageIndex", "chunk 1-4", "message 5",
                   "message 6"}));
}

TEST(Rollover, TheChunkHoldsTheStoredBytes) {
  StoredSession session = Small();
  session.StoreEqual(4);
  const ValueRef first = session.state.Map(Name::kMessages).Find(1);
  const ValueRef second = session.state.Map(Name::kMessages).Find(2);
  session.StoreEqual(1);
  EXPECT_EQ(session.state.Map(Name::kChunks).Find(1)->as<Chunk>()->messages,
            (std::vector<ValueRef>{first, second}));
}

TEST(Rollover, AWindowOfOneKeepsTheNewestMessage) {
  StoredSession session = Small();
  session.options.message_window_size = 1;
  session.options.message_chunk_size = 1;
  session.StoreOneByOne(3);
  EXPECT_EQ(session.ShowIndex(), "1-1 2-2 window 3 oldest 1");
}

// Commit caps --------------------------------------------------------------------------------

TEST(CommitCaps, FourChunksMoveAndTheRestWaits) {
  // Given a window of 4 and chunks of 2: sixteen messages are six chunks too many.
  StoredSession session = Small();
  session.StoreEqual(16);
  EXPECT_EQ(session.ShowIndex(), "1-2 3-4 5-6 7-8 window 9 oldest 1");
  session.StoreEqual(1);
  EXPECT_EQ(session.ShowIndex(), "1-2 3-4 5-6 7-8 9-10 11-12 13-14 window 15 oldest 1");
}

TEST(CommitCaps, ExactlyEightMebibytesMove) {
  for (const std::uint64_t excess : {0u, 1u}) {
    StoredSession session = Small();
    session.options.message_chunk_size = 1;
    session.options.message_chunk_max_bytes = kChunkBytesCeiling;
    const std::uint64_t half = kCommitMovedBytesMax / 2 - kChunkWrapperBytes;
    session.Store({half, half + excess, 100, 100, 100, 100});
    EXPECT_EQ(session.ShowIndex(),
              excess == 0 ? "1-1 2-2 window 3 oldest 1" : "1-1 window 2 oldest 1");
  }
}

TEST(CommitCaps, TheFirstChunkAlwaysMoves) {
  // Given messages in the window that have become oversized: the cap was lowered since, or 0.1.0
  // stored them.
  StoredSession session = Small();
  const std::uint64_t nine_mebibytes = 9 * kMebibyte;
  test::PutMessages(session.state, 1, 2, nine_mebibytes);
  test::PutMessages(session.state, 3, 5);
  session.next_sequence = 6;
  EXPECT_EQ(Show(session.StoreEqual(1).writes),
            (Texts{"-message 1", "AgentMessageIndex", "chunk 1-1", "message 6"}));
  session.StoreEqual(1);
  EXPECT_EQ(session.ShowIndex(), "1-1 2-2 window 3 oldest 1");
}

TEST(CommitCaps, AnOldSessionMigratesFourChunksACommit) {
  StoredSession session;
  test::PutMessages(session.state, 1, 300);
  session.next_sequence = 301;
  session.StoreEqual(1);
  EXPECT_EQ(session.ShowIndex(), "1-32 33-64 65-96 97-128 window 129 oldest 1");
  session.StoreEqual(1);
  EXPECT_EQ(session.state.Map(Name::kMessages).size(), 302u - 8 * 32);
  EXPECT_EQ(session.state.Map(Name::kChunks).size(), 8u);
}

// The index ----------------------------------------------------------------------------------

TEST(IndexWrite, HappensExactlyWhenAChunkIsTouched) {
  StoredSession session = Small();
  session.options.retained_message_limit = 3;
  std::size_t with = 0;
  std::size_t without = 0;
  for (Sequence i = 1; i <= 60; ++i) {
    const bool compacts = i % 5 == 0;
    const StorageChange change =
        compacts ? session.Compact(i - 2) : session.Store({i % 7 == 0 ? 2000u : 100u});
    std::size_t chunks = 0;
    std::size_t indexes = 0;
    for (const Write& write : change.writes) {
      chunks += write.name == Name::kChunks;
      indexes += write.name == Name::kIndex;
    }
    EXPECT_EQ(indexes, chunks > 0 ? 1u : 0u) << "commit " << i;
    EXPECT_EQ(change.new_index.has_value(), chunks > 0) << "commit " << i;
    ++(chunks > 0 ? with : without);
  }
  EXPECT_GT(with, 5u);
  EXPECT_GT(without, 5u);
}

TEST(IndexWrite, NoKeyIsWrittenTwiceInOneCommit) {
  StoredSession session = Small();
  session.options.retained_message_limit = 0;
  for (Sequence i = 1; i <= 60; ++i) {
    session.summary_last_sequence = session.next_sequence - 1;
    Texts texts = Show(session.Store({100, i % 3 == 0 ? 2000u : 100u, 100}).writes);
    for (std::string& text : texts) {
      if (text.starts_with("-")) text.erase(0, 1);
      if (text.starts_with("chunk")) text = text.substr(0, text.find('-'));
    }
    std::sort(texts.begin(), texts.end());
    EXPECT_EQ(std::adjacent_find(texts.begin(), texts.end()), texts.end()) << "commit " << i;
  }
}

}  // namespace
}  // namespace rollover
