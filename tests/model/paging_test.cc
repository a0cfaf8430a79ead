#include "model/protocol/paging.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/model/builders.h"

namespace rollover {
namespace {

using test::Range;
using test::Sequences;

using Numbers = std::vector<Sequence>;
constexpr std::int64_t kInt64Max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kInt64Min = std::numeric_limits<std::int64_t>::min();

// The log reads the window in place, so a test keeps both.
struct Kept {
  InstanceMap window{};
  KeptLog log;

  Kept(const std::vector<ChunkRange>& chunks, const Numbers& window_sequences)
      : window(MapOf(window_sequences)), log(ChunksOf(chunks), window) {}

  static InstanceMap MapOf(const Numbers& sequences) {
    InstanceMap map;
    for (const Sequence s : sequences) map.Put(s, test::MessageOfBytes(s, 100));
    return map;
  }
  static std::vector<ValueRef> ChunksOf(const std::vector<ChunkRange>& ranges) {
    std::vector<ValueRef> chunks;
    for (const ChunkRange& range : ranges) chunks.push_back(test::ChunkOf(range.first, range.last));
    return chunks;
  }
};

ReadArguments List(std::optional<std::int64_t> after, std::optional<std::int64_t> before,
                   std::int64_t limit) {
  return {.rpc = Rpc::kListAgentMessages,
          .after_sequence = after,
          .before_sequence = before,
          .limit = limit};
}
ReadArguments After(std::int64_t anchor, std::int64_t limit = 200) {
  return List(anchor, std::nullopt, limit);
}
ReadArguments Before(std::int64_t anchor, std::int64_t limit = 200) {
  return List(std::nullopt, anchor, limit);
}
ReadArguments FromTheStart(std::int64_t limit = 200) {
  return List(std::nullopt, std::nullopt, limit);
}

Page PageOf(const ReadArguments& arguments, const KeptLog& log) {
  return std::get<Page>(ReadPage(arguments, log));
}
Numbers Read(const ReadArguments& arguments, const KeptLog& log) {
  return Sequences(PageOf(arguments, log).messages);
}
bool HasMore(const ReadArguments& arguments, const KeptLog& log) {
  return PageOf(arguments, log).has_more;
}
std::string Refusal(const ReadArguments& arguments, const KeptLog& log) {
  const ReadOutcome outcome = ReadPage(arguments, log);
  const auto* refusal = std::get_if<ReadRefusal>(&outcome);
  return refusal == nullptr ? "not refused" : refusal->error;
}

// Kept: 11 to 20; 11-13, 15-15 and 16-17 in chunks, 14 and 18 to 20 in the window.
const Kept& Mixed() {
  static const Kept kept({{11, 13}, {15, 15}, {16, 17}}, {14, 18, 19, 20});
  return kept;
}

// The kept log --------------------------------------------------------------------------------

TEST(KeptLog, InterleavesChunksAndWindow) {
  const KeptLog& log = Mixed().log;
  EXPECT_EQ(log.first(), 11u);
  EXPECT_EQ(log.end(), 21u);
  EXPECT_EQ(Sequences(log.Slice(0, 100)), Range(11, 20));
}

TEST(KeptLog, EverySliceIsExact) {
  const KeptLog& log = Mixed().log;
  for (Sequence from = 10; from <= 21; ++from) {
    for (Sequence until = 10; until <= 22; ++until) {
      const Sequence first = std::max<Sequence>(from, 11);
      const Sequence last = std::min<Sequence>(until, 21) - 1;
      EXPECT_EQ(Sequences(log.Slice(from, until)), Range(first, last)) << from << " " << until;
    }
  }
}

TEST(KeptLog, AnEmptyOneHasNoMessages) {
  const Kept nothing({}, {});
  EXPECT_EQ(nothing.log.first(), nothing.log.end());
  EXPECT_TRUE(nothing.log.Slice(0, 100).empty());
}

TEST(KeptLog, ChunksAloneAndWindowAlone) {
  EXPECT_EQ(Sequences(Kept({{3, 5}, {6, 6}}, {}).log.Slice(0, 9)), Range(3, 6));
  EXPECT_EQ(Sequences(Kept({}, {3, 4, 5, 6}).log.Slice(0, 9)), Range(3, 6));
}

// Forward -------------------------------------------------------------------------------------

TEST(PageAfter, StartsRightAfterTheAnchor) {
  const KeptLog& log = Mixed().log;
  EXPECT_EQ(Read(After(12, 3), log), Range(13, 15));
  EXPECT_EQ(Read(After(13, 1), log), Range(14, 14));
  EXPECT_EQ(Read(After(15, 9), log), Range(16, 20));
}

TEST(PageAfter, NoAnchorMeansAfterZero) {
  const KeptLog& log = Mixed().log;
  EXPECT_EQ(Read(FromTheStart(4), log), Range(11, 14));
  EXPECT_EQ(Read(After(0, 4), log), Range(11, 14));
}

TEST(PageAfter, AnAnchorInTheDeletedPartReadsFromTheOldestKept) {
  for (const std::int64_t anchor : {1, 9, 10}) {
    EXPECT_EQ(Read(After(anchor, 2), Mixed().log), Range(11, 12)) << anchor;
  }
  EXPECT_EQ(Read(After(11, 2), Mixed().log), Range(12, 13));
}

TEST(PageAfter, HasMoreUntilTheNewestIsOnThePage) {
  const KeptLog& log = Mixed().log;
  EXPECT_TRUE(HasMore(After(10, 9), log));
  EXPECT_FALSE(HasMore(After(10, 10), log));
  EXPECT_FALSE(HasMore(After(10, 11), log));
  EXPECT_TRUE(HasMore(After(18, 1), log));
  EXPECT_FALSE(HasMore(After(19, 1), log));
}

TEST(PageAfter, AnAnchorAtOrBeyondTheNewestIsAnEmptyPage) {
  for (const std::int64_t anchor : {std::int64_t{20}, std::int64_t{21}, kInt64Max - 1, kInt64Max}) {
    EXPECT_EQ(Read(After(anchor), Mixed().log), Numbers{}) << anchor;
    EXPECT_FALSE(HasMore(After(anchor), Mixed().log)) << anchor;
  }
}

// Backward ------------------------------------------------------------------------------------

TEST(PageBefore, EndsRightBeforeTheAnchorAscending) {
  const KeptLog& log = Mixed().log;
  EXPECT_EQ(Read(Before(17, 3), log), Range(14, 16));
  EXPECT_EQ(Read(Before(14, 1), log), Range(13, 13));
  EXPECT_EQ(Read(Before(13, 9), log), Range(11, 12));
}

TEST(PageBefore, HasMoreUntilTheOldestKeptIsOnThePage) {
  const KeptLog& log = Mixed().log;
  EXPECT_TRUE(HasMore(Before(21, 9), log));
  EXPECT_FALSE(HasMore(Before(21, 10), log));
  EXPECT_FALSE(HasMore(Before(21, 11), log));
  EXPECT_TRUE(HasMore(Before(13, 1), log));
  EXPECT_FALSE(HasMore(Before(12, 1), log));
}

TEST(PageBefore, AnAnchorAtOrBelowTheOldestKeptIsAnEmptyPage) {
  for (const std::int64_t anchor : {0, 1, 10, 11}) {
    EXPECT_EQ(Read(Before(anchor), Mixed().log), Numbers{}) << anchor;
    EXPECT_FALSE(HasMore(Before(anchor), Mixed().log)) << anchor;
  }
  EXPECT_EQ(Read(Before(12), Mixed().log), Range(11, 11));
}

TEST(PageBefore, AnAnchorBeyondTheNewestReadsTheNewest) {
  for (const std::int64_t anchor : {std::int64_t{21}, std::int64_t{22}, kInt64Max}) {
    EXPECT_EQ(Read(Before(anchor, 2), Mixed().log), Range(19, 20)) << anchor;
  }
  EXPECT_EQ(Read(Before(20, 2), Mixed().log), Range(18, 19));
}

TEST(Pages, AWalkSeesEveryMessageOnceAtEveryPageSize) {
  const KeptLog& log = Mixed().log;
  for (std::int64_t limit = 1; limit <= 11; ++limit) {
    Numbers forward;
    Page page;
    page.has_more = true;
    while (page.has_more) {
      const auto anchor = forward.empty() ? 0 : static_cast<std::int64_t>(forward.back());
      page = PageOf(After(anchor, limit), log);
      for (const Sequence s : Sequences(page.messages)) forward.push_back(s);
    }
    EXPECT_EQ(forward, Range(11, 20)) << limit;

    Numbers backward;
    page.has_more = true;
    while (page.has_more) {
      const auto anchor = backward.empty() ? 21 : static_cast<std::int64_t>(backward.front());
      page = PageOf(Before(anchor, limit), log);
      const Numbers seen = Sequences(page.messages);
      backward.insert(backward.begin(), seen.begin(), seen.end());
    }
    EXPECT_EQ(backward, Range(11, 20)) << limit;
  }
}

// Limits and refusals -------------------------------------------------------------------------

TEST(PageLimit, OneToTwoHundredAndNothingElse) {
  const Kept kept({{1, 150}}, Range(151, 300));
  EXPECT_EQ(Read(After(0, 1), kept.log), Range(1, 1));
  EXPECT_EQ(Read(After(0, 200), kept.log), Range(1, 200));
  for (const std::int64_t limit :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{201}, kInt64Max, kInt64Min}) {
    for (const auto& arguments : {After(0, limit), Before(9, limit), FromTheStart(limit)}) {
      EXPECT_EQ(Refusal(arguments, kept.log), fmt::format("limit is {}; valid: 1 .. 200", limit));
    }
  }
}

TEST(PageAnchor, ANegativeOneIsRefused) {
  const KeptLog& log = Mixed().log;
  for (const std::int64_t anchor : {std::int64_t{-1}, kInt64Min}) {
    const std::string refusal = fmt::format("anchor is {}; valid: 0 and up", anchor);
    EXPECT_EQ(Refusal(After(anchor), log), refusal);
    EXPECT_EQ(Refusal(Before(anchor), log), refusal);
  }
  EXPECT_EQ(Refusal(After(0), log), "not refused");
  EXPECT_EQ(Refusal(Before(0), log), "not refused");
}

TEST(PageAnchor, TwoOfThemAreRefused) {
  EXPECT_EQ(Refusal(List(1, 5, 200), Mixed().log),
            "after_sequence and before_sequence exclude each other");
}

TEST(PageAnchor, ARefusalDoesNotDependOnTheLog) {
  const Kept nothing({}, {});
  EXPECT_NE(Refusal(After(0, 0), nothing.log), "not refused");
  EXPECT_NE(Refusal(Before(-1), nothing.log), "not refused");
}

TEST(Pages, OfAnEmptyLogAreEmptyAndTheLast) {
  const Kept nothing({}, {});
  for (const auto& arguments : {After(0), After(7), After(kInt64Max), Before(0), Before(1),
                                Before(kInt64Max), FromTheStart(), ReadArguments{}}) {
    EXPECT_EQ(Read(arguments, nothing.log), Numbers{});
    EXPECT_FALSE(HasMore(arguments, nothing.log));
  }
}

// Snapshot ------------------------------------------------------------------------------------

TEST(Snapshot, IsTheNewestTwoHundred) {
  for (const Sequence newest : {199u, 200u, 201u}) {
    const Kept kept({{1, 100}}, Range(101, newest));
    EXPECT_EQ(Read({}, kept.log), Range(newest == 201 ? 2 : 1, newest));
    EXPECT_EQ(HasMore({}, kept.log), newest == 201);
  }
}

TEST(Snapshot, HasMoreMeansThatOlderOnesAreKept) {
  // Deleted messages are not kept: 100 of 11 to 110 are all there is.
  const Kept kept({{11, 50}}, Range(51, 110));
  EXPECT_EQ(Read({}, kept.log), Range(11, 110));
  EXPECT_FALSE(HasMore({}, kept.log));
}

TEST(Snapshot, TakesNoArguments) {
  ReadArguments arguments = After(-5, 0);
  arguments.rpc = Rpc::kGetAgentSnapshot;
  EXPECT_EQ(Refusal(arguments, Mixed().log), "not refused");
  EXPECT_EQ(Read(arguments, Mixed().log), Range(11, 20));
}

}  // namespace
}  // namespace rollover
