// Whatever is not exactly the one encoding of a value is refused, and never crashes the reader.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/codec.h"
#include "model/json_text.h"

namespace rollover {
namespace {

const std::string kMessage = R"({"sequence":12,"turn_id":"t\n","role":"tool","content":[1,"a"]})";
const std::string kOther = R"({"sequence":13,"turn_id":"t\n","role":"user","content":7})";
std::string InChunk(const std::string& messages) {
  return fmt::format(R"({{"messages":[{}]}})", messages);
}
const std::string kChunk = InChunk(fmt::format("{},{}", kMessage, kOther));
const std::string kIndex =
    R"({"chunks":[{"first":1,"last":9},{"first":10,"last":12}],"window_start":13,"oldest_kept":1})";
const std::string kReply = R"({"turn_id":"t1","sequence":12})";
const std::string kSummary = R"({"last_sequence":12,"text":"all \u0001"})";
const std::string kRunning = R"({"next_sequence":14,"turn_id":"t1","status":"running"})";
const std::string kIdle = R"({"next_sequence":14,"turn_id":null,"status":"idle"})";

struct Sample {
  ValueKind kind;
  std::string encoded;
};
const std::vector<Sample> kSamples = {
    {ValueKind::kMessage, kMessage}, {ValueKind::kChunk, kChunk},
    {ValueKind::kIndex, kIndex},     {ValueKind::kTurnReply, kReply},
    {ValueKind::kSummary, kSummary}, {ValueKind::kSession, kRunning},
    {ValueKind::kSession, kIdle}};

std::string Replaced(const std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " is not in " << text;
  return fmt::format("{}{}{}", text.substr(0, at), to, text.substr(at + from.size()));
}

// Accepted as it is, refused once `from` reads `to`.
void ExpectRefused(ValueKind kind, const std::string& text, const std::string& from,
                   const std::string& to) {
  EXPECT_TRUE(Decode(kind, text)) << text;
  const std::string changed = Replaced(text, from, to);
  const auto decoded = Decode(kind, changed);
  EXPECT_FALSE(decoded) << changed;
  if (decoded) return;
  EXPECT_FALSE(decoded.error().reason.empty()) << changed;
  EXPECT_LE(decoded.error().position, changed.size()) << changed;
}

TEST(CodecMalformed, TheSamplesThemselvesAreRead) {
  for (const Sample& sample : kSamples) {
    const auto decoded = Decode(sample.kind, sample.encoded);
    ASSERT_TRUE(decoded) << sample.encoded << ": " << decoded.error().reason;
    EXPECT_EQ(Encode(*decoded.value()), sample.encoded);
  }
}

TEST(CodecMalformed, TruncatedAtAnyByteIsRefused) {
  for (const Sample& sample : kSamples) {
    for (std::size_t length = 0; length < sample.encoded.size(); ++length) {
      const std::string cut = sample.encoded.substr(0, length);
      const auto decoded = Decode(sample.kind, cut);
      ASSERT_FALSE(decoded) << cut;
      EXPECT_LE(decoded.error().position, length) << cut;
    }
  }
}

TEST(CodecMalformed, AnyTrailingByteIsRefused) {
  for (const Sample& sample : kSamples) {
    for (const char* tail : {" ", "\n", "}", ",", "x"}) {
      const auto decoded = Decode(sample.kind, sample.encoded + tail);
      ASSERT_FALSE(decoded) << sample.encoded << tail;
      EXPECT_EQ(decoded.error().position, sample.encoded.size());
    }
    EXPECT_FALSE(Decode(sample.kind, sample.encoded + std::string(1, '\0')));
  }
}

TEST(CodecMalformed, ASpaceBetweenTokensIsRefused) {
  for (const Sample& sample : kSamples) {
    if (sample.kind == ValueKind::kChunk || sample.kind == ValueKind::kMessage) continue;
    bool inside = false;
    for (std::size_t at = 0; at < sample.encoded.size(); ++at) {
      const bool quote = sample.encoded[at] == '"';
      if (!inside) {
        const std::string_view text = sample.encoded;
        const std::string spaced = fmt::format("{} {}", text.substr(0, at), text.substr(at));
        EXPECT_FALSE(Decode(sample.kind, spaced)) << spaced;
      }
      if (quote) inside = !inside;
    }
  }
  for (const char* token :
       {"{\"sequence", ":12", ",\"turn_id", "\"t\\n", ",\"role", "\"tool", "}"}) {
    ExpectRefused(ValueKind::kMessage, kMessage, token, fmt::format(" {}", token));
  }
}

TEST(CodecMalformed, ASpaceAroundAContentIsRefused) {
  ExpectRefused(ValueKind::kMessage, kMessage, ":[1", ": [1");
  ExpectRefused(ValueKind::kMessage, kMessage, "]}", "] }");
  ExpectRefused(ValueKind::kChunk, kChunk, "},{", "}, {");
  ExpectRefused(ValueKind::kChunk, kChunk, ":7}", ":7 }");
}

TEST(CodecMalformed, AnyReplacedByteIsRefusedOrReadsAsWritten) {
  // Total over single-byte damage: whatever is still accepted encodes to the very same bytes.
  for (const Sample& sample : kSamples) {
    for (std::size_t at = 0; at < sample.encoded.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string damaged = sample.encoded;
        damaged[at] = static_cast<char>(byte);
        const auto decoded = Decode(sample.kind, damaged);
        if (decoded) {
          ASSERT_EQ(Encode(*decoded.value()), damaged);
        }
      }
    }
  }
}

TEST(CodecMalformed, KeysInAnotherOrderAreRefused) {
  for (const auto& [kind, text] : std::vector<Sample>{
           {ValueKind::kMessage, R"({"turn_id":"t","sequence":1,"role":"user","content":1})"},
           {ValueKind::kMessage, R"({"sequence":1,"turn_id":"t","content":1,"role":"user"})"},
           {ValueKind::kIndex, R"({"chunks":[],"oldest_kept":1,"window_start":1})"},
           {ValueKind::kIndex, R"({"chunks":[{"last":1,"first":1}],"window_start":2,)"
                               R"("oldest_kept":1})"},
           {ValueKind::kTurnReply, R"({"sequence":12,"turn_id":"t1"})"},
           {ValueKind::kSummary, R"({"text":"","last_sequence":1})"},
           {ValueKind::kSession, R"({"turn_id":null,"next_sequence":1,"status":"idle"})"}}) {
    EXPECT_FALSE(Decode(kind, text)) << text;
  }
}

TEST(CodecMalformed, AKeyMoreOrLessIsRefused) {
  ExpectRefused(ValueKind::kMessage, kMessage, ",\"role\":\"tool\"", "");
  ExpectRefused(ValueKind::kMessage, kMessage, ",\"role\"", ",\"x\":1,\"role\"");
  ExpectRefused(ValueKind::kTurnReply, kReply, ",\"sequence\":12", "");
  ExpectRefused(ValueKind::kSession, kIdle, ",\"status\":\"idle\"", "");
}

TEST(CodecMalformed, ARoleThatIsNoneIsRefused) {
  for (const char* role : {"system", "User", "", "users", "us"}) {
    ExpectRefused(ValueKind::kMessage, kMessage, "\"tool\"", fmt::format("\"{}\"", role));
  }
}

TEST(CodecMalformed, AStatusThatContradictsTheTurnIsRefused) {
  ExpectRefused(ValueKind::kSession, kIdle, "idle", "running");
  ExpectRefused(ValueKind::kSession, kRunning, "running", "idle");
  ExpectRefused(ValueKind::kSession, kRunning, "running", "done");
}

TEST(CodecMalformed, NumbersHaveOneSpelling) {
  for (const char* number :
       {"012", "00", "+12", "-12", "12.0", "1e1", "\"12\"", "", "0x12", "null", " 12", "12 ",
        "9223372036854775808", "18446744073709551616", "99999999999999999999999"}) {
    ExpectRefused(ValueKind::kMessage, kMessage, ":12,", fmt::format(":{},", number));
    ExpectRefused(ValueKind::kIndex, kIndex, ":12}", fmt::format(":{}}}", number));
    ExpectRefused(ValueKind::kTurnReply, kReply, ":12}", fmt::format(":{}}}", number));
    ExpectRefused(ValueKind::kSummary, kSummary, ":12,", fmt::format(":{},", number));
    ExpectRefused(ValueKind::kSession, kIdle, ":14,", fmt::format(":{},", number));
  }
}

TEST(CodecMalformed, NumbersEndBelowTwoToTheSixtyThird) {
  const std::string last = R"({"turn_id":"t","sequence":9223372036854775807})";
  const auto decoded = Decode(ValueKind::kTurnReply, last);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded.value()->as<TurnReply>()->sequence, 9223372036854775807u);
  EXPECT_FALSE(Decode(ValueKind::kTurnReply, R"({"turn_id":"t","sequence":9223372036854775808})"));
}

