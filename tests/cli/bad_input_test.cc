// Bad input: one line that names the flag or file and the reason, exit 2, nothing written.
#include "sim/scenario_json.h"
#include "tests/cli/program.h"

namespace rollover {
namespace {

class BadInput : public Program {
 protected:
  // `replay` refuses a file with this text; the line names the file too.
  void ExpectFileRefused(const std::string& text, std::vector<std::string> words) {
    const std::string path = File("scenario.json", text);
    words.push_back(path);
    ExpectRefused({"replay", path}, words);
  }
};

TEST_F(BadInput, CommandsAreNamed) {
  ExpectRefused({}, {"subcommand"});
  ExpectRefused({"frobnicate"},
                {"unknown command 'frobnicate'", "run, replay, soak, shrink, fuzz, core"});
  ExpectRefused({"frob\nnicate"}, {"frob\\x0anicate"});
  ExpectRefused({""}, {"unknown command ''"});
}

TEST_F(BadInput, UnknownFlagsAreNamed) {
  ExpectRefused({"--frob"}, {"--frob"});
  ExpectRefused({"run", "--frob"}, {"--frob"});
  ExpectRefused({"run", "--frob=3", "--seeds", "1"}, {"--frob"});
  ExpectRefused({"replay", "--frob", "x.json"}, {"--frob"});
  ExpectRefused({"soak", "-x"}, {"-x"});
  ExpectRefused({"run", "stray"}, {"stray"});
}

TEST_F(BadInput, FuzzTargetsAreNamed) {
  ExpectRefused({"fuzz", "fuzz_frob"}, {"unknown target 'fuzz_frob'", "fuzz_session"});
  ExpectRefused({"fuzz", "--for", "0s"}, {"--for is '0s'"});
  ExpectRefused({"fuzz", "--core", "bug:frob"}, {"--core: unknown planted bug 'frob'"});
  ExpectRefused({"fuzz", "--core", "legacy"}, {"--core: ", "'legacy'", "bug:NAME"});
}

TEST_F(BadInput, PlantedBugsAreChosenByAValidExpression) {
  ExpectRefused({"bugs", "--filter", "("}, {"--filter is '('", "regular expression"});
  ExpectRefused({"bugs", "--filter", "no-such-bug"},
                {"--filter is 'no-such-bug'", "rollover-one-late"});
  ExpectRefused({"bugs", "--filter", ""}, {"--filter"});
  ExpectRefused({"bugs", "--starts", "0"}, {"--starts is '0'", "1 .. 1000"});
  ExpectRefused({"bugs", "--starts", "1001"}, {"--starts is '1001'"});
  ExpectRefused({"bugs", "--max-turns", "0"}, {"--max-turns is '0'", "1 .. "});
  ExpectRefused({"bugs", "--max-turns", "1k"}, {"--max-turns is '1k'"});
  ExpectRefused({"bugs", "--jobs", "0"}, {"--jobs is '0'", "1 .. 1024"});
  ExpectRefused({"bugs", "stray"}, {"stray"});
}

TEST_F(BadInput, NumbersHaveARange) {
  for (const char* bad : {"x", "0", "-1", "1.5", "1e3", "99999999999999999999", " 1", "1 ", "0x"}) {
    ExpectRefused({"run", "--seeds", bad}, {"--seeds", bad, "valid: a whole number, 1 .. "});
  }
  ExpectRefused({"run", "--seeds"}, {"--seeds"});
  ExpectRefused({"run", "--seeds", "1", "--seeds", "2"}, {"--seeds"});
  ExpectRefused({"run", "--seed", "x"}, {"--seed is 'x'", "18446744073709551615"});
  ExpectRefused({"run", "--jobs", "0"}, {"--jobs is '0'", "1 .. 1024"});
  ExpectRefused({"soak", "--turns", "0"}, {"--turns is '0'", "1 .. "});
  ExpectRefused({"soak", "--every", "x"}, {"--every is 'x'", "1 .. "});
  ExpectRefused({"soak", "--seed", "x"}, {"--seed is 'x'"});
  const std::string path = File("scenario.json", ScenarioText("", ""));
  ExpectRefused({"replay", path, "--until", "0"}, {"--until is '0'", "1 .. "});
}

TEST_F(BadInput, AnEmptyValueIsNotAMissingFlag) {
  for (const char* flag : {"--seed", "--seeds", "--for", "--jobs", "--preset", "--transcript",
                           "--core", "--shard", "--out"}) {
    ExpectRefused({"run", flag, ""}, {flag});
  }
  ExpectRefused({"run", "--seeds="}, {"--seeds"});
  ExpectRefused({"soak", "--turns", ""}, {"--turns"});
  ExpectRefused({"replay", ""}, {"FILE"});
}

TEST_F(BadInput, TimesHaveARange) {
  for (const char* bad : {"0s", "-1", "abc", "s", "1.5s", "9000h", "10d"}) {
    ExpectRefused({"run", "--for", bad}, {"--for", bad, "valid: 1s .. 8784h"});
  }
  ExpectRefused({"run", "--seeds", "1", "--for", "1s"}, {"--seeds", "--for"});
}

TEST_F(BadInput, ShardsHaveARange) {
  ExpectRefused({"run", "--seeds", "9", "--shard", "0/3"}, {"--shard", "'0'", "1 .. 3"});
  ExpectRefused({"run", "--seeds", "9", "--shard", "4/3"}, {"--shard", "'4'", "1 .. 3"});
  ExpectRefused({"run", "--seeds", "9", "--shard", "x"}, {"--shard is 'x'", "1/4"});
  ExpectRefused({"run", "--seeds", "9", "--shard", "1/0"}, {"--shard", "'0'"});
  ExpectRefused({"run", "--seeds", "9", "--shard", "1/"}, {"--shard"});
  ExpectRefused({"run", "--seeds", "2", "--shard", "3/3"}, {"--shard 3/3", "no seed"});
  ExpectRefused({"run", "--every-crash-point", "no.json"}, {"no.json"});
  ExpectRefused({"run", "--every-crash-point", "no.json", "--from-rare"}, {"exclude"});
  ExpectRefused({"run", "--from-rare", "--shard", "1/2"}, {"--from-rare", "--shard"});
  ExpectRefused({"run", "--every-crash-point", "no.json", "--seeds", "2"},
                {"--every-crash-point", "--seeds"});
}

TEST_F(BadInput, NamesAreListed) {
  ExpectRefused({"run", "--core", "nonsense"}, {"--core", "nonsense", "reference"});
  ExpectRefused({"run", "--core", "bug:nonsense"}, {"--core", "nonsense", "valid: "});
  ExpectRefused({"run", "--core", "bytes:bug:nonsense"}, {"--core", "nonsense"});
  ExpectRefused({"run", "--preset", "nonsense"}, {"--preset", "nonsense", "default, tiny"});
  ExpectRefused({"soak", "--preset", "nonsense"}, {"--preset", "nonsense", "source-800-faults"});
  ExpectRefused({"bench", "--filter", "("}, {"--filter is '('", "regular expression"});
  ExpectRefused({"bench", "--filter", "nonsense"}, {"nonsense", "matches no benchmark"});
  ExpectRefused({"bench", "--repetitions", "0"}, {"--repetitions is '0'", "1 .. 100"});
  ExpectRefused({"soak", "--core", "bug:nonsense"}, {"--core", "nonsense"});
  const std::string path = File("scenario.json", ScenarioText("", ""));
  ExpectRefused({"replay", path, "--trace", "xml"}, {"--trace is 'xml'", "text, json, perfetto"});
  ExpectRefused({"replay", path, path, "--trace", "html"}, {"--trace html", "one FILE"});
  ExpectRefused({"replay", path, "--trace", "json", "--json"}, {"--json", "--trace"});
  ExpectRefused({"replay", path, "--core", "nonsense"}, {"--core", "nonsense"});
}

TEST_F(BadInput, FilesThatCannotBeReadAreNamed) {
  const std::string missing = beside("missing.json");
  ExpectRefused({"replay"}, {"FILE"});
  ExpectRefused({"replay", missing}, {missing, "no such file"});
  ExpectRefused({"replay", here().string()}, {here().string(), "folder"});
  ExpectRefused({"run", "--transcript", missing}, {missing, "no such file"});
  ExpectRefused({"run", "--transcript", here().string()}, {here().string(), "folder"});
  ExpectRefused({"run", "--preset", missing}, {missing, "no such file"});
  ExpectRefused({"run", "--preset", here().string()}, {here().string(), "folder"});
}

TEST_F(BadInput, APageThatCannotBeWrittenIsNamedBeforeAnythingRuns) {
  const std::string below_a_file = File("a-file", "") + "/page.html";
  for (const std::string command : {"soak", "run"}) {
    ExpectRefused({command, "--html", below_a_file}, {"--html", below_a_file});
    ExpectRefused({command, "--html", here().string()}, {"--html", here().string(), "folder"});
    ExpectRefused({command, "--html", ""}, {"--html"});
  }
}

TEST_F(BadInput, OneBadFileStopsTheWholeReplay) {
  const std::string good = File("good.json", ScenarioText("{\"op\":\"turn\"}", ""));
  ExpectRefused({"replay", good, beside("missing.json")}, {"missing.json"});
}

TEST_F(BadInput, BrokenScenariosAreNamedWithThePlace) {
  ExpectFileRefused("", {"line 1", "empty"});
  const std::string whole = ScenarioText("{\"op\":\"turn\"}", "");
  ExpectFileRefused(whole.substr(0, whole.size() - 4), {"line 3", "ends too early"});
  ExpectFileRefused("{\"version\": 2, \"operations\": []}", {"version", "is 2", "reads 1"});
  ExpectFileRefused("{\"version\": 1,\n\"operations\": [,]}", {"line 2", "not JSON"});
  ExpectFileRefused(ScenarioText("", "", "\"options\": {\"message_window_size\": 0},"),
                    {"options", "message_window_size is 0", "valid: 1 .. "});
  ExpectFileRefused(
      ScenarioText("{\"op\":\"turn\"}", "{\"fault\":\"meteor\",\"turn\":1,\"step\":\"RunModel\"}"),
      {"faults[0].fault", "unknown \"meteor\"", "kill-before-load", "read-race"});
}

TEST_F(BadInput, ACoreThatAFileNamesAndNobodyKnowsIsNamed) {
  ExpectFileRefused(ScenarioText("", "", "\"failure\": {\"core\": \"bug:nonsense\"},"),
                    {"failure.core", "nonsense", "valid: "});
}

TEST_F(BadInput, AFileOfZerosIsRefusedUnread) {
  const std::string path = File("zeros.json", "");
  std::filesystem::resize_file(path, 100'000'000);  // sparse
  ExpectRefused({"replay", path}, {path, "larger than"});
  ExpectRefused({"run", "--preset", path}, {path, "larger than"});
  ExpectRefused({"run", "--transcript", path, "--seeds", "1"}, {path, "line 1", "0x00"});
}

TEST_F(BadInput, InvalidUtf8InATranscriptIsNamedWithItsLine) {
  const std::string path = File("chat.jsonl",
                                "[{\"role\":\"user\",\"content\":\"hi\"}]\n"
                                "[{\"role\":\"user\",\"content\":\"\xC3(\"}]\n");
  ExpectRefused({"run", "--transcript", path}, {path, "line 2", "UTF-8", "0xc3"});
}

TEST_F(BadInput, ATranscriptWithoutAUserIsRefused) {
  const std::string path = File("chat.json", "[{\"role\":\"system\",\"content\":\"hi\"}]");
  ExpectRefused({"run", "--transcript", path}, {path, "nothing to replay"});
}

TEST_F(BadInput, ShrinkRefusesWhatItCannotRead) {
  const std::string good = File("good.json", ScenarioText("", ""));
  ExpectRefused({"shrink"}, {"FILE"});
  ExpectRefused({"shrink", beside("none.json")}, {"none.json", "no such file"});
  ExpectRefused({"shrink", File("bad.json", "{")}, {"bad.json"});
  ExpectRefused({"shrink", good, "--for", "0s"}, {"--for is '0s'"});
  ExpectRefused({"shrink", good, "--jobs", "0"}, {"--jobs is '0'", "1 .. 1024"});
  ExpectRefused({"shrink", good, "--core", "x"}, {"--core", "unknown core 'x'"});
  ExpectRefused({"shrink", good, "-o", ""}, {"-o"});
  ExpectRefused({"shrink", good, "--json", "--as-test"}, {"--json", "--as-test"});
}

}  // namespace
}  // namespace rollover
