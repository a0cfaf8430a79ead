// What is recorded of a core, and what is seen by it: the first answer that is another one.
#include "sim/wire/recording.h"

#include "tests/cli/program.h"

namespace rollover {
namespace {

const std::string kSample = "exec:python3 " ROLLOVER_SOURCE_DIR "/tests/cores/python/core.py";

std::string Mistaken(const std::string& name, const std::string& hash_seed) {
  return "exec:env PYTHONHASHSEED=" + hash_seed +
         " python3 " ROLLOVER_SOURCE_DIR "/tests/wire/mistakes/" + name + ".py";
}

std::vector<Exchange> Spoken(const std::string& last_answer) {
  return {{1, R"({"type":"hello"})", R"({"type":"hello","core":"a\"b"})"},
          {2, "killed", std::nullopt},
          {1, "last", last_answer}};
}

std::string TextOf(const std::vector<Exchange>& exchanges) {
  std::string text;
  for (const Exchange& exchange : exchanges) text += RecordingLine(exchange);
  return text;
}

TEST(Recording, IsReadAsItWasWritten) {
  const std::string text = TextOf(Spoken("x\ty"));
  EXPECT_EQ(text.substr(text.find('\n') + 1),
            "{\"process\":2,\"request\":\"killed\",\"answer\":null}\n"
            "{\"process\":1,\"request\":\"last\",\"answer\":\"x\\ty\"}\n");
  const auto read = ReadRecording(text);
  ASSERT_TRUE(read) << read.error().reason;
  EXPECT_EQ(TextOf(read.value()), text);
}

TEST(Recording, AnErrorNamesTheLine) {
  const std::string good = RecordingLine({1, "a", "b"});
  const auto error_of = [&](const std::string& line) {
    const auto read = ReadRecording(good + line + "\n" + good);
    return read ? "none" : read.error().reason;
  };
  EXPECT_EQ(error_of(good.substr(0, good.size() - 1)), "none");
  EXPECT_EQ(error_of("").rfind("line 2: ", 0), 0u) << error_of("");
  EXPECT_EQ(error_of("[]").rfind("line 2: ", 0), 0u) << error_of("[]");
  EXPECT_EQ(error_of(R"({"process":1,"request":"a"})"),
            "line 2: an exchange has a process, a request and an answer");
  EXPECT_NE(error_of(R"({"process":1,"request":"a","answer":7})").find("answer must be a string"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"process":"1","request":"a","answer":"b"})").find("process"),
            std::string::npos);
}

TEST(Recording, TheFirstDifferenceIsOfTheCoreOrOfTheRequests) {
  EXPECT_FALSE(FirstDifference(Spoken("x"), Spoken("x")));
  const auto answer = FirstDifference(Spoken("same, then x"), Spoken("same, then y"));
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->of_answer);
  EXPECT_EQ(answer->text,
            "answer 3 differs: recorded \"same, then x\", now \"same, then y\"; the request was "
            "\"last\"");
  auto other = Spoken("x");
  other[1].request = "another";
  ASSERT_TRUE(FirstDifference(Spoken("y"), other));
  EXPECT_FALSE(FirstDifference(Spoken("y"), other)->of_answer);
  other = Spoken("x");
  other[1].answer = "alive";
  ASSERT_TRUE(FirstDifference(Spoken("x"), other));
  EXPECT_NE(FirstDifference(Spoken("x"), other)->text.find("recorded none, now \"alive\""),
            std::string::npos);
  other.pop_back();
  other[1].answer.reset();
  ASSERT_TRUE(FirstDifference(Spoken("x"), other));
  EXPECT_EQ(FirstDifference(Spoken("x"), other)->text,
            "3 exchanges are recorded, and now there are 2");
}

TEST(Recording, AnAnswerThatIsNotUtf8IsKeptAsAnExcerpt) {
  std::vector<Exchange> heard;
  Recorder recorder([&](Exchange exchange) { heard.push_back(std::move(exchange)); });
  EXPECT_EQ(recorder.NewProcess(), 1u);
  EXPECT_EQ(recorder.NewProcess(), 2u);
  recorder.Hear(2, "request", "\xff\xfe!");
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].process, 2u);
  EXPECT_EQ(heard[0].answer, R"(\xff\xfe!)");
}

