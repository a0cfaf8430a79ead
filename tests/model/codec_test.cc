// The encoding itself: what each value looks like, that sizes are exact, that reading is the
// inverse of writing. What must be refused: codec_malformed_test.cc.
#include "model/codec.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/model/builders.h"

namespace rollover {
namespace {

using test::ChunkOf;
using test::MessageOfBytes;

constexpr Sequence kNumberMax = (Sequence{1} << 63) - 1;

struct Example {
  ValueKind kind;
  Value::Body body;
  std::string encoded;
};

// Each value in its plainest and its oddest form.
std::vector<Example> Examples() {
  const std::string odd = "\"\\\b\t\n\f\r\x01\x1f\x7f/\u00e9\u2028\U0001F600";
  const std::string odd_escaped = R"(\"\\\b\t\n\f\r\u0001\u001f)"
                                  "\x7f/\u00e9\u2028\U0001F600";
  const Message one{1, "t1", Role::kUser, Content("\"hi\"")};
  const Message two{2, "t1", Role::kTool, Content("[1, {\"b\":2.0}]")};
  const std::string one_encoded = R"({"sequence":1,"turn_id":"t1","role":"user","content":"hi"})";
  const std::string two_encoded =
      R"({"sequence":2,"turn_id":"t1","role":"tool","content":[1, {"b":2.0}]})";
  return {
      {ValueKind::kMessage, one, one_encoded},
      {ValueKind::kMessage, two, two_encoded},
      {ValueKind::kMessage, Message{kNumberMax, odd, Role::kAssistant, Content("null")},
       fmt::format(
           R"({{"sequence":9223372036854775807,"turn_id":"{}","role":"assistant","content":null}})",
           odd_escaped)},
      {ValueKind::kChunk, Chunk{{MakeValue(one)}},
       fmt::format(R"({{"messages":[{}]}})", one_encoded)},
      {ValueKind::kChunk, Chunk{{MakeValue(one), MakeValue(two)}},
       fmt::format(R"({{"messages":[{},{}]}})", one_encoded, two_encoded)},
      {ValueKind::kIndex, Index{}, R"({"chunks":[],"window_start":1,"oldest_kept":1})"},
      {ValueKind::kIndex, Index{{{1, 9}}, 10, 1},
       R"({"chunks":[{"first":1,"last":9}],"window_start":10,"oldest_kept":1})"},
      {ValueKind::kIndex, Index{{{9, 10}, {12, 12}}, 11, 9},
       R"({"chunks":[{"first":9,"last":10},{"first":12,"last":12}],"window_start":11,)"
       R"("oldest_kept":9})"},
      {ValueKind::kTurnReply, TurnReply{"t1", 2}, R"({"turn_id":"t1","sequence":2})"},
      {ValueKind::kTurnReply, TurnReply{odd, kNumberMax},
       fmt::format(R"({{"turn_id":"{}","sequence":9223372036854775807}})", odd_escaped)},
      {ValueKind::kSummary, Summary{}, R"({"last_sequence":0,"text":""})"},
      {ValueKind::kSummary, Summary{10, odd},
       fmt::format(R"({{"last_sequence":10,"text":"{}"}})", odd_escaped)},
      {ValueKind::kSession, Session{}, R"({"next_sequence":1,"turn_id":null,"status":"idle"})"},
      {ValueKind::kSession, Session{100, "t1"},
       R"({"next_sequence":100,"turn_id":"t1","status":"running"})"},
      {ValueKind::kSession, Session{99, ""},
       R"({"next_sequence":99,"turn_id":"","status":"running"})"},
      {ValueKind::kSession, Session{99, odd},
       fmt::format(R"({{"next_sequence":99,"turn_id":"{}","status":"running"}})", odd_escaped)},
  };
}

TEST(Codec, EachValueHasOneEncoding) {
  for (const Example& example : Examples()) {
    EXPECT_EQ(Encode(*MakeValue(example.body)), example.encoded);
  }
}

TEST(Codec, BytesAreCountedWithoutEncoding) {
  for (const Example& example : Examples()) {
    EXPECT_EQ(EncodedBytes(example.body), example.encoded.size()) << example.encoded;
    EXPECT_EQ(MakeValue(example.body)->encoded_bytes(), example.encoded.size());
  }
}

TEST(Codec, BytesFollowEveryDigit) {
  for (Sequence power = 1; power <= kNumberMax / 10; power *= 10) {
    for (const Sequence n : {power - 1, power, power + 1}) {
      const auto exact = [](const Value::Body& body) {
        EXPECT_EQ(EncodedBytes(body), Encode(*MakeValue(body)).size());
      };
      exact(Message{n, "t", Role::kTool, Content("0")});
      exact(Index{{{n, n}, {n, n}, {n, n}}, n, n});
      exact(TurnReply{"t", n});
      exact(Summary{n, "t"});
      exact(Session{n, "t"});
      exact(Session{n, std::nullopt});
    }
  }
}

TEST(Codec, ReadingIsTheInverseOfWriting) {
  for (const Example& example : Examples()) {
    const auto decoded = Decode(example.kind, example.encoded);
    ASSERT_TRUE(decoded) << example.encoded << ": " << decoded.error().reason;
    EXPECT_TRUE(*decoded.value() == *MakeValue(example.body)) << example.encoded;
    EXPECT_EQ(decoded.value()->digest(), MakeValue(example.body)->digest());
    EXPECT_EQ(Encode(*decoded.value()), example.encoded);
  }
}

TEST(Codec, AContentKeepsItsSpelling) {
  for (const char* content : {"1.0", "1e2", "-0", "\"\\u0041\\/\"", "{ \"b\" : 1, \"a\" : 1 }",
                              "\"\\uD83D\\uDE00\"", "[\n]"}) {
    const std::string encoded =
        std::string(R"({"sequence":1,"turn_id":"t","role":"user","content":)") + content + "}";
    const auto decoded = Decode(ValueKind::kMessage, encoded);
    ASSERT_TRUE(decoded) << content;
    EXPECT_EQ(decoded.value()->message().content.encoded(), content);
    EXPECT_EQ(Encode(*MakeValue(Chunk{{decoded.value()}})),
              fmt::format(R"({{"messages":[{}]}})", encoded));
  }
}

TEST(Codec, AChunkJoinsTheBytesOfItsMessages) {
  const ValueRef chunk = ChunkOf(9, 11, 100);
  EXPECT_EQ(Encode(*chunk),
            fmt::format(R"({{"messages":[{},{},{}]}})", Encode(*MessageOfBytes(9, 100)),
                        Encode(*MessageOfBytes(10, 100)), Encode(*MessageOfBytes(11, 100))));
  EXPECT_EQ(chunk->encoded_bytes(), kChunkWrapperBytes + 3 * 100 + 2);
}

TEST(Codec, AMessageAloneCostsFifteenBytesMore) {
  const ValueRef message = MessageOfBytes(7, 321);
  EXPECT_EQ(AloneBytes(message->encoded_bytes()), 321u + 15);
  EXPECT_EQ(ChunkOf(7, 7, 321)->encoded_bytes(), AloneBytes(321));
}

TEST(Codec, TheHeaderIsTheMessageWithoutItsContent) {
  for (const Role role : {Role::kUser, Role::kAssistant, Role::kTool}) {
    const Message message{1234, "t\"\u00e9", role, Content("[1,2]")};
    EXPECT_EQ(MessageHeaderBytes(1234, "t\"\u00e9", role) + 5, EncodedBytes(message));
  }
}

TEST(Codec, SizesAreBytesAndNotCharacters) {
  const auto bytes = [](std::string_view text) {
    return EncodedBytes(Message{1, "t", Role::kUser, test::Text(text)});
  };
  EXPECT_EQ(bytes("\u00e9"), bytes("a") + 1);
  EXPECT_EQ(bytes("\u2028"), bytes("a") + 2);
  EXPECT_EQ(bytes("\U0001F600"), bytes("a") + 3);
  EXPECT_EQ(bytes("\n"), bytes("a") + 1);
  EXPECT_EQ(bytes("\x01"), bytes("a") + 5);
  EXPECT_EQ(bytes("\x7f"), bytes("a"));
}

TEST(Codec, RoleNamesAreWhatIsWritten) {
  EXPECT_EQ(RoleName(Role::kUser), "user");
  EXPECT_EQ(RoleName(Role::kAssistant), "assistant");
  EXPECT_EQ(RoleName(Role::kTool), "tool");
}

TEST(Codec, DigitsOfZeroToTheLargestNumber) {
  EXPECT_EQ(DecimalDigits(0), 1u);
  EXPECT_EQ(DecimalDigits(9), 1u);
  EXPECT_EQ(DecimalDigits(10), 2u);
  EXPECT_EQ(DecimalDigits(999), 3u);
  EXPECT_EQ(DecimalDigits(1000), 4u);
  EXPECT_EQ(DecimalDigits(kNumberMax), 19u);
  EXPECT_EQ(DecimalDigits(~std::uint64_t{0}), 20u);
}

TEST(Value, DifferentMeaningsDiffer) {
  const std::vector<Example> examples = Examples();
  for (std::size_t i = 0; i < examples.size(); ++i) {
    for (std::size_t j = 0; j < examples.size(); ++j) {
      const ValueRef a = MakeValue(examples[i].body);
      const ValueRef b = MakeValue(examples[j].body);
      EXPECT_EQ(*a == *b, i == j) << examples[i].encoded << " and " << examples[j].encoded;
      EXPECT_EQ(a->digest() == b->digest(), i == j);
    }
  }
}

TEST(Value, IdleIsNotATurnWithoutAName) {
  EXPECT_FALSE(*MakeValue(Session{99, ""}) == *MakeValue(Session{99, std::nullopt}));
}

}  // namespace
}  // namespace rollover
