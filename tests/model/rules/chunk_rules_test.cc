// chunk-caps, commit-caps, full-runs: how messages leave the window.
#include "tests/model/rules/history.h"

namespace rollover {
namespace {

History FullWindow() {
  History history;
  history.Turns(2);
  return history;
}

// Makes [first,last] a chunk of the commit, taking its messages from wherever they are.
void Move(const History& history, StepResult& result, Sequence first, Sequence last) {
  Chunk chunk;
  for (Sequence s = first; s <= last; ++s) {
    if (const ValueRef old = history.state.Map(Name::kMessages).Find(s)) {
      chunk.messages.push_back(old);
      Delete(result, Name::kMessages, s);
    } else {
      chunk.messages.push_back(MakeValue(BodyOf(result, Name::kMessages, s)));
      Drop(result, Name::kMessages, s);
    }
  }
  Put(result, Name::kChunks, first, chunk);
}

// Undoes the move of a chunk that the core made.
void Unmove(StepResult& result, Sequence first) {
  const Chunk chunk = std::get<Chunk>(BodyOf(result, Name::kChunks, first));
  for (const ValueRef& message : chunk.messages) {
    Drop(result, Name::kMessages, message->message().sequence);
  }
  Drop(result, Name::kChunks, first);
}

RULE_BREAKS(kChunkCaps, AChunkHoldsOneMessageTooMany) {
  History history = FullWindow();
  EXPECT_EQ(history.Tampered(Start("t5"),
                             [&](StepResult& r) {
                               Unmove(r, 1);
                               Move(history, r, 1, 3);
                               Put(r, Name::kIndex, 0, Index{{{1, 3}}, 4, 1});
                             }),
            "chunk-caps: chunk 1 holds 3 messages; the cap is 2");
}

// Two messages, a comma and the wrapper: user 54 + n, assistant 59 + n.
std::size_t ContentOfPair(std::size_t chunk_bytes) { return (chunk_bytes - 15 - 1 - 113) / 2; }

TEST(ChunkRules, APairAtTheByteCapIsOneChunkAndAboveItTwo) {
  for (const std::uint64_t cap : {1798u, 1799u, 1800u}) {
    History history;
    history.options.message_chunk_max_bytes = cap;
    history.TurnsOf(ContentOfPair(1799), 2);
    history.Legal(Start("t5"));
    const auto& chunks = history.state.Map(Name::kChunks);
    ASSERT_EQ(chunks.size(), 1u);
    EXPECT_EQ(chunks[0].value->as<Chunk>()->messages.size(), cap < 1799 ? 1u : 2u);
  }
}

RULE_BREAKS(kChunkCaps, APairIsOneByteOverTheCap) {
  History history;
  history.options.message_chunk_max_bytes = 1798;
  history.TurnsOf(ContentOfPair(1799), 2);
  EXPECT_EQ(history.Tampered(Start("t5"),
                             [&](StepResult& r) {
                               Unmove(r, 1);
                               Move(history, r, 1, 2);
                               Put(r, Name::kIndex, 0, Index{{{1, 2}}, 3, 1});
                             }),
            "chunk-caps: chunk 1 is 1799 bytes; the cap is 1798");
}

TEST(ChunkRules, AChunkOfOneMessageMayBeAnySize) {
  History history;
  history.options.message_chunk_max_bytes = 4096;
  history.TurnsOf(3000, 2);
  history.options.message_chunk_max_bytes = 1024;  // a restart
  history.Turns(4);
  EXPECT_EQ(history.state.Map(Name::kChunks)[0].value->as<Chunk>()->messages.size(), 1u);
}

// A window of 1 in chunks of 1; five tool results leave five messages to move, four may go.
History FiveToMove() {
  History history({.message_window_size = 1, .message_chunk_size = 1});
  history.Legal(Start("t1"));
  history.Legal(Reply("t1", 5));
  return history;
}

TEST(ChunkRules, FourChunksMoveAndTheFifthStays) {
  History history = FiveToMove();
  history.Legal(Resume("t1", 5));
  EXPECT_EQ(history.state.Map(Name::kChunks).size(), 5u);  // one of them from the reply before
  EXPECT_EQ(history.state.Map(Name::kMessages).size(), 2u);
}

RULE_BREAKS(kCommitCaps, FiveChunksMove) {
  History history = FiveToMove();
  const std::string broken = history.Tampered(Resume("t1", 5), [&](StepResult& r) {
    Move(history, r, 6, 6);
    Put(r, Name::kIndex, 0, Index{{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}}, 7, 1});
  });
  EXPECT_EQ(broken, "commit-caps: 5 chunks of 410 bytes are moved; the caps are 4 and 8388608");
}

// Messages 2 and 3 are large; their two chunks take `total` bytes.
struct TwoLarge {
  History history{{.message_window_size = 1,
                   .message_chunk_size = 1,
                   .message_chunk_max_bytes = kChunkBytesCeiling}};
  StepInput resume;

