#include "sim/transcript.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/world.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

constexpr const char* kSamples[] = {"trip-planner.json", "support-desk.jsonl", "multilingual.json"};

std::string Sample(const std::string& name) {
  const std::string text =
      test::TextOf(std::string(ROLLOVER_SOURCE_DIR) + "/corpus/transcripts/" + name);
  EXPECT_FALSE(text.empty()) << name;
  return text;
}

std::vector<Conversation> Read(std::string_view text) {
  const auto read = ReadTranscripts(text);
  EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.error().reason);
  return read.ok() ? read.value() : std::vector<Conversation>{};
}

Conversation ReadOne(std::string_view text) {
  const auto all = Read(text);
  EXPECT_EQ(all.size(), 1U);
  return all.empty() ? Conversation{} : all.front();
}

std::string ErrorOf(std::string_view text) {
  const auto read = ReadTranscripts(text);
  if (read.ok()) return "no error";
  EXPECT_EQ(read.error().reason.find_first_of("\r\n"), std::string::npos);
  EXPECT_LE(read.error().position, text.size());
  return read.error().reason;
}

ContentSpec Text(std::string text) {
  return {.kind = ContentSpec::Kind::kText, .text = std::move(text)};
}

ContentSpec Json(std::string json) {
  return {.kind = ContentSpec::Kind::kJson, .text = std::move(json)};
}

// A small session in which a transcript of some turns rolls over and deletes.
Scenario SmallSession(const Conversation& conversation) {
  Scenario scenario = ScenarioFrom(conversation);
  scenario.options = {.message_window_size = 8,
                      .message_chunk_size = 4,
                      .message_chunk_max_bytes = 4 * kKibibyte,
                      .retained_message_limit = 10};
  scenario.faults = SteerFaults(conversation);
  return scenario;
}

constexpr std::string_view kUser = R"({"role":"user","content":"hi"})";
constexpr std::string_view kReply = R"({"role":"assistant","content":"hello"})";

std::string Call(std::string_view id) {
  return fmt::format(
      R"({{"id":"{}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}})", id);
}

std::string Calling(std::string_view content, std::vector<std::string> calls) {
  return fmt::format(R"({{"role":"assistant","content":{},"tool_calls":[{}]}})", content,
                     fmt::join(calls, ","));
}

std::string ToolSays(std::string_view id, std::string_view text) {
  return fmt::format(R"({{"role":"tool","tool_call_id":"{}","content":"{}"}})", id, text);
}

template <typename... Messages>
std::string Chat(const Messages&... messages) {
  const std::vector<std::string> all{std::string(messages)...};
  return fmt::format("[{}]", fmt::join(all, ","));
}

TEST(Transcript, AUserMessageAndAReplyAreATurn) {
  const Conversation read = ReadOne(Chat(kUser, kReply));
  EXPECT_EQ(read.id, "line 1");
  EXPECT_EQ(read.turns,
            (std::vector<Turn>{{.user = Text("hi"), .rounds = {{.reply = Text("hello")}}}}));
  EXPECT_TRUE(read.steered.empty());
}

TEST(Transcript, AnObjectWithMessagesReadsLikeABareArray) {
  const Conversation read = ReadOne(R"({"id": "mine", "meta": {"messages": 1}, "messages": )" +
                                    Chat(kUser, kReply) + "}");
  EXPECT_EQ(read.id, "mine");
  EXPECT_EQ(read.turns, ReadOne(Chat(kUser, kReply)).turns);
}

TEST(Transcript, OfTwoMembersWithOneNameTheLastCounts) {
  const Conversation read = ReadOne(
      R"({"messages":3,"messages":[{"role":"tool","content":1,"content":"x","role":"user"}]})");
  EXPECT_EQ(read.turns.at(0).user, Text("x"));
}

TEST(Transcript, AnIdThatWouldNotFitInALineIsNotUsed) {
  for (const char* id : {R"("two\nlines")", R"("")", "null", "[1]", "true"}) {
    EXPECT_EQ(ReadOne(fmt::format(R"({{"id":{},"messages":{}}})", id, Chat(kUser))).id, "line 1");
  }
  EXPECT_EQ(ReadOne(fmt::format(R"({{"id":17,"messages":{}}})", Chat(kUser))).id, "17");
}