class Recorded : public Program {
 protected:
  // A kill in the second attempt's way, so that there are several processes and no answer once.
  std::string Scenario() const {
    return File("scenario.json",
                ScenarioText(R"({"op":"turn"},{"op":"turn"},{"op":"turn"})",
                             R"({"fault":"kill-in-handler","turn":1,"step":"RunModel"})"));
  }
  std::vector<Exchange> Read(const std::string& path) const {
    auto read = ReadRecording(test::TextOf(path));
    EXPECT_TRUE(read);
    return read ? read.value() : std::vector<Exchange>{};
  }
};

TEST_F(Recorded, TheSameCoreGivesTheSameAnswers) {
  const std::string kept = beside("kept.jsonl");
  const Ended first = Run({"replay", Scenario(), "--core", kSample, "--record", kept});
  EXPECT_EQ(first.code, 0) << first.out << first.err;
  const auto exchanges = Read(kept);
  ASSERT_GT(exchanges.size(), 8u);
  EXPECT_EQ(exchanges[0].request, R"({"type":"hello","protocol":1})");
  const auto unanswered = std::count_if(exchanges.begin(), exchanges.end(),
                                        [](const Exchange& said) { return !said.answer; });
  EXPECT_EQ(unanswered, 1);
  const Ended again = Run({"replay", Scenario(), "--core", kSample, "--recording", kept});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  EXPECT_NE(again.out.find("FIXED"), std::string::npos) << again.out;
}

TEST_F(Recorded, AnAnswerByChanceIsNamed) {
  const std::string kept = beside("kept.jsonl");
  const Ended first =
      Run({"replay", Scenario(), "--core", Mistaken("order_by_hash", "1"), "--record", kept});
  EXPECT_EQ(first.code, 0) << first.out << first.err;
  const Ended again =
      Run({"replay", Scenario(), "--core", Mistaken("order_by_hash", "2"), "--recording", kept});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_NE(again.out.find("REPRODUCED rule deterministic\n  answer "), std::string::npos)
      << again.out;
  EXPECT_NE(again.out.find(R"(the request was "{"type":"invoke","id":1,)"), std::string::npos)
      << again.out;
}

TEST_F(Recorded, ARunIsRecordedWithTheAnswerThatBrokeIt) {
  const std::string kept = beside("kept.jsonl");
  const Ended ended =
      Run({"run", "--core", "exec:python3 " ROLLOVER_SOURCE_DIR "/tests/wire/hostile.py garbage",
           "--seeds", "1", "--no-shrink", "--jobs", "1", "--record", kept});
  EXPECT_EQ(ended.code, 1) << ended.err;
  const auto exchanges = Read(kept);
  ASSERT_GE(exchanges.size(), 3u);
  EXPECT_EQ(exchanges[2].answer, "garbage");
}

TEST_F(Recorded, BadUseIsOneLine) {
  const std::string scenario = Scenario();
  const std::string file = beside("kept.jsonl");
  const std::string folder = here().string();
  ExpectRefused({"replay", scenario, "--record", file}, {"exec:CMD"});
  ExpectRefused({"run", "--seeds", "1", "--core", "reference", "--record", file},
                {"exec:CMD", "reference"});
  ExpectRefused({"run", "--seeds", "1", "--core", kSample, "--record", folder},
                {"--record", "folder"});
  ExpectRefused({"replay", scenario, "--core", kSample, "--record", file, "--recording", file},
                {"--record and --recording exclude each other"});
  ExpectRefused({"replay", scenario, scenario, "--core", kSample, "--record", file},
                {"one FILE, not 2"});
  ExpectRefused({"replay", scenario, "--core", kSample, "--recording", file}, {"no such file"});
  const std::string broken = File("broken.jsonl", "{}\n");
  ExpectRefused({"replay", scenario, "--core", kSample, "--recording", broken},
                {"broken.jsonl: line 1: an exchange has"});
  ExpectRefused({"core", "cat", "--throughput", "--record", file}, {"--throughput"});
  ExpectRefused({"core", "cat", "--throughput", "--json"}, {"--throughput", "--json"});
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(Recorded, AnotherScenariosRecordingIsNotCompared) {
  const std::string other =
      File("other.json", ScenarioText(R"({"op":"turn","user":{"bytes":9}})", ""));
  const std::string kept = beside("kept.jsonl");
  EXPECT_EQ(Run({"replay", other, "--core", kSample, "--record", kept}).code, 0);
  ExpectRefused({"replay", Scenario(), "--core", kSample, "--recording", kept},
                {"is not of", "request 3 is another one"});
}

}  // namespace
}  // namespace rollover
