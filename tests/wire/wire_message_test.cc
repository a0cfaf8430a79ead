// Both directions of the wire: what is asked, byte for byte, and what is refused as an answer.
#include "sim/wire/wire_message.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/json_text.h"

namespace rollover {
namespace {

ValueRef Value(ValueKind kind, const std::string& encoded) {
  auto value = Decode(kind, encoded);
  EXPECT_TRUE(value) << encoded;
  return value.value();
}

const std::string kMessage3 = R"({"sequence":3,"turn_id":"t1","role":"user","content":"a\n\"b"})";
const std::string kChunk1 =
    R"({"messages":[{"sequence":1,"turn_id":"t0","role":"user","content":1},)"
    R"({"sequence":2,"turn_id":"t0","role":"tool","content":[]}]})";

FlowState Stored() {
  FlowState state;
  state.Apply({Name::kMessages, 3, Value(ValueKind::kMessage, kMessage3)});
  state.Apply({Name::kChunks, 1, Value(ValueKind::kChunk, kChunk1)});
  state.Apply(
      {Name::kSession, 0,
       Value(ValueKind::kSession, R"({"next_sequence":4,"turn_id":null,"status":"idle"})")});
  return state;
}

std::string Invoked(const StepInput& input, const LoadList& loads) {
  const FlowState stored = Stored();
  const LoadedState state(stored, loads);
  std::string line;
  AppendInvoke(7, "s1", {.input = input, .attempt = 2, .state = state}, line);
  return line;
}

TEST(WireRequest, HelloAndOpenAreSpeltAsTheContractSays) {
  std::string line;
  AppendHello(line);
  EXPECT_EQ(line, R"({"type":"hello","protocol":1})");
  line.clear();
  AppendOpen("s1", {.retained_message_limit = std::nullopt, .compaction = false}, line);
  EXPECT_EQ(line, R"({"type":"open","session":"s1","options":{"message_window_size":64,)"
                  R"("message_chunk_size":32,"message_chunk_max_bytes":1048576,)"
                  R"("retained_message_limit":null,"compaction":false}})");
}

TEST(WireRequest, ValuesTravelAsTheBytesThatAreStored) {
  const auto json = nlohmann::json::parse(Invoked(StartTurn{"t2", Content(R"({"k":"v\u0001"})")},
                                                  {{.name = Name::kMessages, .all = true},
                                                   {.name = Name::kChunks, .key = 1},
                                                   {.name = Name::kSession},
                                                   {.name = Name::kSummary}}));
  EXPECT_EQ(json["id"], 7);
  EXPECT_EQ(json["step"], "StartTurn");
  EXPECT_EQ(json["attempt"], 2);
  EXPECT_EQ(json["input"]["content"], R"({"k":"v\u0001"})");
  const auto& state = json["state"];
  EXPECT_EQ(state["AgentMessages"]["3"], kMessage3);
  EXPECT_EQ(state["AgentMessageChunks"]["1"], kChunk1);
  EXPECT_EQ(state["AgentSession"], R"({"next_sequence":4,"turn_id":null,"status":"idle"})");
}

TEST(WireRequest, WhatWasNotLoadedIsAbsentAndWhatHasNoValueIsNull) {
  const auto state =
      nlohmann::json::parse(Invoked(RunModel{"t2", {}, 3}, {{.name = Name::kChunks, .key = 33},
                                                            {.name = Name::kSummary}}))["state"];
  EXPECT_EQ(state.dump(), R"({"AgentMessageChunks":{},"ContextSummary":null})");
}