TEST(Transcript, JsonlHoldsOneConversationALine) {
  const std::string bare = Chat(kUser, kReply);
  const std::string object = R"({"messages":)" + bare + R"(,"id":"b"})";
  const auto read = Read("\n" + bare + "\n\n  " + object + " \r\n" + bare);
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0].id, "line 2");
  EXPECT_EQ(read[1].id, "b");
  EXPECT_EQ(read[2].id, "line 5");
  for (const auto& one : read) EXPECT_EQ(one.turns, read[0].turns);
}

TEST(Transcript, AByteOrderMarkAndWindowsLineEndsAreAccepted) {
  const std::string bare = Chat(kUser, kReply);
  EXPECT_EQ(Read("\xEF\xBB\xBF" + bare + "\r\n").size(), 1U);
  EXPECT_EQ(Read("\xEF\xBB\xBF" + bare + "\r\n" + bare + "\r\n").size(), 2U);
  EXPECT_EQ(Read("\xEF\xBB\xBF\r\n[\r\n" + std::string(kUser) + "\r\n]\r\n").size(), 1U);
}

TEST(Transcript, ToolResultsFollowTheOrderOfTheCalls) {
  const Conversation read = ReadOne(Chat(kUser, Calling(R"("let me look")", {Call("a"), Call("b")}),
                                         ToolSays("b", "B"), ToolSays("a", "A"), kReply));
  ASSERT_EQ(read.turns.size(), 1U);
  const auto& rounds = read.turns[0].rounds;
  ASSERT_EQ(rounds.size(), 2U);
  EXPECT_EQ(rounds[0].reply, Json(R"([{"type":"text","text":"let me look"},)"
                                  R"({"type":"tool_call","id":"a","name":"f","arguments":"{}"},)"
                                  R"({"type":"tool_call","id":"b","name":"f","arguments":"{}"}])"));
  EXPECT_EQ(rounds[0].tools, (std::vector<ContentSpec>{Text("A"), Text("B")}));
  EXPECT_EQ(rounds[1], (Round{.reply = Text("hello")}));
  EXPECT_EQ(read.unanswered, 0U);
}

TEST(Transcript, AReplyThatSaysNothingHoldsItsToolCallsOnly) {
  for (const char* content : {"null", R"("")", "[]"}) {
    const Conversation read =
        ReadOne(Chat(kUser, Calling(content, {Call("a")}), ToolSays("a", "A")));
    EXPECT_EQ(read.turns.at(0).rounds.at(0).reply,
              Json(R"([{"type":"tool_call","id":"a","name":"f","arguments":"{}"}])"));
  }
}

TEST(Transcript, ANullReplyWithoutToolCallsIsTheEmptyString) {
  for (const char* message : {R"({"role":"assistant","content":null})", R"({"role":"assistant"})",
                              R"({"role":"assistant","content":null,"tool_calls":[]})",
                              R"({"role":"assistant","content":null,"tool_calls":null})"}) {
    EXPECT_EQ(ReadOne(Chat(kUser, message)).turns.at(0).rounds,
              (std::vector<Round>{{.reply = Text("")}}));
  }
}

TEST(Transcript, PartsKeepTheirSpellingAndLoseTheirWhiteSpace) {
  const Conversation read = ReadOne(
      R"([{"role":"user","content":[ {"type" : "text", "text":"a  \" \u0041"} , {"n": 1.50, "m": 1e999} ]}])");
  EXPECT_EQ(read.turns.at(0).user,
            Json(R"([{"type":"text","text":"a  \" \u0041"},{"n":1.50,"m":1e999}])"));
}

TEST(Transcript, PartsAndToolCallsBecomeOneArray) {
  const Conversation read =
      ReadOne(Chat(kUser, Calling(R"([{"type":"text","text":"x"}, "y"])", {Call("a")})));
  EXPECT_EQ(read.turns.at(0).rounds.at(0).reply,
            Json(R"([{"type":"text","text":"x"},"y",)"
                 R"({"type":"tool_call","id":"a","name":"f","arguments":"{}"}])"));
}

