// The source publishes what its 800-turn guard measured (retention limit 100): stored messages of
// 161,708 / 184,796 / 161,820 / 184,924 bytes at turns 200 / 400 / 600 / 800, 2.3 MB stored in all.
// Storing and retaining alone must reproduce them to the byte.
#include <gtest/gtest.h>

#include "tests/model/builders.h"

namespace rollover {
namespace {

// What distinguishes a turn of the guard: two messages, a compaction up to the last of them, and
// messages whose encodings are 1,440 bytes and the digits of their sequence.
constexpr std::uint64_t kBytesBesideSequence = 1440;

struct Checkpoint {
  std::uint64_t turn = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t kept_messages = 0;
  std::size_t chunks = 0;

  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

TEST(PublishedFigures, OfTheEightHundredTurnGuardAreReproducedToTheByte) {
  test::StoredSession session{.options = {.retained_message_limit = 100}};
  std::uint64_t bytes_over_the_session = 0;
  std::vector<Checkpoint> seen;
  for (std::uint64_t turn = 1; turn <= 800; ++turn) {
    for (int message = 0; message < 2; ++message) {
      const std::uint64_t bytes = kBytesBesideSequence + DecimalDigits(session.next_sequence);
      session.Store({bytes});
      bytes_over_the_session += bytes;
    }
    session.Compact(session.next_sequence - 1);
    if (turn % 200 != 0) continue;
    const Index& index = *session.state.Get<Index>(Name::kIndex);
    seen.push_back({turn, session.state.stored_message_bytes(),
                    session.next_sequence - index.oldest_kept, index.chunks.size()});
  }
  EXPECT_EQ(seen[0], (Checkpoint{200, 161'708, 112, 2}));
  EXPECT_EQ(seen[1], (Checkpoint{400, 184'796, 128, 2}));
  EXPECT_EQ(seen[2], (Checkpoint{600, 161'820, 112, 2}));
  EXPECT_EQ(seen[3], (Checkpoint{800, 184'924, 128, 2}));
  EXPECT_EQ(bytes_over_the_session, 2'309'293u);
}

TEST(PublishedFigures, TheRestOfTheLiveStateGrowsByItsDigitsOnly) {
  // Whole live state less stored messages: 5,622 / 5,622 / 5,631 / 5,631 bytes. Nine sequences live
  // outside the messages, and between turns 400 and 600 each gains a digit.
  test::StoredSession session{.options = {.retained_message_limit = 100}};
  std::vector<std::uint64_t> rest;
  for (std::uint64_t turn = 1; turn <= 800; ++turn) {
    const Sequence replies_from = session.next_sequence + 1;
    session.Store({1440});
    session.Store({1440});
    const Sequence last = session.next_sequence - 1;
    session.Compact(last);
    session.state.Apply({Name::kTurnReply, 0, MakeValue(TurnReply{"turn", replies_from})});
    session.state.Apply({Name::kSummary, 0, MakeValue(Summary{last, "summary"})});
    session.state.Apply({Name::kSession, 0, MakeValue(Session{last + 1, std::nullopt})});
    if (turn % 200 != 0) continue;
    rest.push_back(session.state.live_bytes() - session.state.stored_message_bytes());
  }
  EXPECT_EQ(rest[1], rest[0]);
  EXPECT_EQ(rest[2], rest[0] + 9);
  EXPECT_EQ(rest[3], rest[0] + 9);
}

}  // namespace
}  // namespace rollover