TEST(WireRequest, EveryStepHasItsInput) {
  const auto input = [](const StepInput& step) {
    return nlohmann::ordered_json::parse(Invoked(step, {}))["input"].dump();
  };
  EXPECT_EQ(input(RunModel{"t", ModelReply{Content("\"r\""), 2}, 0}),
            R"({"turn_id":"t","reply":{"content":"\"r\"","tool_calls":2}})");
  EXPECT_EQ(input(RunModel{"t", {}, 9}), R"({"turn_id":"t","compact_through":9})");
  EXPECT_EQ(input(ResumeTurn{"t", {Content("1"), Content("[]")}}),
            R"({"turn_id":"t","tool_results":["1","[]"]})");
  EXPECT_EQ(input(CompactContext{"t", 4, "x\ty"}), R"({"turn_id":"t","through":4,"text":"x\ty"})");
  EXPECT_EQ(input(ApplyTurnControl{"t", ControlKind::kSteer, "u", Content("2")}),
            R"({"turn_id":"t","control":"steer","new_turn_id":"u","content":"2"})");
  EXPECT_EQ(input(ApplyTurnControl{"t", ControlKind::kCancel, {}, {}}),
            R"({"turn_id":"t","control":"cancel"})");
  EXPECT_EQ(input(FinishTurnCancellation{"t"}), R"({"turn_id":"t"})");
  EXPECT_EQ(input(RecordTurnFailure{"t", "why"}), R"({"turn_id":"t","error":"why"})");
}

TEST(WireRequest, EveryByteIsEscapedAsAValueWouldBe) {
  std::string text;
  for (int byte = 0; byte < 128; ++byte) text.push_back(static_cast<char>(byte));
  for (const std::string& given : {text, std::string(300, '\1') + "x", std::string("\0", 1)}) {
    std::string literal;
    AppendJsonString(given, literal);
    std::string line;
    AppendOpen(given, {}, line);
    EXPECT_EQ(line.substr(25, literal.size()), literal);
  }
}

TEST(WireRequest, ReadsCarryTheAnchorsThatWereGiven) {
  const FlowState stored;
  const LoadedState state(stored, {});
  std::string line;
  AppendRead(8, "s1", {{.rpc = Rpc::kListAgentMessages, .after_sequence = -1, .limit = 0}, state},
             line);
  EXPECT_EQ(line, R"({"type":"read","id":8,"session":"s1","rpc":"list_agent_messages",)"
                  R"("args":{"after_sequence":-1,"limit":0},"state":{}})");
  line.clear();
  AppendRead(9, "s1", {{}, state}, line);
  EXPECT_EQ(line, R"({"type":"read","id":9,"session":"s1","rpc":"get_agent_snapshot",)"
                  R"("args":{},"state":{}})");
}

std::string Quoted(const std::string& text) { return nlohmann::json(text).dump(); }

std::string ResultWith(const std::string& writes, const std::string& events = "",
                       const std::string& next = "null") {
  return R"({"type":"result","id":7,"writes":[)" + writes + R"(],"events":[)" + events +
         R"(],"next":)" + next + "}";
}

TEST(WireReply, AResultIsReadWhole) {
  const std::string line =
      ResultWith(R"({"name":"AgentMessages","key":"3","value":)" + Quoted(kMessage3) +
                     R"(},{"name":"AgentMessageChunks","key":"1","delete":true})",
                 R"({"type":"turn_completed","turn_id":"t","replies":2},)"
                 R"({"type":"warning","text":"w"},{"type":"turn_failed","turn_id":"u"})",
                 R"({"step":"RunModel","loads":[{"name":"AgentMessages","all":true},)"
                 R"({"name":"AgentMessageChunks","key":"65"},{"name":"ContextSummary"}],)"
                 R"("control_loads":[]})");
  const auto outcome = DecodeResult(line, 7);
  ASSERT_TRUE(outcome) << outcome.error().reason;
  const auto& result = std::get<StepResult>(outcome.value());
  ASSERT_EQ(result.writes.size(), 2u);
  EXPECT_EQ(Encode(*result.writes[0].value), kMessage3);
  EXPECT_TRUE(result.writes[1].deletes());
  EXPECT_EQ(result.writes[1].key, 1u);
  ASSERT_EQ(result.events.size(), 3u);
  EXPECT_EQ(result.events[0].replies, 2u);
  EXPECT_EQ(result.events[1].text, "w");
  EXPECT_EQ(result.events[2].kind, EventKind::kTurnFailed);
  ASSERT_TRUE(result.next);
  EXPECT_EQ(result.next->step, StepKind::kRunModel);
  EXPECT_EQ(result.next->loads.at(1), (Load{.name = Name::kChunks, .key = 65}));
  EXPECT_FALSE(result.model_input);
}

