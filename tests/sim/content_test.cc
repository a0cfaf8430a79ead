#include "sim/content.h"

#include <gtest/gtest.h>

#include "model/codec.h"
#include "model/json_text.h"

namespace rollover {
namespace {

constexpr std::uint64_t kCap = 1024;
constexpr std::uint64_t kLimit = 4096;
const TurnId kTurn = "t00000007";

Message Expanded(const ContentSpec& spec, Sequence sequence, Role role = Role::kUser) {
  const Content content = Expand(spec, {.sequence = sequence,
                                        .turn_id = kTurn,
                                        .role = role,
                                        .cap = kCap,
                                        .limit = kLimit,
                                        .place = 3});
  return {sequence, kTurn, role, content};
}

ContentSpec Filled(Fill fill, SizeBase base, std::int64_t amount) {
  ContentSpec spec;
  spec.fill = fill;
  spec.base = base;
  spec.amount = amount;
  return spec;
}

std::uint64_t Alone(const Message& message) { return AloneBytes(EncodedBytes(message)); }

class EveryFill : public testing::TestWithParam<std::size_t> {
 protected:
  Fill fill() const { return static_cast<Fill>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Content, EveryFill, testing::Range<std::size_t>(0, kFillCount));

TEST_P(EveryFill, IsOneJsonValueOfExactlyTheBytesAskedFor) {
  for (std::int64_t bytes = 2; bytes < 300; ++bytes) {
    const Message message = Expanded(Filled(fill(), SizeBase::kBytes, bytes), 1);
    ASSERT_EQ(message.content.encoded().size(), static_cast<std::size_t>(bytes));
    ASSERT_FALSE(NotOneJsonValue(message.content.encoded())) << message.content.encoded();
  }
}

TEST_P(EveryFill, MeetsTheCapAndBothItsNeighbours) {
  for (const Sequence sequence : {Sequence{9}, Sequence{10}, Sequence{12345}}) {
    for (const std::int64_t off : {-1, 0, 1}) {
      const Message message = Expanded(Filled(fill(), SizeBase::kCap, off), sequence, Role::kTool);
      EXPECT_EQ(Alone(message), kCap + static_cast<std::uint64_t>(off));
    }
  }
}

TEST_P(EveryFill, MeetsTheValueLimit) {
  EXPECT_EQ(Alone(Expanded(Filled(fill(), SizeBase::kLimit, 0), 1)), kLimit);
  EXPECT_EQ(Alone(Expanded(Filled(fill(), SizeBase::kLimit, 1), 1)), kLimit + 1);
}

TEST(Content, MessageSizeLeavesTheDigitsOfTheSequenceOut) {
  for (const Sequence sequence : {Sequence{1}, Sequence{99}, Sequence{1600}}) {
    const Message message = Expanded(Filled(Fill::kAscii, SizeBase::kMessage, 1440), sequence);
    EXPECT_EQ(EncodedBytes(message), 1440 + DecimalDigits(sequence));
  }
}

TEST(Content, NothingIsSmallerThanTheEmptyString) {
  EXPECT_EQ(Expanded(Filled(Fill::kAscii, SizeBase::kBytes, -5), 1).content.encoded(), "\"\"");
  EXPECT_EQ(Expanded(Filled(Fill::kJson, SizeBase::kMessage, 1), 1).content.encoded(), "\"\"");
}

TEST(Content, NothingIsLargerThanTheMaximum) {
  const auto spec = Filled(Fill::kAscii, SizeBase::kBytes, std::int64_t{1} << 40);
  EXPECT_EQ(Expanded(spec, 1).content.encoded().size(), kContentBytesMax);
}

TEST(Content, OfTwoPlacesNeverLooksAlike) {
  const ContentSpec spec = Filled(Fill::kAscii, SizeBase::kBytes, 40);
  const ContentFrame frame{.sequence = 1, .turn_id = kTurn, .place = 1};
  const ContentFrame other{.sequence = 1, .turn_id = kTurn, .place = 2};
  EXPECT_NE(Expand(spec, frame).encoded(), Expand(spec, other).encoded());
}

TEST(Content, JsonIsEmbeddedVerbatim) {
  ContentSpec spec;
  spec.kind = ContentSpec::Kind::kJson;
  spec.text = "{\"b\": 1.50, \"a\":\"\\u0041\"}";
  EXPECT_EQ(Expanded(spec, 1).content.encoded(), spec.text);
}

TEST(Content, TextIsEncodedCanonically) {
  ContentSpec spec;
  spec.kind = ContentSpec::Kind::kText;
  spec.text = "a\"\n\x01\xe4\xbc\x9a";
  EXPECT_EQ(Expanded(spec, 1).content.encoded(), "\"a\\\"\\n\\u0001\xe4\xbc\x9a\"");
}

TEST(Content, IsNeverLargerThanItsBound) {
  for (std::size_t f = 0; f < kFillCount; ++f) {
    for (const SizeBase base :
         {SizeBase::kBytes, SizeBase::kMessage, SizeBase::kCap, SizeBase::kLimit}) {
      const ContentSpec spec = Filled(static_cast<Fill>(f), base, 77);
      EXPECT_LE(Expanded(spec, 1).content.encoded().size(), ContentBytesAtMost(spec, kCap, kLimit));
    }
  }
}

}  // namespace
}  // namespace rollover
