// Scenario files that are wrong: one line that names the place and what would be valid.
#include <gtest/gtest.h>

#include "sim/scenario_json.h"
#include "sim/scenario_text.h"

namespace rollover {
namespace {

std::string Reason(const std::string& text) {
  const auto read = ReadScenario(text);
  if (read) return "(read)";
  EXPECT_EQ(read.error().reason.find('\n'), std::string::npos) << read.error().reason;
  for (const char c : read.error().reason) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
  return read.error().reason;
}

void ExpectReason(const std::string& text, const std::vector<std::string>& words) {
  const std::string reason = Reason(text);
  for (const std::string& word : words) {
    EXPECT_NE(reason.find(word), std::string::npos) << word << " is not in: " << reason;
  }
}

std::string With(const std::string& operations, const std::string& faults = "") {
  std::string text = "{\"version\":1,\"operations\":[";
  return text.append(operations).append("],\"faults\":[").append(faults).append("]}");
}

std::string Hit(const std::string& fault, const std::string& more = "",
                const std::string& step = "RunModel", const std::string& turn = "1") {
  std::string text = "{\"fault\":\"" + fault + "\",\"turn\":" + turn + ",\"step\":\"";
  return With("{\"op\":\"turn\"}", text.append(step).append("\"").append(more).append("}"));
}

std::string Content(const std::string& content) {
  return With("{\"op\":\"turn\",\"user\":" + content + "}");
}

TEST(ScenarioMalformed, EveryCutOfAFileIsRefusedWithItsLine) {
  ScenarioFile file;
  file.scenario.operations.resize(2);
  file.scenario.operations[1] = Read{};
  file.scenario.faults.resize(1);
  const std::string whole = WriteScenario(file);
  const std::size_t last = whole.rfind('}');
  for (std::size_t size = 0; size <= last; ++size) {
    const std::string reason = Reason(whole.substr(0, size));
    EXPECT_EQ(reason.rfind("line ", 0), 0u) << size << ": " << reason;
    const bool said = reason.find("too early") != std::string::npos ||
                      reason.find("is empty") != std::string::npos;
    EXPECT_TRUE(said) << size << ": " << reason;
  }
  EXPECT_TRUE(ReadScenario(whole.substr(0, last + 1)));
}

TEST(ScenarioMalformed, TextThatIsNotJsonIsNamedWithItsLine) {
  ExpectReason("", {"line 1", "empty"});
  ExpectReason(" \n\n", {"empty"});
  ExpectReason("{\"version\": 1,\n\n\"operations\": [,]}", {"line 3", "not JSON"});
  ExpectReason("{\n'version': 1}", {"line 2", "not JSON"});
  ExpectReason(With("") + "\n{}", {"line 2", "text after"});
  ExpectReason(std::string(64, '\0'), {"line 1", "not JSON"});
  ExpectReason(Content("{\"text\":\"\xFF\"}"), {"line 1"});
  ExpectReason(Content("{\"text\":\"\\ud800\"}"), {"line 1"});
  ExpectReason(Content(std::string("{\"text\":\"a\0b\"}", 14)), {"line 1"});
  ExpectReason("{\n\"version\":01}", {"line 2"});
}

TEST(ScenarioMalformed, TooDeepOrTooLargeIsNamedWithItsLine) {
  const std::string deep(100, '[');
  ExpectReason("{\n\"version\":" + deep + std::string(100, ']') + "}",
               {"line 2", "deeper than 32"});
  ExpectReason(std::string(1'000'000, '['), {"line 1"});
  ExpectReason(std::string(1'000'000, '{'), {"line 1"});
  ExpectReason("{\n\"version\":1e999}", {"line 2", "out of range"});
  std::string many = "0";
  for (int i = 0; i < 100'000; ++i) many += ",0";
  ExpectReason(With(many), {"operations[0]", "must be an object"});
}

TEST(ScenarioMalformed, ANameThatStandsTwiceIsRefused) {
  ExpectReason("{\"version\":1,\n\"version\":1,\"operations\":[]}",
               {"line 2", "\"version\"", "twice"});
  ExpectReason(Hit("stall", ",\"late\":\"never\",\"late\":\"after\""), {"\"late\"", "twice"});
  ExpectReason(Hit("stall", ",\"\\u006cate\":\"never\",\"late\":\"after\""), {"\"late\"", "twice"});
}

TEST(ScenarioMalformed, TheWholeIsAnObjectOfAVersion) {
  for (const char* text : {"[]", "null", "1", "\"text\"", "true"}) {
    ExpectReason(text, {"must be an object"});
  }
  ExpectReason("{\"operations\":[]}", {"version: is missing"});
  ExpectReason("{\"version\":0,\"operations\":[]}", {"version: is 0; this build reads 1"});
  ExpectReason("{\"version\":2,\"operations\":[]}", {"version: is 2; this build reads 1"});
  ExpectReason("{\"version\":\"1\",\"operations\":[]}", {"version: must be a whole number"});
  ExpectReason("{\"version\":1}", {"operations: is missing"});
  ExpectReason("{\"version\":1,\"operations\":{}}", {"operations: must be an array"});
  ExpectReason("{\"version\":1,\"operations\":[],\"faults\":1}", {"faults: must be an array"});
}

TEST(ScenarioMalformed, UnknownFieldsAreNamedWithTheKnownOnes) {
  ExpectReason("{\"version\":1,\"operations\":[],\"fautls\":[]}", {"\"fautls\"", "faults"});
  ExpectReason(With("{\"op\":\"turn\",\"usr\":{}}"), {"operations[0]", "\"usr\"", "user"});
  ExpectReason(With("{\"op\":\"turn\",\"rounds\":[{\"replay\":{}}]}"),
               {"operations[0].rounds[0]", "\"replay\"", "reply"});
  ExpectReason(With("{\"op\":\"read\",\"limit\":1}"), {"operations[0]", "\"limit\""});
  ExpectReason(Content("{\"fill\":\"ascii\",\"size\":1}"), {"operations[0].user", "\"size\""});
  ExpectReason(Content("{\"text\":\"a\",\"json\":\"1\"}"), {"operations[0].user", "\"json\""});
  ExpectReason("{\"version\":1,\"operations\":[],\"limits\":{\"max\":1}}", {"limits", "\"max\""});
  ExpectReason("{\"version\":1,\"operations\":[],\"failure\":{\"x\":1}}", {"failure", "\"x\""});
  ExpectReason(With("{\"op\":\"turn\",\"" + std::string(500, 'x') + "\":1}"), {"xxx\"..."});
}

TEST(ScenarioMalformed, AFieldThatAFaultDoesNotHaveIsRefused) {
  ExpectReason(Hit("kill-after-commit", ",\"late\":\"after\""), {"faults[0]", "\"late\""});
  ExpectReason(Hit("stall", ",\"bytes\":4"), {"faults[0]", "\"bytes\"", "late"});
  ExpectReason(Hit("control", ",\"commits\":4"), {"faults[0]", "\"commits\""});
}

TEST(ScenarioMalformed, UnknownNamesAreListed) {
  ExpectReason(With("{\"op\":\"jump\"}"), {"operations[0].op", "\"jump\"", "turn, read"});
  ExpectReason(With("{}"), {"operations[0].op", "is missing"});
  ExpectReason(With("{\"op\":\"turn\"}", "{}"), {"faults[0].fault", "is missing"});
  ExpectReason(Hit("meteor"), {"faults[0].fault", "\"meteor\"", "kill-before-load", "read-race"});
  ExpectReason(Hit("stall", "", "Jump"), {"faults[0].step", "\"Jump\"", "RecordTurnFailure"});
  ExpectReason(Hit("stall", ",\"late\":\"\""), {"faults[0].late", "never, before, after"});
  ExpectReason(Hit("control", ",\"control\":\"stop\""), {"faults[0].control", "steer, cancel"});
  ExpectReason(Content("{\"fill\":\"klingon\"}"), {"operations[0].user.fill", "ascii"});
  ExpectReason(Content("{\"alone\":\"cap*2\"}"), {"operations[0].user.alone", "cap-1"});
  for (const char* size : {"cap+-1", "cap+", "cap-", "cap--1", "cap1", "cap+1x", "limit 1", ""}) {
    ExpectReason(Content(std::string("{\"alone\":\"") + size + "\"}"),
                 {"operations[0].user.alone", "cap-1"});
  }
  ExpectReason(With("{\"op\":\"restart\",\"core\":\"x\"}"), {"operations[0].core", "legacy"});
  ExpectReason("{\"version\":1,\"operations\":[],\"core\":\"x\"}", {"core", "no-compaction"});
}

TEST(ScenarioMalformed, PairsThatCannotOccurAreRefusedWithTheReason) {
  ExpectReason(Hit("model-error", "", "StartTurn"), {"faults[0]", "calls no model"});
  ExpectReason(Hit("tool-error"), {"faults[0]", "cannot hit RunModel", "no tool results"});
  ExpectReason(Hit("control", "", "StartTurn"), {"faults[0]", "cannot hit StartTurn"});
  ExpectReason(Hit("control", ",\"at\":\"after-commit\""), {"faults[0]", "valid: handed-out"});
}

TEST(ScenarioMalformed, NumbersHaveARange) {
  const auto options = [](const std::string& option) {
    return "{\"version\":1,\"operations\":[],\"options\":{" + option + "}}";
  };
  ExpectReason(options("\"message_window_size\":0"), {"options", "size is 0", "valid: 1 .. "});
  ExpectReason(options("\"message_window_size\":8,\"message_chunk_size\":9"),
               {"options", "message_chunk_size is 9", "1 .. 8"});
  ExpectReason(options("\"message_chunk_max_bytes\":1023"), {"is 1023", "1024 .. 8388608"});
  ExpectReason(options("\"message_chunk_max_bytes\":8388609"), {"is 8388609"});
  for (const char* number : {"-1", "1.5", "1e3", "\"1\"", "true", "18446744073709551616"}) {
    ExpectReason(options(std::string("\"retained_message_limit\":") + number),
                 {"options.retained_message_limit", "whole number", "0 .. "});
  }
  ExpectReason("{\"version\":1,\"operations\":[],\"limits\":{\"history_commits\":1000001}}",
               {"limits", "history_commits", "0 .. 1000000"});
  ExpectReason(With("{\"op\":\"limits\",\"max_value_bytes\":0}"),
               {"operations[0]", "max_value_bytes is 0", "valid: 1 .. "});
  ExpectReason(With("{\"op\":\"restart\",\"options\":{\"message_chunk_size\":0}}"),
               {"operations[0].options", "message_chunk_size is 0"});
}

TEST(ScenarioMalformed, ContentsHaveALimitAndAPlace) {
  ExpectReason(Content("{\"bytes\":16777217}"), {"operations[0].user", "16777217", "valid: "});
  ExpectReason(Content("{\"bytes\":9223372036854775808}"), {"operations[0].user.bytes"});
  ExpectReason(Content("{\"json\":\"[1\"}"), {"operations[0].user", "content json, byte"});
  ExpectReason(With("{\"op\":\"turn\",\"rounds\":[{},{\"tools\":[{},{\"json\":\"x\"}]}]}"),
               {"operations[0].rounds[1].tools[1]"});
  ExpectReason(With("{\"op\":\"turn\",\"rounds\":[{\"reply\":{\"bytes\":-16777217}}]}"),
               {"operations[0].rounds[0].reply"});
}

TEST(ScenarioMalformed, FaultsHaveRanges) {
  ExpectReason(Hit("stall", "", "RunModel", "0"), {"faults[0]", "turn is 0", "1 .. 1"});
  ExpectReason(Hit("stall", "", "RunModel", "2"), {"faults[0]", "turn is 2", "1 .. 1"});
  ExpectReason(Hit("stall", ",\"occurrence\":0"), {"faults[0]", "occurrence is 0"});
  ExpectReason(Hit("stall", ",\"attempt\":0"), {"faults[0]", "attempt is 0"});
  ExpectReason(Hit("engine-crash", ",\"commits\":9"), {"faults[0]", "commits is 9", "0 .. 8"});
  ExpectReason(Hit("value-limit"), {"faults[0]", "bytes is 0", "valid: 1 .. "});
}

}  // namespace
}  // namespace rollover