TEST(CodecMalformed, StringsHaveOneSpelling) {
  for (const char* spelling :
       {"\\u0041", "\\/", "\\u000A", "\\u000a", "\\u001F", "\\u00e9", "\\ud83d", "\\ud83d\\ude00",
        "\\x41", "\\u12", "\n", "\x01", "\xff", "\xc3", "\xed\xa0\x80", "\xc0\x80"}) {
    ExpectRefused(ValueKind::kMessage, kMessage, "t\\n", spelling);
    ExpectRefused(ValueKind::kTurnReply, kReply, "t1", spelling);
    ExpectRefused(ValueKind::kSummary, kSummary, "all", spelling);
    ExpectRefused(ValueKind::kSession, kRunning, "t1", spelling);
  }
}

TEST(CodecMalformed, AContentMustBeJsonInUtf8) {
  for (const char* content :
       {"", "nul", "\"\xff\"", R"("\ud83d")", R"("\ude00")", R"("\ud83d\u0041")", "[1,]", "01",
        "'a'", "\"\xed\xa0\xbd\"", "1,\"x\":2"}) {
    ExpectRefused(ValueKind::kMessage, kMessage, "[1,\"a\"]", content);
    ExpectRefused(ValueKind::kChunk, kChunk, "[1,\"a\"]", content);
  }
}