TEST(WireReply, FieldsComeInAnyOrderAndStringsInAnyEscape) {
  const auto outcome = DecodeResult(
      " { \"next\" : null , \"model_input\":[1,2,3,7],\"events\":[ ],\"writes\":[{\"value\":"
      "\"{\\u0022last_sequence\\u0022:1,\\\"text\\\":\\\"\\ud83d\\ude00\\u00e9\\/\\\"}\","
      "\"name\":\"ContextSummary\"}],\"id\":7,\"type\":\"result\"}\t",
      7);
  ASSERT_TRUE(outcome) << outcome.error().reason;
  const auto& result = std::get<StepResult>(outcome.value());
  EXPECT_EQ(result.writes.at(0).value->as<Summary>()->text, "\U0001F600\u00e9/");
  EXPECT_EQ(result.model_input->runs(), (std::vector<ChunkRange>{{1, 3}, {7, 7}}));
}

TEST(WireReply, FailuresAreOutcomes) {
  const auto step = DecodeResult(R"({"type":"failure","id":7,"error":"no","retryable":true})", 7);
  ASSERT_TRUE(step);
  EXPECT_TRUE(std::get<StepFailure>(step.value()).retryable);
  const auto read = DecodePage(R"({"type":"failure","id":7,"error":"limit","retryable":false})", 7);
  ASSERT_TRUE(read);
  EXPECT_EQ(std::get<ReadRefusal>(read.value()).error, "limit");
}

TEST(WireReply, PagesHoldMessagesInAnySpelling) {
  const std::string other =
      R"({ "role":"user", "content": "a\n\u0022b", "turn_id":"t1", "sequence":3})";
  const auto outcome =
      DecodePage(R"({"type":"page","id":8,"messages":[)" + Quoted(kMessage3) + "," + Quoted(other) +
                     R"(],"has_more":true,)"
                     R"("deleted_before_sequence":33})",
                 8);
  ASSERT_TRUE(outcome) << outcome.error().reason;
  const auto& page = std::get<Page>(outcome.value());
  ASSERT_EQ(page.messages.size(), 2u);
  EXPECT_EQ(page.messages[1]->message().sequence, 3u);
  EXPECT_EQ(page.messages[1]->message().content.encoded(), R"("a\n\u0022b")");
  EXPECT_TRUE(page.has_more);
  EXPECT_EQ(page.deleted_before_sequence, 33u);
}

void ExpectRefused(const std::string& line, const std::string& words) {
  const auto outcome = DecodeResult(line, 7);
  ASSERT_FALSE(outcome) << line;
  EXPECT_NE(outcome.error().reason.find(words), std::string::npos)
      << outcome.error().reason << "\n does not say: " << words;
  EXPECT_EQ(outcome.error().reason.find('\n'), std::string::npos);
}

TEST(WireReply, WhatIsNoAnswerIsRefused) {
  ExpectRefused("", "must be an object, and is nothing");
  ExpectRefused("garbage", "must be an object");
  ExpectRefused("[]", "must be an object, and is a list");
  ExpectRefused("{\"type\":\"result\"", "cut short");
  ExpectRefused(ResultWith("") + "x", "text after the object");
  ExpectRefused(R"({"id":7})", "has no type");
  ExpectRefused(R"({"type":"page","id":7})", "type \"page\"; due is result or failure");
  ExpectRefused(R"({"type":"result","id":7,"writes":[],"next":null})", "result has no events");
  ExpectRefused(R"({"type":"result","id":8,"writes":[],"events":[],"next":null})",
                "has id 8; the request was 7");
  ExpectRefused(R"({"type":"result","id":"7","writes":[],"events":[],"next":null})",
                "id must be a number, and is a string");
  ExpectRefused(R"({"type":"result","type":"result"})", "field \"type\" twice");
  ExpectRefused(R"({"type":"result","debug":1})", "unknown field \"debug\"");
  ExpectRefused(R"({"type":"result","id":7,"writes":[],"events":[],"next":null,"has_more":true})",
                "result has a field has_more");
  ExpectRefused(R"({"type":"failure","id":7,"error":"x"})", "failure has no retryable");
  ExpectRefused("{\"type\":\"result\xff\"}", "not UTF-8");
  ExpectRefused(R"({"type":"\ud800"})", "lone surrogate");
  ExpectRefused("{\"type\":\"a\tb\"}", "control character");
  ExpectRefused(R"({"type":"result","id":7.5})", "id must be a whole number");
  ExpectRefused(R"({"type":"result","id":-7})", "id must be a whole number");
  ExpectRefused(R"({"type":"result","id":99999999999999999999})", "id must be a whole number");
}

