// index-write-rule, index-matches-chunks.
#include "tests/model/rules/history.h"

namespace rollover {
namespace {

// Chunk [1,2] is stored; the window holds 3 .. 6.
History RolledOver() {
  History history;
  history.Turns(3);
  return history;
}

// What the judge says when the commit that stores 7 and moves [3,4] writes this index.
std::string WithIndex(Index index) {
  History history = RolledOver();
  return history.Tampered(Start("t7"),
                          [&](StepResult& r) { Put(r, Name::kIndex, 0, std::move(index)); });
}

RULE_BREAKS(kIndexWriteRule, AChunkIsWrittenWithoutTheIndex) {
  History history = RolledOver();
  EXPECT_EQ(history.Tampered(Start("t7"), [](auto& r) { Drop(r, Name::kIndex); }),
            "index-write-rule: a chunk is written or deleted, and the index is not");
}

RULE_BREAKS(kIndexWriteRule, AChunkIsDeletedWithoutTheIndex) {
  History history;
  history.Turns(4);
  history.Legal(Start("t9"));
  history.Legal(TooLong("t9", 8));
  EXPECT_EQ(history.Tampered(Compact("t9", 8), [](auto& r) { Drop(r, Name::kIndex); }),
            "index-write-rule: a chunk is written or deleted, and the index is not");
}

RULE_BREAKS(kIndexWriteRule, TheIndexIsWrittenWithoutAChunk) {
  History history;
  EXPECT_EQ(history.Tampered(Start("t1"),
                             [](auto& r) {
                               Put(r, Name::kIndex, 0, Index{{}, 1, 1});
                             }),
            "index-write-rule: the index is written, and no chunk is");
}

RULE_BREAKS(kIndexWriteRule, TheIndexIsDeleted) {
  History history = RolledOver();
  EXPECT_EQ(history.Tampered(Start("t7"),
                             [](StepResult& r) {
                               Drop(r, Name::kIndex);
                               Delete(r, Name::kIndex, 0);
                             }),
            "index-write-rule: the index is deleted");
}

TEST(IndexRules, ACommitThatTouchesNoChunkWritesNoIndex) {
  History history = RolledOver();
  history.Legal(Start("t7"));  // moves [3,4]
  EXPECT_EQ(history.Tampered(Reply("t7"),
                             [](StepResult& r) {  // moves nothing
                               for (const Write& write : r.writes)
                                 EXPECT_NE(write.name, Name::kIndex);
                             }),
            "");
  EXPECT_EQ(history.Evaluations(Rule::kIndexWriteRule), 8u);
}

RULE_BREAKS(kIndexMatchesChunks, ARangeIsOffByOne) {
  EXPECT_EQ(WithIndex({{{1, 2}, {3, 4}}, 5, 1}), "");
  EXPECT_EQ(WithIndex({{{1, 2}, {3, 5}}, 5, 1}),
            "index-matches-chunks: index lists [3,5]; chunk 3 holds 3..4");
  EXPECT_EQ(WithIndex({{{1, 2}, {2, 4}}, 5, 1}),
            "index-matches-chunks: index lists [2,4]; chunk 3 holds 3..4");
}

RULE_BREAKS(kIndexMatchesChunks, AChunkIsNotListed) {
  EXPECT_EQ(WithIndex({{{1, 2}}, 5, 1}),
            "index-matches-chunks: index lists 1 chunks; 2 are stored");
  EXPECT_EQ(WithIndex({{{1, 2}, {3, 4}, {5, 6}}, 5, 1}),
            "index-matches-chunks: index lists 3 chunks; 2 are stored");
}

RULE_BREAKS(kIndexMatchesChunks, RangesAreNotAscending) {
  EXPECT_EQ(WithIndex({{{3, 4}, {1, 2}}, 5, 1}),
            "index-matches-chunks: index lists [3,4]; chunk 1 holds 1..2");
}

RULE_BREAKS(kIndexMatchesChunks, WindowStartIsOffByOne) {
  EXPECT_EQ(WithIndex({{{1, 2}, {3, 4}}, 4, 1}),
            "index-matches-chunks: window_start is 4; the window starts at 5");
  EXPECT_EQ(WithIndex({{{1, 2}, {3, 4}}, 6, 1}),
            "index-matches-chunks: window_start is 6; the window starts at 5");
}

RULE_BREAKS(kIndexMatchesChunks, OldestKeptIsOffByOne) {
  EXPECT_EQ(WithIndex({{{1, 2}, {3, 4}}, 5, 0}),
            "index-matches-chunks: oldest_kept is 0; the oldest is 1");
  EXPECT_EQ(WithIndex({{{1, 2}, {3, 4}}, 5, 2}),
            "index-matches-chunks: oldest_kept is 2; the oldest is 1");
}

RULE_BREAKS(kIndexMatchesChunks, AChunkIsUnderAnotherKey) {
  History history = RolledOver();
  EXPECT_EQ(history.Tampered(Start("t7"),
                             [](StepResult& r) {
                               Put(r, Name::kChunks, 4, BodyOf(r, Name::kChunks, 3));
                               Drop(r, Name::kChunks, 3);
                             }),
            "index-matches-chunks: index lists [3,4]; chunk 4 holds 3..4");
}

// The commit before forgot the index; every later one still has chunks that nobody can find.
RULE_BREAKS(kIndexMatchesChunks, ThereIsNoIndex) {
  History history;
  history.Turns(2);
  history.Tampered(Start("t5"), [](auto& r) { Drop(r, Name::kIndex); });
  EXPECT_EQ(history.Tampered(Reply("t5"), [](auto&) {}),
            "index-matches-chunks: 1 chunks are stored, and there is no index");
}

TEST(IndexRules, AnEmptyWindowStartsAtTheNextSequence) {
  History history;
  history.Legal(Start("t1", Text(2000)));
  EXPECT_EQ(history.state.Get<Index>(Name::kIndex)->window_start, 2u);
  history.Legal(Reply("t1"));
  history.Turns(3);
}

}  // namespace
}  // namespace rollover