TEST(CodecMalformed, AContentNestsSoDeepAndNoDeeper) {
  const auto message = [](std::size_t depth) {
    return Replaced(kMessage, "[1,\"a\"]", std::string(depth, '[').append(depth, ']'));
  };
  EXPECT_TRUE(Decode(ValueKind::kMessage, message(kJsonDepthMax)));
  EXPECT_FALSE(Decode(ValueKind::kMessage, message(kJsonDepthMax + 1)));
  // Inside a chunk the depth counts from the content, not from the chunk.
  EXPECT_TRUE(Decode(ValueKind::kChunk, InChunk(message(kJsonDepthMax))));
  EXPECT_FALSE(Decode(ValueKind::kChunk, InChunk(message(kJsonDepthMax + 1))));
}

TEST(CodecMalformed, AnEmptyChunkIsRefused) {
  EXPECT_FALSE(Decode(ValueKind::kChunk, R"({"messages":[]})"));
  EXPECT_TRUE(Decode(ValueKind::kChunk, InChunk(kOther)));
}

TEST(CodecMalformed, AListWithAStrayCommaIsRefused) {
  ExpectRefused(ValueKind::kChunk, kChunk, "7}]", "7},]");
  ExpectRefused(ValueKind::kChunk, kChunk, "[{", "[,{");
  ExpectRefused(ValueKind::kIndex, kIndex, "12}]", "12},]");
  ExpectRefused(ValueKind::kIndex, kIndex, "[{", "[,{");
}

TEST(CodecMalformed, AValueOfAnotherKindIsRefused) {
  for (const Sample& sample : kSamples) {
    for (const Sample& other : kSamples) {
      EXPECT_EQ(Decode(other.kind, sample.encoded).ok(), other.kind == sample.kind)
          << sample.encoded;
    }
  }
}

}  // namespace
}  // namespace rollover
