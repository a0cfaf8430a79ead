// chunk-immutable, window-write-once, in-order, exactly-once, nothing-lost.
#include "tests/model/rules/history.h"

namespace rollover {
namespace {

// After two turns the window holds 1 .. 4; the next message moves chunk [1,2].
History FullWindow() {
  History history;
  history.Turns(2);
  return history;
}
// ... and after three, chunk [1,2] is stored and the window holds 3 .. 6.
History RolledOver() {
  History history;
  history.Turns(3);
  return history;
}

RULE_BREAKS(kChunkImmutable, AChunkIsWrittenAgain) {
  History history = RolledOver();
  const ValueRef chunk = history.state.Map(Name::kChunks).Find(1);
  EXPECT_EQ(
      history.Tampered(Start("t7"), [&](auto& r) { Put(r, Name::kChunks, 1, chunk->body()); }),
      "chunk-immutable: chunk 1 is written again");
}

// To be safe to repeat, a commit may not hold a write and a delete of one key.
RULE_BREAKS(kChunkImmutable, AChunkIsDeletedAndWrittenByOneCommit) {
  for (const bool delete_first : {true, false}) {
    History history = RolledOver();
    const ValueRef chunk = history.state.Map(Name::kChunks).Find(1);
    EXPECT_EQ(history.Tampered(Start("t7"),
                               [&](StepResult& r) {
                                 if (delete_first) Delete(r, Name::kChunks, 1);
                                 r.writes.push_back({Name::kChunks, 1, chunk});
                                 if (!delete_first) Delete(r, Name::kChunks, 1);
                               }),
              delete_first ? "chunk-immutable: chunk 1 is written and deleted by one commit"
                           : "chunk-immutable: chunk 1 is written again");
  }
}

// Whole retention rules would let it go at once: the summary reaches it, the limit is met.
RULE_BREAKS(kChunkImmutable, AChunkIsDeletedByTheCommitThatWritesIt) {
  History history = FullWindow();
  history.options.retained_message_limit = 0;
  history.Legal(Start("t5"));  // moves [1,2]; 3 .. 5 stay
  history.Legal(TooLong("t5", 5));
  history.Legal(Compact("t5", 5));  // deletes [1,2]
  history.Legal(Reply("t5"));       // the window is full: 3 .. 6
  EXPECT_EQ(history.Tampered(Start("t7"),
                             [](StepResult& r) {
                               Delete(r, Name::kChunks, 3);
                               Put(r, Name::kIndex, 0, Index{{}, 5, 5});
                             }),
            "chunk-immutable: chunk 3 is written and deleted by one commit");
}

TEST(StorageRules, AChunkMayBeDeletedByALaterCommit) {
  History history;
  history.Turns(4);
  history.CompactedTurn(8);
  EXPECT_GT(history.judge.ledger().first(), 1u);
  EXPECT_GT(history.Evaluations(Rule::kChunkImmutable), 0u);
}

RULE_BREAKS(kWindowWriteOnce, AMessageIsWrittenAgain) {
  History history = FullWindow();
  const ValueRef message = history.state.Map(Name::kMessages).Find(4);
  EXPECT_EQ(
      history.Tampered(Start("t5"), [&](auto& r) { Put(r, Name::kMessages, 4, message->body()); }),
      "window-write-once: AgentMessages[4] is written again");
}

RULE_BREAKS(kWindowWriteOnce, AMessageIsWrittenAndDeletedByOneCommit) {
  History history;
  EXPECT_EQ(history.Tampered(Start("t1"), [](auto& r) { Delete(r, Name::kMessages, 1); }),
            "window-write-once: AgentMessages[1] is deleted but was not there");
}

RULE_BREAKS(kWindowWriteOnce, NothingIsDeleted) {
  History history = RolledOver();
  EXPECT_EQ(history.Tampered(Start("t7"), [](auto& r) { Delete(r, Name::kMessages, 1); }),
            "window-write-once: AgentMessages[1] is deleted but was not there");
}

// The commit that moves 1 forgets to delete it; a later one tidies up.
RULE_BREAKS(kWindowWriteOnce, AMessageIsDeletedLaterThanItsChunkIsWritten) {
  History history = FullWindow();
  history.Tampered(Start("t5"), [](auto& r) { Drop(r, Name::kMessages, 1); });
  history.state.Apply({Name::kMessages, 1, nullptr});  // so that the core minds its own business
  EXPECT_EQ(history.Tampered(Reply("t5", 1), [](auto& r) { Delete(r, Name::kMessages, 1); }),
            "window-write-once: AgentMessages[1] is deleted, and its chunk is not written");
}

// header: {"sequence":1,"turn_id":"t1","role":"user","content":}
constexpr std::size_t kHeader = 54;
constexpr std::size_t kAlone = 15;

RULE_BREAKS(kWindowWriteOnce, AnOversizedMessageIsInTheWindow) {
  History history;
  ASSERT_EQ(TextMessage(1, "t1", Role::kUser)->encoded_bytes(), kHeader + 12);
  const Content content = Text(1024 - kAlone - kHeader + 1);
  const ValueRef message = TextMessage(1, "t1", Role::kUser, content);
  EXPECT_EQ(history.Tampered(Start("t1", content),
                             [&](StepResult& r) {
                               Drop(r, Name::kChunks, 1);
                               Drop(r, Name::kIndex);
                               Put(r, Name::kMessages, 1, message->body());
                             }),
            "window-write-once: message 1 is oversized, and is in the window");
}

TEST(StorageRules, TheLargestMessageOfAChunkAloneIsStillAWindowMessage) {
  for (const int over : {-1, 0, 1}) {
    History history;
    history.Legal(Start("t1", Text(1024 - kAlone - kHeader + static_cast<std::size_t>(over))));
    EXPECT_EQ(history.state.Map(Name::kMessages).size(), over > 0 ? 0u : 1u) << over;
    EXPECT_EQ(history.state.Map(Name::kChunks).size(), over > 0 ? 1u : 0u) << over;
  }
}

TEST(StorageRules, TheOversizedMessagesOf010AreInTheWindow) {
  History history;
  history.profile.legacy = true;
  history.TurnsOf(5000, 1);
  history.profile.legacy = false;
  history.Turns(3);
}

RULE_BREAKS(kInOrder, ARolledMessageIsAltered) {
  History history = FullWindow();
  EXPECT_EQ(history.Tampered(Start("t5"),
                             [](StepResult& r) {
                               Chunk chunk = std::get<Chunk>(BodyOf(r, Name::kChunks, 1));
                               chunk.messages[1] = TextMessage(2, "t1", Role::kAssistant, Text(11));
                               Put(r, Name::kChunks, 1, chunk);
                             }),
            "in-order: chunk 1 holds a message 2 that is not the one stored");
}

RULE_BREAKS(kInOrder, AChunkIsOutOfOrder) {
  History history = FullWindow();
  EXPECT_EQ(history.Tampered(Start("t5"),
                             [](StepResult& r) {
                               Chunk chunk = std::get<Chunk>(BodyOf(r, Name::kChunks, 1));
                               std::swap(chunk.messages[0], chunk.messages[1]);
                               Put(r, Name::kChunks, 1, chunk);
                             }),
            "in-order: chunk 1 holds message 1 after message 2");
}

RULE_BREAKS(kInOrder, ASequenceIsSkipped) {
  History history;
  EXPECT_EQ(history.Tampered(Start("t1"),
                             [](StepResult& r) {
                               Drop(r, Name::kMessages, 1);
                               Put(r, Name::kMessages, 2, Message{2, "t1", Role::kUser, Text()});
                             }),
            "in-order: AgentMessages[2] holds a message 2; sequences run 1 .. 1");
}

RULE_BREAKS(kInOrder, AMessageIsUnderAnotherKey) {
  History history;
  EXPECT_EQ(history.Tampered(Start("t1"),
                             [](StepResult& r) {
                               Put(r, Name::kMessages, 2, BodyOf(r, Name::kMessages, 1));
                               Drop(r, Name::kMessages, 1);
                             }),
            "in-order: AgentMessages[2] holds message 1");
}

RULE_BREAKS(kInOrder, RoleOrTurnOrSpellingDiffers) {
  const auto store = [](Message message) {
    History history;
    return history.Tampered(Start("t1", Content("[1,2]")),
                            [&](auto& r) { Put(r, Name::kMessages, 1, message); });
  };
  const std::string other =
      "in-order: AgentMessages[1] holds a message 1 that is not the one stored";
  EXPECT_EQ(store({1, "t1", Role::kUser, Content("[1,2]")}), "");
  EXPECT_EQ(store({1, "t1", Role::kTool, Content("[1,2]")}), other);
  EXPECT_EQ(store({1, "t2", Role::kUser, Content("[1,2]")}), other);
  EXPECT_EQ(store({1, "t1", Role::kUser, Content("[1, 2]")}), other);
}

RULE_BREAKS(kExactlyOnce, ANewMessageIsNotStored) {
  History history = FullWindow();
  EXPECT_EQ(history.Tampered(Start("t5"), [](auto& r) { Drop(r, Name::kMessages, 5); }),
            "exactly-once: message 5 is stored 0 times");
}

RULE_BREAKS(kExactlyOnce, AMovedMessageStaysInTheWindow) {
  History history = FullWindow();
  EXPECT_EQ(history.Tampered(Start("t5"), [](auto& r) { Drop(r, Name::kMessages, 2); }),
            "exactly-once: message 2 is stored 2 times");
}

RULE_BREAKS(kExactlyOnce, AMessageIsInTwoChunks) {
  History history = RolledOver();
  EXPECT_EQ(history.Tampered(Start("t7"),
                             [&](StepResult& r) {
                               const ValueRef old = history.state.Map(Name::kChunks).Find(1);
                               Put(r, Name::kChunks, 2, Chunk{{old->as<Chunk>()->messages[1]}});
                             }),
            "exactly-once: message 2 is stored 2 times");
}

RULE_BREAKS(kNothingLost, AMovedMessageIsNotInItsChunk) {
  History history = FullWindow();
  EXPECT_EQ(history.Tampered(Start("t5"),
                             [](StepResult& r) {
                               Chunk chunk = std::get<Chunk>(BodyOf(r, Name::kChunks, 1));
                               chunk.messages.pop_back();
                               Put(r, Name::kChunks, 1, chunk);
                             }),
            "nothing-lost: message 2 disappeared; kept are 1 .. 5");
}

RULE_BREAKS(kNothingLost, AWindowMessageIsDeletedWithoutAChunk) {
  History history = FullWindow();
  EXPECT_EQ(history.Tampered(Start("t5"), [](auto& r) { Delete(r, Name::kMessages, 4); }),
            "nothing-lost: message 4 disappeared; kept are 1 .. 5");
}

// 3 is oversized and has its own chunk; 1 and 2 are still in the window. Summary and limit allow
// the deletion of "the oldest chunk", and a hole would be left.
RULE_BREAKS(kNothingLost, AChunkGoesBeforeOlderMessages) {
  History history;
  history.options.retained_message_limit = 0;
  history.Turns(1);
  history.Legal(Start("t3", Text(2000)));
  history.Legal(TooLong("t3", 3));
  EXPECT_EQ(history.Tampered(Compact("t3", 3),
                             [](StepResult& r) {
                               Delete(r, Name::kChunks, 3);
                               Put(r, Name::kIndex, 0, Index{{}, 1, 1});
                             }),
            "nothing-lost: message 3 disappeared; kept are 1 .. 3");
}

TEST(StorageRules, AnOversizedMessageBetweenWindowMessagesIsLegal) {
  History history;
  history.Turns(1);
  history.Legal(Start("t3", Text(2000)));
  history.Legal(Reply("t3"));
  history.Turns(4);
}

TEST(StorageRules, OneCommitMayStoreAndMoveAMessage) {
  History history({.message_window_size = 1, .message_chunk_size = 1});
  history.Legal(Start("t1"));
  history.Legal(Reply("t1", 3));
  history.Legal(Resume("t1", 3));  // stores 3, 4, 5 and moves 2, 3, 4
  EXPECT_EQ(history.state.Map(Name::kChunks).size(), 4u);
}

}  // namespace
}  // namespace rollover