TEST(Transcript, ArgumentsKeepTheirText) {
  const auto part = [](const std::string& call) {
    return ReadOne(Chat(kUser, Calling("null", {call}))).turns.at(0).rounds.at(0).reply.text;
  };
  EXPECT_EQ(part(R"({"function":{"name":"f","arguments":"{\"a\": 1.0,\n\"\u00e9\"}"}})"),
            R"([{"type":"tool_call","name":"f","arguments":"{\"a\": 1.0,\n\"é\"}"}])");
  EXPECT_EQ(part(R"({"function":{"name":"f","arguments":{"a": [1.0, 2]}}})"),
            R"([{"type":"tool_call","name":"f","arguments":{"a":[1.0,2]}}])");
  EXPECT_EQ(part(R"({"function":{"name":"f"}})"),
            R"([{"type":"tool_call","name":"f","arguments":""}])");
  EXPECT_EQ(part(R"({"type":"custom","custom":{"name":"f","input":"SELECT 1"}})"),
            R"([{"type":"tool_call","name":"f","arguments":"SELECT 1"}])");
}

TEST(Transcript, ACallWithoutAResultGetsNull) {
  const Conversation read =
      ReadOne(Chat(kUser, Calling("null", {Call("a"), Call("b")}), ToolSays("b", "B"), kReply));
  EXPECT_EQ(read.turns.at(0).rounds.at(0).tools,
            (std::vector<ContentSpec>{Json("null"), Text("B")}));
  EXPECT_EQ(read.unanswered, 1U);
}

TEST(Transcript, AResultWithoutACallIsSkipped) {
  const Conversation read = ReadOne(Chat(kUser, Calling("null", {Call("a")}), ToolSays("x", "X"),
                                         ToolSays("a", "A"), ToolSays("a", "again"), kReply,
                                         ToolSays("a", "late"), kUser, ToolSays("a", "later")));
  EXPECT_EQ(read.turns.at(0).rounds.at(0).tools, (std::vector<ContentSpec>{Text("A")}));
  EXPECT_EQ(read.turns.at(0).rounds.size(), 2U);
  EXPECT_EQ(read.orphans, 4U);
}

TEST(Transcript, AResultWithoutIdAnswersTheFirstOpenCall) {
  const char* result = R"({"role":"tool","content":"next"})";
  const Conversation read = ReadOne(Chat(kUser, Calling("null", {Call("a"), Call("a"), Call("b")}),
                                         result, ToolSays("a", "A"), result, result));
  EXPECT_EQ(read.turns.at(0).rounds.at(0).tools,
            (std::vector<ContentSpec>{Text("next"), Text("A"), Text("next")}));
  EXPECT_EQ(read.orphans, 1U);
}

TEST(Transcript, NeighbouringRepliesAreJoined) {
  const Conversation read =
      ReadOne(Chat(kUser, kReply, kReply, Calling(R"("wait")", {Call("a")}),
                   Calling("null", {Call("b")}), ToolSays("b", "B"), ToolSays("a", "A"), kReply));
  const auto& rounds = read.turns.at(0).rounds;
  ASSERT_EQ(rounds.size(), 2U);
  EXPECT_EQ(rounds[0].reply,
            Json(R"([{"type":"text","text":"hello"},{"type":"text","text":"hello"},)"
                 R"({"type":"text","text":"wait"},)"
                 R"({"type":"tool_call","id":"a","name":"f","arguments":"{}"},)"
                 R"({"type":"tool_call","id":"b","name":"f","arguments":"{}"}])"));
  EXPECT_EQ(rounds[0].tools, (std::vector<ContentSpec>{Text("A"), Text("B")}));
  EXPECT_EQ(read.joined, 3U);
  EXPECT_TRUE(read.steered.empty());
}

TEST(Transcript, WhatIsNotPartOfATurnIsSkippedAndCounted) {
  const char* system = R"({"role":"system","content":"be kind"})";
  const char* developer = R"({"role":"developer","content":[{"type":"text","text":"x"}]})";
  const Conversation read = ReadOne(
      Chat(system, kReply, ToolSays("a", "A"), developer, kUser, system, kReply, system, system));
  EXPECT_EQ(read.system, 4U);
  EXPECT_EQ(read.developer, 1U);
  EXPECT_EQ(read.early, 2U);
  EXPECT_EQ(read.turns, ReadOne(Chat(kUser, kReply)).turns);
}