  explicit TwoLarge(std::uint64_t total) {
    const Content large = Text(4 * kMebibyte);
    history.Legal(Start("t1"));
    history.Legal(Reply("t1", 2, large));
    const std::uint64_t first = TextMessage(2, "t1", Role::kAssistant, large)->encoded_bytes() + 15;
    const std::uint64_t header = TextMessage(3, "t1", Role::kTool, Text(2))->encoded_bytes() - 2;
    resume = ResumeTurn{"t1", {Text(total - first - header - 15), Text()}};
  }
};

TEST(ChunkRules, EightMebibytesMoveAndOneByteMoreStays) {
  for (const int over : {-1, 0, 1}) {
    TwoLarge two(kCommitMovedBytesMax + static_cast<std::uint64_t>(over));
    two.history.Legal(two.resume);
    EXPECT_EQ(two.history.state.Map(Name::kChunks).size(), over > 0 ? 2u : 3u) << over;
  }
}

RULE_BREAKS(kCommitCaps, OneByteMoreThanEightMebibytesMoves) {
  TwoLarge two(kCommitMovedBytesMax + 1);
  EXPECT_EQ(two.history.Tampered(two.resume,
                                 [&](StepResult& r) {
                                   Move(two.history, r, 3, 3);
                                   Put(r, Name::kIndex, 0, Index{{{1, 1}, {2, 2}, {3, 3}}, 4, 1});
                                 }),
            "commit-caps: 2 chunks of 8388609 bytes are moved; the caps are 4 and 8388608");
}

RULE_BREAKS(kFullRuns, TheSecondLargeChunkStaysThoughItFits) {
  TwoLarge two(kCommitMovedBytesMax);
  EXPECT_EQ(two.history.Tampered(two.resume,
                                 [&](StepResult& r) {
                                   const auto body = std::get<Chunk>(BodyOf(r, Name::kChunks, 3));
                                   Drop(r, Name::kChunks, 3);
                                   Put(r, Name::kMessages, 3, body.messages[0]->body());
                                   Put(r, Name::kIndex, 0, Index{{{1, 1}, {2, 2}}, 3, 1});
                                 }),
            "full-runs: the window holds 2 messages, the size is 1, and 1 chunks are moved");
}

TEST(ChunkRules, OneChunkMayBeLargerThanEightMebibytes) {
  History history;
  history.profile.legacy = true;
  history.Legal(Start("t1", Text(kCommitMovedBytesMax + 1)));
  history.Legal(Reply("t1"));
  history.Turns(2);
  history.profile.legacy = false;
  history.Turns(1);
  EXPECT_GT(history.state.Map(Name::kChunks)[0].value->encoded_bytes(), kCommitMovedBytesMax);
}

RULE_BREAKS(kFullRuns, OnlyTheExcessMessageMoves) {
  History history = FullWindow();
  EXPECT_EQ(history.Tampered(Start("t5"),
                             [&](StepResult& r) {
                               Unmove(r, 1);
                               Move(history, r, 1, 1);
                               Put(r, Name::kIndex, 0, Index{{{1, 1}}, 2, 1});
                             }),
            "full-runs: chunk 1 ends at 1, but 2 would fit");
}

RULE_BREAKS(kFullRuns, AFullWindowMoves) {
  History history;
  history.Turns(1);
  history.Legal(Start("t3"));
  EXPECT_EQ(history.Tampered(Reply("t3"),
                             [&](StepResult& r) {
                               Move(history, r, 1, 2);
                               Put(r, Name::kIndex, 0, Index{{{1, 2}}, 3, 1});
                             }),
            "full-runs: chunk 1 is moved though the window held only 4 messages");
}

RULE_BREAKS(kFullRuns, AWindowOverItsSizeStays) {
  History history = FullWindow();
  EXPECT_EQ(history.Tampered(Start("t5"),
                             [&](StepResult& r) {
                               Unmove(r, 1);
                               Drop(r, Name::kIndex);
                             }),
            "full-runs: the window holds 5 messages, the size is 4, and 0 chunks are moved");
}

RULE_BREAKS(kFullRuns, NewerMessagesMoveFirst) {
  History history = FullWindow();
  EXPECT_EQ(history.Tampered(Start("t5"),
                             [&](StepResult& r) {
                               Unmove(r, 1);
                               Move(history, r, 3, 4);
                               Put(r, Name::kIndex, 0, Index{{{3, 4}}, 1, 1});
                             }),
            "full-runs: chunk 3 left the window before the older message 1");
}

RULE_BREAKS(kFullRuns, ACompactionMovesMessages) {
  History history = FullWindow();
  history.Legal(Start("t5"));
  history.Legal(TooLong("t5", 1));
  history.options.message_window_size = 2;
  EXPECT_EQ(history.Tampered(Compact("t5", 1),
                             [&](StepResult& r) {
                               Move(history, r, 3, 4);
                               Put(r, Name::kIndex, 0, Index{{{1, 2}, {3, 4}}, 5, 1});
                             }),
            "full-runs: chunk 3 is moved by a commit that stores nothing");
}

// alone == message_chunk_max_bytes is not oversized: it belongs to the window.
RULE_BREAKS(kFullRuns, AMessageThatJustFitsIsStoredAsOversized) {
  History history;
  EXPECT_EQ(history.Tampered(Start("t1", Text(1024 - 15 - 54)),
                             [&](StepResult& r) {
                               Move(history, r, 1, 1);
                               Put(r, Name::kIndex, 0, Index{{{1, 1}}, 2, 1});
                             }),
            "full-runs: chunk 1 is moved though the window held only 1 messages");
}

}  // namespace
}  // namespace rollover
