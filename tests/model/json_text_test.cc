#include "model/json_text.h"

#include <gtest/gtest.h>

#include <array>

namespace rollover {
namespace {

std::string Literal(std::string_view text) {
  std::string literal;
  AppendJsonString(text, literal);
  return literal;
}

std::string Nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

// Writing strings ----------------------------------------------------------------------------

TEST(JsonString, EveryAsciiByteHasOneSpelling) {
  constexpr std::array<std::pair<char, std::string_view>, 7> short_escapes = {{{'"', "\\\""},
                                                                               {'\\', "\\\\"},
                                                                               {'\b', "\\b"},
                                                                               {'\t', "\\t"},
                                                                               {'\n', "\\n"},
                                                                               {'\f', "\\f"},
                                                                               {'\r', "\\r"}}};
  for (int code = 0; code < 0x80; ++code) {
    const char byte = static_cast<char>(code);
    std::string expected(1, byte);
    if (code < 0x20) {
      constexpr std::string_view hex = "0123456789abcdef";
      expected = std::string("\\u00") + hex[static_cast<std::size_t>(code) / 16] +
                 hex[static_cast<std::size_t>(code) % 16];
    }
    for (const auto& [escaped, spelling] : short_escapes) {
      if (escaped == byte) expected = spelling;
    }
    EXPECT_EQ(Literal(std::string(1, byte)), "\"" + expected + "\"") << "byte " << code;
  }
}

TEST(JsonString, DeleteSlashAndLineSeparatorAreRaw) {
  EXPECT_EQ(Literal("\x7f"), "\"\x7f\"");
  EXPECT_EQ(Literal("a/b"), "\"a/b\"");
  EXPECT_EQ(Literal("\u2028"), "\"\u2028\"");
}

TEST(JsonString, BytesAreCountedWithoutWriting) {
  std::string all;
  for (int code = 0; code < 0x80; ++code) all.push_back(static_cast<char>(code));
  for (const std::string& text : {std::string(), all, std::string("gr\u00fc\u00df dich \U0001F600"),
                                  std::string("\0\0", 2), std::string("\"\\\n\x1f")}) {
    EXPECT_EQ(JsonStringBytes(text), Literal(text).size()) << Literal(text);
  }
}

// Eight bytes at a time are looked at: each byte in each place of them, and behind the last eight.
TEST(JsonString, BytesAreCountedWhereverAnEscapeStands) {
  for (int code = 0; code < 0x100; ++code) {
    const std::string alone(1, static_cast<char>(code));
    const std::size_t takes = Literal(alone).size() - 2;
    for (std::size_t at = 0; at < 19; ++at) {
      std::string text(19, 'x');
      text[at] = alone[0];
      const std::string literal = Literal(text);
      EXPECT_EQ(literal.size(), 2 + 18 + takes) << "byte " << code << " at " << at;
      EXPECT_EQ(JsonStringBytes(text), literal.size()) << "byte " << code << " at " << at;
    }
  }
}

// Reading strings ----------------------------------------------------------------------------

TEST(JsonString, WhatIsWrittenIsReadBack) {
  std::string all;
  for (int code = 0; code < 0x80; ++code) all.push_back(static_cast<char>(code));
  for (const std::string& text : {std::string(), all, std::string("\u2028 \U0001F600 \x7f")}) {
    const auto read = ReadJsonString(Literal(text) + ",rest");
    ASSERT_TRUE(read) << read.error().reason;
    EXPECT_EQ(read.value().text, text);
    EXPECT_EQ(read.value().length, Literal(text).size());
  }
}

TEST(JsonString, ASecondSpellingIsRefused) {
  for (const char* literal : {R"("\u0041")", R"("\/")", R"("\u000A")", R"("\u000a")", R"("\u001F")",
                              R"("\u0022")", R"("\u005c")", R"("\u007f")", R"("\u00e9")",
                              R"("\u2028")", R"("\ud83d\ude00")", R"("\U0001")", R"("\x41")"}) {
    EXPECT_FALSE(ReadJsonString(literal)) << literal;
  }
  EXPECT_TRUE(ReadJsonString(R"("\u001f")"));
  EXPECT_TRUE(ReadJsonString(R"("\u0000")"));
}

TEST(JsonString, TheErrorStandsWhereTheEscapeStarts) {
  const auto read = ReadJsonString(R"("ab\u0041")");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().position, 3u);
}

TEST(JsonString, RawControlsAreRefused) {
  EXPECT_FALSE(ReadJsonString("\"a\nb\""));
  EXPECT_FALSE(ReadJsonString("\"\x1f\""));
  EXPECT_TRUE(ReadJsonString("\" \""));
}

TEST(JsonString, EveryPrefixOfALiteralIsRefused) {
  const std::string literal = Literal("a\"\\\n\x01\u00e9");
  for (std::size_t length = 0; length < literal.size(); ++length) {
    EXPECT_FALSE(ReadJsonString(literal.substr(0, length))) << length;
  }
  EXPECT_TRUE(ReadJsonString(literal));
}

TEST(JsonString, InvalidUtf8IsRefused) {
  EXPECT_FALSE(ReadJsonString("\"\xff\""));
  EXPECT_FALSE(ReadJsonString("\"\xc3\""));
  EXPECT_TRUE(ReadJsonString("\"\xc3\xa9\""));
}

// UTF-8 --------------------------------------------------------------------------------------

TEST(ValidUtf8, BothSidesOfEveryEdge) {
  for (const char* valid :
       {"", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(ValidUtf8(valid)) << Literal(valid);
  }
  for (const char* invalid : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf",
                              "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xfe",
                              "\xff", "\xc2", "\xe2\x80", "\xf0\x9f\x98", "\xc2\x41", "a\x80"}) {
    EXPECT_FALSE(ValidUtf8(invalid)) << invalid;
  }
}

TEST(ValidUtf8, EncodedSurrogatesAreRefused) {
  EXPECT_FALSE(ValidUtf8("\xed\xa0\x80"));  // U+D800
  EXPECT_FALSE(ValidUtf8("\xed\xbf\xbf"));  // U+DFFF
}

// Extent -------------------------------------------------------------------------------------

TEST(JsonExtent, EndsWhereTheValueEnds) {
  const auto extent = [](std::string_view text) {
    const auto result = JsonExtent(text);
    return result ? result.value() : 0;
  };
  EXPECT_EQ(extent("12}"), 2u);
  EXPECT_EQ(extent("12 }"), 2u);
  EXPECT_EQ(extent("-1.5e3,"), 6u);
  EXPECT_EQ(extent("null]"), 4u);
  EXPECT_EQ(extent("\"a}\"}"), 4u);
  EXPECT_EQ(extent("{\"a\":[1, 2]}}"), 12u);
  EXPECT_EQ(extent("[]\n\t"), 2u);
  EXPECT_EQ(extent("\"a \""), 4u);
}

TEST(JsonExtent, NestingIsBounded) {
  EXPECT_FALSE(NotOneJsonValue(Nested(kJsonDepthMax - 1)));
  EXPECT_FALSE(NotOneJsonValue(Nested(kJsonDepthMax)));
  EXPECT_TRUE(NotOneJsonValue(Nested(kJsonDepthMax + 1)));
  EXPECT_TRUE(NotOneJsonValue(std::string(1'000'000, '[')));
}

TEST(OneJsonValue, AnySpellingOfJsonIsAContent) {
  for (const char* content : {"0",
                              "-0",
                              "1.0",
                              "1e5",
                              "1E+5",
                              "-0.0e-0",
                              "123456789012345678901234567890",
                              "true",
                              "false",
                              "null",
                              "\"\"",
                              "\"\\u0041\\/\"",
                              "\"\\ud83d\\ude00\"",
                              "\"\\uD83D\\uDE00\"",
                              "{}",
                              "[]",
                              "{\"b\":1,\"a\":2}",
                              "{\"a\":1,\"a\":1}",
                              "[ 1 , 2 ]",
                              "\"\u2028\x7f\""}) {
    EXPECT_FALSE(NotOneJsonValue(content)) << content;
  }
}

TEST(OneJsonValue, ANumberMayHaveAnyPrecision) {
  EXPECT_FALSE(NotOneJsonValue("1e400"));
  EXPECT_FALSE(NotOneJsonValue("1e-400"));
  EXPECT_FALSE(NotOneJsonValue(std::string(1000, '7')));
  EXPECT_FALSE(NotOneJsonValue("0." + std::string(1000, '7')));
}

TEST(OneJsonValue, AnExponentEndsBelowTwoToTheThirtyFirst) {
  EXPECT_FALSE(NotOneJsonValue("1e2147483647"));
  EXPECT_TRUE(NotOneJsonValue("1e2147483648"));
  EXPECT_FALSE(NotOneJsonValue("1e-2147483647"));
  EXPECT_TRUE(NotOneJsonValue("1e-2147483648"));
}

TEST(OneJsonValue, WhatIsNotJsonIsRefused) {
  for (const char* text : {"",
                           " ",
                           " 1",
                           "1 ",
                           "\n1",
                           "1,",
                           "1 2",
                           "01",
                           "-01",
                           "+1",
                           "1.",
                           ".5",
                           "1e",
                           "-",
                           "nul",
                           "NaN",
                           "Infinity",
                           "tru",
                           "\"a",
                           "'a'",
                           "\"\\x41\"",
                           "\"\\u12g4\"",
                           "\"a\tb\"",
                           "[1,]",
                           "[,1]",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "[1",
                           "{\"a\":1",
                           "]",
                           "// 1\n1",
                           "/**/1",
                           "\xef\xbb\xbf"
                           "1"}) {
    EXPECT_TRUE(NotOneJsonValue(text)) << text;
  }
}

TEST(OneJsonValue, LoneSurrogatesAreRefused) {
  for (const char* text :
       {R"("\ud83d")", R"("\ude00")", R"("\ud83dx")", R"("\ud83d\u0041")", R"("\ude00\ud83d")",
        R"("\ud83d\ud83d\ude00")", R"({"\ud83d":1})", "\"\xed\xa0\xbd\""}) {
    EXPECT_TRUE(NotOneJsonValue(text)) << text;
  }
}

TEST(OneJsonValue, TheErrorNamesThePlace) {
  const auto error = NotOneJsonValue("{\"a\":1}x");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->position, 7u);
  EXPECT_EQ(error->reason, "text after the JSON value");
}

}  // namespace
}  // namespace rollover