TEST(Transcript, ATurnThatHasNotCompletedIsSteeredByTheNextUserMessage) {
  const Conversation read =
      ReadOne(Chat(kUser, kUser, kReply, kUser, Calling("null", {Call("a")}), ToolSays("a", "A"),
                   Calling("null", {Call("b")}), kUser, kReply, kUser));
  EXPECT_EQ(read.turns.size(), 5U);
  EXPECT_EQ(read.steered, (std::vector<std::size_t>{0, 2}));

  const auto faults = SteerFaults(read, 10);
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0], (Fault{.kind = FaultKind::kControl,
                              .turn = 11,
                              .step = StepKind::kRunModel,
                              .occurrence = 1,
                              .at = Point::kInHandler,
                              .control = ControlKind::kSteer}));
  EXPECT_EQ(faults[1].turn, 13U);
  EXPECT_EQ(faults[1].occurrence, 3U);
}

TEST(Transcript, AScenarioHoldsItsTurnsAndNothingElse) {
  const Conversation read = ReadOne(Chat(kUser, kReply, kUser));
  Scenario wanted;
  wanted.operations = {read.turns[0], read.turns[1]};
  EXPECT_EQ(ScenarioFrom(read), wanted);
}

TEST(Transcript, SamplesRunAndEverySteerHits) {
  for (const char* name : kSamples) {
    for (const Conversation& conversation : Read(Sample(name))) {
      const Scenario scenario = SmallSession(conversation);
      EXPECT_EQ(Invalid(scenario), std::nullopt) << name << " " << conversation.id;
      const Verdict verdict = RunScenario(scenario);
      EXPECT_TRUE(verdict.held()) << name << " " << conversation.id;
      EXPECT_TRUE(verdict.reached_end);
      EXPECT_TRUE(verdict.unfired.empty()) << name << " " << conversation.id;
      EXPECT_EQ(verdict.turns_begun, conversation.turns.size());
      EXPECT_EQ(verdict.statistics.faults.at(static_cast<std::size_t>(FaultKind::kControl)),
                conversation.steered.size());
    }
  }
}