TEST(WireReply, WritesMustNameAKnownPlaceAndHoldItsKind) {
  const auto write = [](const std::string& fields) { return ResultWith("{" + fields + "}"); };
  ExpectRefused(write(R"("name":"Agents","value":"1")"), "unknown value name \"Agents\"");
  ExpectRefused(write(R"("key":"1","delete":true)"), "writes[0] has no name");
  ExpectRefused(write(R"("name":"AgentMessages","delete":true)"), "AgentMessages needs a key");
  ExpectRefused(write(R"("name":"AgentSession","key":"1","delete":true)"), "has no key");
  ExpectRefused(write(R"("name":"AgentSession")"), "neither a value nor a delete");
  ExpectRefused(write(R"("name":"AgentSession","delete":false)"), "delete must be true");
  ExpectRefused(write(R"("name":"AgentSession","delete":true,"value":"x")"), "both");
  ExpectRefused(write(R"("name":"AgentMessages","key":1,"delete":true)"), "a key must be a string");
  for (const char* key : {"", "01", "-1", "1a", "9223372036854775808"}) {
    ExpectRefused(
        write(std::string(R"("name":"AgentMessages","delete":true,"key":")") + key + "\""),
        "is not plain decimal");
  }
  ExpectRefused(write(R"("name":"AgentMessages","key":"3","value":5)"), "must be a string");
  ExpectRefused(write(R"("name":"AgentMessages","key":"3","value":"{\"sequence\": 3}")"),
                "AgentMessages[3] does not hold a value of its kind");
}

TEST(WireReply, EventsAndMovementsAreCheckedFieldByField) {
  const auto event = [](const std::string& fields) { return ResultWith("", "{" + fields + "}"); };
  ExpectRefused(event(R"("type":"turn_done","turn_id":"t")"), "unknown type \"turn_done\"");
  ExpectRefused(event(R"("type":"turn_failed","turn_id":"t","replies":1)"),
                "turn_failed has turn_id");
  ExpectRefused(event(R"("type":"turn_completed","turn_id":"t")"), "turn_id and replies");
  ExpectRefused(event(R"("type":"turn_completed","turn_id":"t","replies":"1")"),
                "replies must be a number");
  const auto next = [](const std::string& json) { return ResultWith("", "", json); };
  ExpectRefused(next(R"({"step":"Sleep","loads":[],"control_loads":[]})"),
                "unknown step \"Sleep\"");
  ExpectRefused(next(R"({"step":"RunModel","loads":[]})"), "no control_loads");
  ExpectRefused(
      next(
          R"({"step":"RunModel","loads":[{"name":"AgentSession","all":true}],"control_loads":[]})"),
      "AgentSession is an attribute");
  ExpectRefused(
      next(R"({"step":"RunModel","loads":[{"name":"AgentMessages"}],"control_loads":[]})"),
      "AgentMessages needs a key");
}

TEST(WireReply, HelloMustSpeakThisProtocol) {
  const auto hello =
      DecodeHello(R"({"type":"hello","protocol":1,"core":"c 1","compaction":false})");
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello.value().core, "c 1");
  EXPECT_FALSE(hello.value().compaction);
  EXPECT_NE(DecodeHello(R"({"type":"hello","protocol":2,"core":"c","compaction":true})")
                .error()
                .reason.find("protocol 2"),
            std::string::npos);
  EXPECT_EQ(DecodeOpened(R"({"type":"opened","session":"s1"})").value(), "s1");
  EXPECT_FALSE(DecodeOpened(R"({"type":"opened"})"));
}

}  // namespace
}  // namespace rollover
