// page-exact: a page is a slice of the kept log.
#include <limits>

#include "tests/model/rules/history.h"

namespace rollover {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

// Kept are 5 .. 10: chunk [5,6] and the window 7 .. 10.
History Retained() {
  History history;
  history.options.retained_message_limit = 5;
  history.Turns(4);
  history.CompactedTurn(8);
  EXPECT_EQ(history.judge.ledger().first(), 5u);
  return history;
}

ReadArguments List(std::optional<std::int64_t> after, std::optional<std::int64_t> before,
                   std::int64_t limit = 3) {
  return {Rpc::kListAgentMessages, after, before, limit};
}

std::string Tampered(const ReadArguments& arguments, const std::function<void(Page&)>& mishap) {
  History history = Retained();
  ReadOutcome outcome = history.CoreRead(arguments);
  mishap(std::get<Page>(outcome));
  return history.Read(arguments, outcome);
}

TEST(ReadRules, EveryPageOfTheCoreIsExact) {
  History history = Retained();
  EXPECT_EQ(history.Read({}, history.CoreRead({})), "");
  for (std::int64_t anchor : {0l, 3l, 4l, 5l, 6l, 7l, 9l, 10l, 11l, 12l, kFar}) {
    for (std::int64_t limit : {0l, 1l, 3l, 5l, 6l, 7l, 200l, 201l}) {
      const auto after = List(anchor, {}, limit);
      EXPECT_EQ(history.Read(after, history.CoreRead(after)), "") << anchor << " " << limit;
      const auto before = List({}, anchor, limit);
      EXPECT_EQ(history.Read(before, history.CoreRead(before)), "") << anchor << " " << limit;
    }
  }
}

TEST(ReadRules, ASnapshotHoldsTheNewest200) {
  for (const int messages : {198, 200, 202}) {
    History history({.message_window_size = 64});
    history.Turns(messages / 2);
    const ReadOutcome outcome = history.CoreRead({});
    EXPECT_EQ(std::get<Page>(outcome).has_more, messages > 200);
    EXPECT_EQ(history.Read({}, outcome), "");
  }
}

RULE_BREAKS(kPageExact, AMessageIsMissingOrExtraOrMoved) {
  EXPECT_EQ(Tampered(List(5, {}), [](Page& p) { p.messages.pop_back(); }),
            "page-exact: the page holds 2 messages; due are 3 from 6 on");
  EXPECT_EQ(Tampered(List(5, {}), [](Page& p) { p.messages.push_back(p.messages[0]); }),
            "page-exact: the page holds 4 messages; due are 3 from 6 on");
  EXPECT_EQ(Tampered(List(5, {}), [](Page& p) { std::swap(p.messages[1], p.messages[2]); }),
            "page-exact: place 1 of the page is not message 7");
}

RULE_BREAKS(kPageExact, AMessageIsAltered) {
  const auto returning = [](Message message) {
    return Tampered(List(6, {}, 1), [&](Page& p) { p.messages[0] = MakeValue(message); });
  };
  const std::string broken = "page-exact: place 0 of the page is not message 7";
  EXPECT_EQ(returning({7, "t7", Role::kUser, Text()}), "");
  EXPECT_EQ(returning({7, "t7", Role::kUser, Text(13)}), broken);
  EXPECT_EQ(returning({7, "t7", Role::kTool, Text()}), broken);
  EXPECT_EQ(returning({7, "t9", Role::kUser, Text()}), broken);
  EXPECT_EQ(returning({8, "t7", Role::kUser, Text()}), broken);
}

// A core may write a message anew when it returns one.
RULE_BREAKS(kPageExact, ContentsCompareAsJsonValues) {
  const auto returning = [](const std::string& content) {
    History history;
    history.Legal(Start("t1", Content(R"({"a":[1,"é"],"b":null})")));
    Page page;
    page.messages.push_back(TextMessage(1, "t1", Role::kUser, Content(content)));
    return history.Read({}, page);
  };
  EXPECT_EQ(returning(R"({ "b": null, "a": [1, "\u00e9"] })"), "");
  for (const char* other :
       {R"({"a":[1,"e"],"b":null})", R"({"a":["é",1],"b":null})", R"({"a":[1,"é"]})"}) {
    EXPECT_EQ(returning(other), "page-exact: place 0 of the page is not message 1") << other;
  }
}

RULE_BREAKS(kPageExact, HasMoreIsWrong) {
  EXPECT_EQ(Tampered(List(5, {}), [](Page& p) { p.has_more = false; }),
            "page-exact: has_more is false; the page is 6..8, kept are 5..10");
  EXPECT_EQ(Tampered(List({}, 8), [](Page& p) { p.has_more = true; }),
            "page-exact: has_more is true; the page is 5..7, kept are 5..10");
}

RULE_BREAKS(kPageExact, TheGapIsNotToldOrWrong) {
  EXPECT_EQ(Tampered({}, [](Page& p) { p.deleted_before_sequence.reset(); }),
            "page-exact: deleted_before_sequence is missing");
  EXPECT_EQ(Tampered({}, [](Page& p) { p.deleted_before_sequence = 4; }),
            "page-exact: deleted_before_sequence is 4; the oldest kept is 5");
  History history;
  history.Turns(1);
  ReadOutcome outcome = history.CoreRead({});
  std::get<Page>(outcome).deleted_before_sequence = 1;
  EXPECT_EQ(history.Read({}, outcome), "page-exact: deleted_before_sequence is present");
}

RULE_BREAKS(kPageExact, ArgumentsOutOfRangeAreAnswered) {
  History history = Retained();
  for (const ReadArguments& bad : {List(1, {}, 0), List(1, {}, 201), List(1, {}, -1), List(1, 5),
                                   List(-1, {}), List({}, -1)}) {
    EXPECT_EQ(history.Read(bad, Page{}),
              "page-exact: arguments out of range are answered with a page");
    EXPECT_EQ(history.Read(bad, ReadRefusal{"out of range"}), "");
  }
}

RULE_BREAKS(kPageExact, AReadInRangeIsRefused) {
  History history = Retained();
  for (const ReadArguments& good : {ReadArguments{}, List(0, {}, 1), List({}, 0, 200)}) {
    EXPECT_EQ(history.Read(good, ReadRefusal{"no"}), "page-exact: the read is refused: no");
  }
}

RULE_BREAKS(kPageExact, A010WorkerRefusesASessionThatItCouldRead) {
  History history;
  history.profile.legacy = true;
  history.Turns(3);
  EXPECT_EQ(history.Read({}, history.CoreRead({})), "");
  EXPECT_EQ(history.Read({}, ReadRefusal{"no"}), "page-exact: the read is refused: no");
  history.profile.legacy = false;
  history.Turns(1);
  history.profile.legacy = true;
  const ReadOutcome outcome = history.CoreRead({});  // it misses what was moved, and says so
  EXPECT_TRUE(std::holds_alternative<ReadRefusal>(outcome));
  EXPECT_EQ(history.Read({}, outcome), "");
  Page window;
  for (const auto& m : history.state.Map(Name::kMessages)) window.messages.push_back(m.value);
  EXPECT_EQ(history.Read({}, window), "page-exact: the page holds 4 messages; due are 8 from 1 on");
}

TEST(ReadRules, AReadIsJudgedByTheLogAsOfTheMomentItLoaded) {
  History history;
  history.Turns(2);
  const Ledger then = history.judge.ledger();
  const ReadOutcome outcome = history.CoreRead({});
  history.Turns(1);
  const ReadArguments snapshot;
  const ReadRecord read{.arguments = snapshot, .outcome = outcome, .profile = {}};
  history.judge.OnRead(read, then, false);
  EXPECT_EQ(history.FirstViolation(), "");
  history.judge.OnRead(read);
  EXPECT_EQ(history.FirstViolation(), "page-exact: the page holds 4 messages; due are 6 from 1 on");
}

}  // namespace
}  // namespace rollover