TEST(Transcript, SamplesHoldWhatTheySay) {
  const Conversation trip = ReadOne(Sample("trip-planner.json"));
  EXPECT_EQ(trip.id, "line 1");
  EXPECT_EQ(trip.turns.size(), 3U);
  EXPECT_EQ(trip.system, 1U);
  EXPECT_EQ(trip.early, 1U);
  EXPECT_TRUE(trip.turns[0].rounds[0].tools[0].text.starts_with("07:43"));

  const auto desk = Read(Sample("support-desk.jsonl"));
  ASSERT_EQ(desk.size(), 4U);
  EXPECT_EQ(desk[1].steered, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(desk[1].developer, 1U);
  EXPECT_EQ(desk[3].id, "line 5");
  EXPECT_EQ(desk[3].joined, 1U);
  EXPECT_EQ(desk[3].unanswered, 1U);

  const Conversation languages = ReadOne(Sample("multilingual.json"));
  EXPECT_EQ(languages.steered, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(languages.turns[3].user, Text("後天也可以 😅"));
  EXPECT_EQ(languages.turns[3].rounds[0].tools[1],
            Json(R"([{"type":"text","text":"18:12","score":1.50}])"));
}

TEST(TranscriptErrors, NameLineByteAndReason) {
  EXPECT_EQ(ErrorOf(""), "line 1, byte 1: the transcript is empty");
  EXPECT_EQ(ErrorOf("\xEF\xBB\xBF \r\n\t"), "line 2, byte 2: the transcript is empty");
  EXPECT_EQ(ErrorOf("42"), "line 1, byte 1: not a conversation: starts with 4, not with [ or {");
  EXPECT_EQ(ErrorOf("{}"), "line 1, byte 1: not a conversation: an object without \"messages\"");
  EXPECT_EQ(ErrorOf(R"({"messages":"x"})"),
            "line 1, byte 13: not a conversation: \"messages\" is a string, not an array");
  EXPECT_EQ(ErrorOf("[]"), "line 1, byte 1: no user message: nothing to replay");
  EXPECT_EQ(ErrorOf(Chat(kReply)), "line 1, byte 1: no user message: nothing to replay");
  EXPECT_EQ(ErrorOf("[\n  17]"), "line 2, byte 3: message 1: a message is a number, not an object");
  EXPECT_EQ(ErrorOf("[{\"role\":\"user\",\"content\":\"\"},\n {\"content\":\"\"}]"),
            "line 2, byte 2: message 2: a message without role");
  EXPECT_EQ(ErrorOf(R"([{"role":"robot","content":""}])"),
            "line 1, byte 10: message 1: unknown role \"robot\"; "
            "valid: system, developer, user, assistant, tool");
  EXPECT_EQ(ErrorOf(R"([{"role":"user"}])"),
            "line 1, byte 2: message 1: a message of role user without content");
  EXPECT_EQ(ErrorOf(R"([{"role":"user","content":5}])"),
            "line 1, byte 27: message 1: content is a number, "
            "not a string, null or an array of parts");
  EXPECT_EQ(
      ErrorOf(R"([{"role":"user","content":["x",5]}])"),
      "line 1, byte 32: message 1: a part of a content is a number, not an object or a string");
}

TEST(TranscriptErrors, NameWhatIsWrongWithAToolCall) {
  const auto error = [](const std::string& calls) {
    const std::string text =
        ErrorOf(fmt::format(R"([{{"role":"assistant","tool_calls":{}}}])", calls));
    return text.substr(std::min(text.find("message 1: "), text.size()));
  };
  EXPECT_EQ(error("7"), "message 1: tool_calls is a number, not an array");
  EXPECT_EQ(error("[7]"), "message 1: a tool call is a number, not an object");
  EXPECT_EQ(error(R"([{"id":"x"}])"), "message 1: a tool call without function");
  EXPECT_EQ(error(R"([{"function":{}}])"), "message 1: a tool call without name");
  EXPECT_EQ(error(R"([{"function":"f"}])"), "message 1: a tool call without name");
  EXPECT_EQ(error(R"([{"id":1,"function":{"name":"f"}}])"),
            "message 1: a tool call's id is a number, not a string");
  EXPECT_EQ(error(R"([{"function":{"name":[]}}])"),
            "message 1: a tool's name is an array, not a string");
}

TEST(TranscriptErrors, NotJson) {
  const auto refused = [](std::string_view text, std::string_view start) {
    const std::string error = ErrorOf(text);
    EXPECT_TRUE(error.starts_with(start)) << error;
  };
  refused("[{\"role\":\"user\",\"content\":\"a\xFFz\"}]",
          "line 1, byte 29: not valid UTF-8: byte 0xff");
  refused("[{\"role\":\"user\",\"content\":\"\u65e5\x80\"}]",
          "line 1, byte 31: not valid UTF-8: byte 0x80");
  refused("[{\"role\":\"user\",\"content\":\"\xE4\xB8 \"}]",
          "line 1, byte 28: not valid UTF-8: byte 0xe4");
  refused("[{\"role\":\"user\",\"content\":\"\xC0\x80\"}]",
          "line 1, byte 28: not valid UTF-8: byte 0xc0");
  refused("[\u65e5]", "line 1, byte 2: not JSON: ");
  refused("[\n{\"role\":\"user\",\n\"content\":\"\xED\xA0\x80\"}]",
          "line 3, byte 12: not valid UTF-8: byte 0xed");
  refused("[{\"role\":\"user\",\"content\":\"\\ud800\"}]",
          "line 1, byte 34: not JSON: half a surrogate pair");
  refused("[{\"role\":\"user\",\"content\":\"\\udc00\\ud800\"}]", "line 1, byte ");
  refused("[{\"role\":\"user\",\n\"content\":\"", "line 2, byte 12: not JSON: ");
  refused("[{\"role\":\"user\",\"content\":\"a\nb\"}]", "line 1, byte 29: not JSON: ");
  refused(Chat(kUser) + " x", "line 1, byte 34: text after the conversation");
  refused("[\n" + std::string(kUser) + "\n]\n[]", "line 4, byte 1: text after the conversation");
  refused(std::string(100'000, '['), "line 1, byte 513: not JSON: ");
  refused(R"([{"role":"user","content":[)" + std::string(600, '[') + std::string(600, ']') + "]}]",
          "line 1, byte ");
}

TEST(TranscriptErrors, NameTheBadLineOfJsonl) {
  const std::string good = Chat(kUser, kReply) + "\n";
  const auto line_of = [&](const std::string& text) {
    const std::string error = ErrorOf(text);
    return error.substr(0, error.find(','));
  };
  const std::string cut = R"({"messages":[{"role":"user","content":"hi"})";
  EXPECT_EQ(line_of(good + good + cut + "\n" + good), "line 3");
  EXPECT_EQ(line_of(good + good + cut), "line 3");
  EXPECT_EQ(line_of(cut + "\n" + good + good), "line 1");
  EXPECT_EQ(line_of("\xEF\xBB\xBF" + cut + "\r\n\r\n" + good), "line 1");
  EXPECT_EQ(line_of(good + "\n\n" + R"([{"role":"user","content":1}])" + "\n" + good), "line 4");
  EXPECT_EQ(line_of(good + "7\n" + good), "line 2");
  EXPECT_EQ(line_of(good + Chat(kUser) + Chat(kUser) + "\n"), "line 2");
}

TEST(TranscriptErrors, AFileOfZerosOrOneTooLargeIsRefusedAtOnce) {
  std::string zeros(100'000'000, '\0');
  EXPECT_EQ(ErrorOf(zeros),
            "line 1, byte 1: not a conversation: starts with byte 0x00, not with [ or {");
  zeros.assign(100'000'000, '0');
  EXPECT_EQ(ErrorOf(zeros), "line 1, byte 1: not a conversation: starts with 0, not with [ or {");
  zeros.assign(kTranscriptBytesMax + 1, ' ');
  EXPECT_EQ(ErrorOf(zeros), "the transcript is 268435457 bytes; valid: 1 .. 268435456");
}

TEST(TranscriptErrors, AFileHoldsAMillionConversationsAtMost) {
  std::string text = Chat(kUser) + "\n";
  for (std::size_t i = 1; i < kConversationsMax; ++i) text += "[]\n";
  EXPECT_EQ(Read(text).size(), kConversationsMax);
  EXPECT_EQ(ErrorOf(text + "[]"), "line 1000001, byte 1: more than 1000000 conversations");
}

TEST(TranscriptErrors, AContentAboveTheMaximumIsRefused) {
  const auto message = [](std::uint64_t bytes) {
    return fmt::format(R"([{{"role":"user","content":"{}"}}])", std::string(bytes, 'x'));
  };
  EXPECT_TRUE(ReadTranscripts(message(kContentBytesMax)).ok());
  EXPECT_EQ(ErrorOf(message(kContentBytesMax + 1)),
            "line 1, byte 2: message 1: content is 16777217 bytes; valid: 0 .. 16777216");
}

// Whatever the bytes: one line that says why not, or conversations that can be run.
void ExpectErrorOrConversations(const std::string& text) {
  const auto read = ReadTranscripts(text);
  if (!read.ok()) {
    EXPECT_TRUE(read.error().reason.starts_with("line "));
    EXPECT_EQ(read.error().reason.find('\n'), std::string::npos);
    EXPECT_LE(read.error().position, text.size());
    return;
  }
  for (const Conversation& conversation : read.value()) {
    EXPECT_EQ(Invalid(SmallSession(conversation)), std::nullopt) << text;
  }
}

TEST(TranscriptRobustness, ASampleCutAtAnyByte) {
  for (const char* name : kSamples) {
    const std::string text = Sample(name);
    for (std::size_t size = 0; size <= text.size(); ++size) {
      ExpectErrorOrConversations(text.substr(0, size));
    }
  }
}

TEST(TranscriptRobustness, ASampleWithAnyByteChanged) {
  constexpr char kBytes[] = {'\0', '"', '\\', '[',  ']', '{',    '}',
                             ',',  ':', ' ',  '\n', '0', '\x80', '\xFF'};
  for (const char* name : kSamples) {
    const std::string text = Sample(name);
    for (std::size_t at = 0; at < text.size(); ++at) {
      std::string changed = text;
      for (const char byte : kBytes) {
        changed[at] = byte;
        ExpectErrorOrConversations(changed);
      }
      changed[at] = static_cast<char>(text[at] ^ (1 << (at % 8)));
      ExpectErrorOrConversations(changed);
    }
  }
}

}  // namespace
}  // namespace rollover
