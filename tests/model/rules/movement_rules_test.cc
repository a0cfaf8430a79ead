// bounded-loads: where a turn goes next, and which keys that Step may load.
#include <algorithm>

#include "tests/model/rules/history.h"

namespace rollover {
namespace {

const Load kChunk1{.name = Name::kChunks, .key = 1};
const Load kChunk3{.name = Name::kChunks, .key = 3};
const Load kAllChunks{.name = Name::kChunks, .all = true};

// Chunks [1,2] and [3,4] are stored, the summary reaches 2, the window holds 5 .. 7; t7 runs.
History SummarisedTo2() {
  History history;
  history.options.retained_message_limit = std::nullopt;
  history.Turns(3);
  history.Legal(Start("t7"));
  history.Legal(TooLong("t7", 2));
  history.Legal(Compact("t7", 2));
  return history;
}

void Add(LoadList& loads, const Load& load) { loads.push_back(load); }
void Remove(LoadList& loads, const Load& load) {
  const auto at = std::find(loads.begin(), loads.end(), load);
  ASSERT_NE(at, loads.end());
  loads.erase(at);
}

// The movement to RunModel that ResumeTurn makes, changed.
std::string Resuming(const std::function<void(Movement&)>& change) {
  History history = SummarisedTo2();
  history.Legal(Reply("t7", 1));  // 5 .. 8
  return history.Tampered(Resume("t7", 1), [&](StepResult& r) { change(*r.next); });
}

RULE_BREAKS(kBoundedLoads, AChunkThatTheSummaryCoversIsLoaded) {
  EXPECT_EQ(Resuming([](Movement& m) { Add(m.loads, kChunk1); }),
            "bounded-loads: loads of RunModel are AgentMessageIndex TurnReplySequence "
            "ContextSummary AgentSession AgentMessages(all) chunk 1 chunk 3 chunk 5; due are "
            "AgentMessageIndex TurnReplySequence ContextSummary AgentSession AgentMessages(all) "
            "chunk 3 chunk 5");
}

RULE_BREAKS(kBoundedLoads, AChunkAfterTheSummaryIsNotLoaded) {
  const auto broken = Resuming([](Movement& m) { Remove(m.loads, kChunk3); });
  EXPECT_TRUE(broken.starts_with("bounded-loads: loads of RunModel are ")) << broken;
}

RULE_BREAKS(kBoundedLoads, EveryChunkIsLoadedThoughCompactionIsOn) {
  const auto broken = Resuming([](Movement& m) { Add(m.loads, kAllChunks); });
  EXPECT_TRUE(broken.starts_with("bounded-loads: loads of RunModel are ")) << broken;
}

RULE_BREAKS(kBoundedLoads, TheControlLoadsDiffer) {
  const auto broken = Resuming([](Movement& m) { m.control_loads.pop_back(); });
  EXPECT_TRUE(broken.starts_with("bounded-loads: control loads of RunModel are ")) << broken;
}

RULE_BREAKS(kBoundedLoads, AnAttributeIsMissingOrRepeatedOrHasAKey) {
  for (const auto& change : std::vector<std::function<void(LoadList&)>>{
           [](LoadList& l) { Remove(l, {.name = Name::kSummary}); },
           [](LoadList& l) { Add(l, {.name = Name::kSummary}); },
           [](LoadList& l) { Add(l, kChunk3); },
           [](LoadList& l) { Add(l, {.name = Name::kMessages, .key = 7}); },
           [](LoadList& l) {
             Remove(l, {.name = Name::kSummary});
             Add(l, {.name = Name::kSummary, .key = 3});
           },
           [](LoadList& l) { l.clear(); },
       }) {
    const auto broken = Resuming([&](Movement& m) { change(m.loads); });
    EXPECT_TRUE(broken.starts_with("bounded-loads: loads of RunModel are ")) << broken;
  }
}

TEST(MovementRules, TheOrderOfLoadsDoesNotMatter) {
  EXPECT_EQ(Resuming([](Movement& m) { std::reverse(m.loads.begin(), m.loads.end()); }), "");
}

// Every kept chunk one by one, and all of them: the same values.
TEST(MovementRules, EveryKeyAndAllAreTheSame) {
  History history;
  history.Turns(2);
  EXPECT_EQ(history.Tampered(Start("t5"),
                             [](StepResult& r) {
                               Remove(r.next->loads, kChunk1);
                               Add(r.next->loads, kAllChunks);
                             }),
            "");
}

RULE_BREAKS(kBoundedLoads, EveryKeyIsListedBesidesAll) {
  History history;
  history.Turns(2);
  const std::string broken =
      history.Tampered(Start("t5"), [](StepResult& r) { Add(r.next->loads, kAllChunks); });
  EXPECT_TRUE(broken.starts_with("bounded-loads: loads of RunModel are ")) << broken;
}

RULE_BREAKS(kBoundedLoads, ATurnMovesToAnotherStep) {
  const auto moving = [](const StepInput& input, std::optional<Movement> to) {
    History history;
    history.Legal(Start("t1"));
    return history.Tampered(input, [&](StepResult& r) { r.next = to; });
  };
  EXPECT_EQ(moving(Reply("t1", 1), std::nullopt),
            "bounded-loads: RunModel moves to the turn's end; due is ResumeTurn");
  EXPECT_EQ(moving(Reply("t1", 1), Movement{StepKind::kRunModel}),
            "bounded-loads: RunModel moves to RunModel; due is ResumeTurn");
  EXPECT_EQ(moving(Reply("t1"), Movement{StepKind::kRunModel}),
            "bounded-loads: RunModel moves to RunModel; due is the turn's end");
  EXPECT_EQ(moving(TooLong("t1", 1), Movement{StepKind::kRunModel}),
            "bounded-loads: RunModel moves to RunModel; due is CompactContext");
  EXPECT_EQ(moving(Cancel("t1"), Movement{StepKind::kRunModel}),
            "bounded-loads: ApplyTurnControl moves to RunModel; due is FinishTurnCancellation");
  EXPECT_EQ(moving(Fail("t1"), Movement{StepKind::kRunModel}),
            "bounded-loads: RecordTurnFailure moves to RunModel; due is the turn's end");
}

// CompactContext from 2 to `through`: chunk [3,4] starts at or before it, or not.
RULE_BREAKS(kBoundedLoads, ACompactionLoadsMoreThanItSummarises) {
  for (const Sequence through : {2u, 3u, 4u}) {
    History history = SummarisedTo2();
    const StepResult legal = history.Run(TooLong("t7", through));
    const bool listed = std::find(legal.next->loads.begin(), legal.next->loads.end(), kChunk3) !=
                        legal.next->loads.end();
    EXPECT_EQ(listed, through >= 3) << through;
    History copy = history;
    EXPECT_EQ(copy.Judged(TooLong("t7", through), legal), "");
    const std::string broken = history.Tampered(TooLong("t7", through), [&](StepResult& r) {
      listed ? Remove(r.next->loads, kChunk3) : Add(r.next->loads, kChunk3);
    });
    EXPECT_TRUE(broken.starts_with("bounded-loads: loads of CompactContext are ")) << broken;
  }
}

RULE_BREAKS(kBoundedLoads, WithoutCompactionAChunkIsNotLoaded) {
  History history;
  history.profile.compaction = false;
  history.Turns(3);
  history.Legal(Start("t7"));
  history.Legal(Reply("t7", 1));
  const std::string broken = history.Tampered(Resume("t7", 1), [](StepResult& r) {
    Remove(r.next->loads, kAllChunks);
    Add(r.next->loads, kChunk3);
  });
  EXPECT_TRUE(broken.starts_with("bounded-loads: loads of RunModel are ")) << broken;
}

RULE_BREAKS(kBoundedLoads, A010WorkerListsTheIndex) {
  History history;
  history.profile.legacy = true;
  const std::string broken = history.Tampered(
      Start("t1"), [](StepResult& r) { Add(r.next->loads, {.name = Name::kIndex}); });
  EXPECT_EQ(broken,
            "bounded-loads: loads of RunModel are AgentMessageIndex ContextSummary AgentSession "
            "AgentMessages(all); due are ContextSummary AgentSession AgentMessages(all)");
}

RULE_BREAKS(kBoundedLoads, AHandlerReadsWhatWasNotLoaded) {
  History history;
  history.judge.OnUnloadedRead(StepKind::kResumeTurn, "TurnReplySequence");
  EXPECT_EQ(history.FirstViolation(),
            "bounded-loads: ResumeTurn reads TurnReplySequence, which was not loaded");
}

}  // namespace
}  // namespace rollover
