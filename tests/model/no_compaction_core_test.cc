// The reference core without compaction: it never deletes, its model sees every kept message.
#include <gtest/gtest.h>

#include "tests/model/builders.h"

namespace rollover {
namespace {

using test::CoreSession;
using test::Show;
using test::Text;
using test::Texts;

const Options kSmall = {.message_window_size = 4,
                        .message_chunk_size = 2,
                        .message_chunk_max_bytes = kKibibyte,
                        .retained_message_limit = 0};

// A session that a core with compaction has run, and from which it has deleted 1 and 2; between
// turns, so that the core may be swapped.
FlowState WithDeletedMessages() {
  CoreSession session = test::Reference(kSmall);
  for (const TurnId turn : {"t1", "t2"}) session.RunTurn(turn);
  session.Run(StartTurn{"t3", Text("hello")});
  session.Run(CoreSession::TooLong("t3", 2));
  session.Run(CompactContext{"t3", 2, "summary"});
  session.Run(CoreSession::Reply("t3"));
  return session.state;
}

CoreSession OnDeletedMessages() {
  CoreSession session = test::NoCompaction(kSmall);
  session.state = WithDeletedMessages();
  return session;
}

std::size_t Warnings(const StepResult& result) {
  return static_cast<std::size_t>(
      std::count_if(result.events.begin(), result.events.end(),
                    [](const Event& event) { return event.kind == EventKind::kWarning; }));
}

TEST(NoCompaction, NeverDeletesAChunk) {
  CoreSession session = test::NoCompaction(kSmall);
  for (int i = 0; i < 20; ++i) session.RunTurn(fmt::format("turn {}", i));
  EXPECT_EQ(session.state.Get<Index>(Name::kIndex)->oldest_kept, 1u);
  EXPECT_LE(session.state.Map(Name::kMessages).size(), 4u);
}

TEST(NoCompaction, TheModelSeesEveryMessage) {
  CoreSession session = test::NoCompaction(kSmall);
  for (int i = 0; i < 5; ++i) session.RunTurn(fmt::format("turn {}", i));
  session.Run(StartTurn{"t", Text("hello")});
  EXPECT_EQ(Show(*session.Run(CoreSession::Reply("t")).model_input), "1-11");
  EXPECT_EQ(session.unloaded_read, "");
}

TEST(NoCompaction, TheModelSeesWhatIsKeptWhateverTheSummarySays) {
  // Given a summary up to 4 with 1 and 2 deleted: 3 and 4 are kept, and seen.
  CoreSession session = OnDeletedMessages();
  session.state.Apply({Name::kSummary, 0, MakeValue(Summary{4, "summary"})});
  session.Run(StartTurn{"t", Text("hello")});
  EXPECT_EQ(Show(*session.Run(CoreSession::Reply("t")).model_input), "3-7");
}

TEST(NoCompaction, TooLongAContextFailsTheTurn) {
  CoreSession session = test::NoCompaction(kSmall);
  session.Run(StartTurn{"t1", Text("hello")});
  const StepOutcome outcome = session.Invoke(CoreSession::TooLong("t1", 1));
  const auto* failure = std::get_if<StepFailure>(&outcome);
  ASSERT_NE(failure, nullptr);
  EXPECT_FALSE(failure->retryable);
}

TEST(DeletedMessages, AreWarnedOfOnceAProcess) {
  CoreSession session = OnDeletedMessages();
  EXPECT_EQ(Warnings(session.Run(StartTurn{"t4", Text("hello")})), 1u);
  EXPECT_EQ(Warnings(session.Run(CoreSession::Reply("t4"))), 0u);
  EXPECT_EQ(Warnings(session.RunTurn("t5")), 0u);
  // Mishap: the process dies, and with it what it remembered.
  session.core = MakeNoCompactionCore(kSmall);
  EXPECT_EQ(Warnings(session.Run(StartTurn{"t6", Text("hello")})), 1u);
}

TEST(DeletedMessages, AreStillWarnedOfAfterAStepThatFailed) {
  CoreSession session = OnDeletedMessages();
  session.Run(StartTurn{"t4", Text("hello")});
  session.core = MakeNoCompactionCore(kSmall);
  // A failed Step's events reach nobody.
  const StepOutcome outcome = session.Invoke(CoreSession::TooLong("t4", 1));
  ASSERT_TRUE(std::holds_alternative<StepFailure>(outcome));
  EXPECT_EQ(Warnings(session.Run(RecordTurnFailure{"t4", "too long"})), 1u);
}

TEST(DeletedMessages, NobodyIsWarnedWhenNoneAreDeleted) {
  CoreSession session = test::NoCompaction(kSmall);
  for (const TurnId turn : {"t1", "t2", "t3", "t4"}) EXPECT_EQ(Warnings(session.RunTurn(turn)), 0u);
}

TEST(DeletedMessages, NobodyIsWarnedByACoreThatCompacts) {
  CoreSession session = test::Reference(kSmall);
  session.state = WithDeletedMessages();
  EXPECT_EQ(Warnings(session.RunTurn("t4")), 0u);
}

}  // namespace
}  // namespace rollover
