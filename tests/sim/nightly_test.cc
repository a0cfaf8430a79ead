#include "sim/campaign/nightly.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "sim/campaign/child.h"
#include "sim/campaign/night_report.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::minutes;

const std::atomic<bool> kGoes{false};

using Texts = std::vector<std::string>;

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool AnyContains(const Texts& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return Contains(text, part); });
}

Texts Lines(const std::string& text) {
  Texts lines;
  std::string line;
  for (const char c : text) {
    if (c != '\n') {
      line += c;
    } else {
      lines.push_back(std::move(line));
      line.clear();
    }
  }
  return lines;
}

// Nights whose parts are run by a shell script in the program's place. Each call leaves its
// arguments in calls().
class Nightly : public testing::Test {
 protected:
  // `cases` are those of a shell's case over the command, ahead of the one in which all is well.
  void Behave(const std::string& cases) const {
    const fs::path path = scratch_.path() / "program";
    std::ofstream(path) << "#!/bin/sh\necho \"$*\" >>'" << calls_path().string() << "'\n"
                        << "case \"$*\" in\n"
                        << cases << "\n*) echo '{\"failures\": []}' ;;\nesac\n";
    fs::permissions(path, fs::perms::owner_all);
  }

  NightConfig Config() const {
    return {.program = scratch_.path() / "program",
            .out = out(),
            .budget = minutes(10),
            .version = "1"};
  }

  NightReport Night(const NightConfig& config, const std::atomic<bool>& interrupted = kGoes) const {
    auto report = RunNight(config, interrupted, [](const std::string&) {});
    EXPECT_TRUE(report.ok());
    return report ? std::move(report.value()) : NightReport{};
  }

  std::string Refused() const {
    const auto report = RunNight(Config(), kGoes, [](const std::string&) {});
    return report ? "not refused" : report.error().reason;
  }

  // A case in which `pattern` finds one failure, in a scenario that exists.
  std::string Finds(const std::string& pattern, const std::string& fingerprint) const {
    const fs::path scenario = scratch_.path() / "found.json";
    std::ofstream(scenario) << "{}";
    return pattern + ") echo '{\"failures\": [{\"rule\": \"in-order\", \"fingerprint\": \"" +
           fingerprint + "\", \"what\": \"w\", \"scenario\": \"" + scenario.string() +
           "\"}]}'; exit 1 ;;\n";
  }

  fs::path out() const { return scratch_.path() / "out"; }
  fs::path calls_path() const { return scratch_.path() / "calls"; }
  Texts calls() const { return Lines(test::TextOf(calls_path())); }

  test::Scratch scratch_;
};

Texts States(const NightReport& report) {
  Texts states;
  for (const FailureTonight& failure : report.failures) {
    states.push_back(std::string(StateName(failure.state)) + " " +
                     failure.known.failure.fingerprint);
  }
  return states;
}

TEST_F(Nightly, EveryPartRunsOnceAndTheNightHolds) {
  Behave("");
  const NightReport report = Night(Config());
  EXPECT_TRUE(report.all_ran());
  EXPECT_FALSE(report.broken());
  EXPECT_EQ(calls().size(), report.planned.size());
  for (const char* command : {"soak", "explore", "bugs", "fuzz", "run --from-rare", "run --for"}) {
    EXPECT_TRUE(AnyContains(calls(), command)) << command;
  }
  for (const char* file : {"summary.json", "summary.md", "junit.xml", "index.html"}) {
    EXPECT_GT(fs::file_size(out() / file), 0u) << file;
  }
  EXPECT_EQ(Lines(test::TextOf(out() / "history.jsonl")).size(), 1u);
}

TEST_F(Nightly, AnotherCoreIsTestedWhereItCanBe) {
  Behave("");
  NightConfig config = Config();
  config.core = "exec:./core";
  Night(config);
  EXPECT_TRUE(AnyContains(calls(), "core --every 5 ./core"));
  for (const std::string& call : calls()) {
    const bool in_process =
        call.starts_with("explore") || call.starts_with("bugs") || call.starts_with("fuzz");
    if (in_process) {
      EXPECT_FALSE(Contains(call, "./core")) << call;
    }
    if (call.starts_with("soak") || call.starts_with("run")) {
      EXPECT_TRUE(Contains(call, "--core exec:./core")) << call;
    }
  }
}

TEST_F(Nightly, AFailureIsNewThenKnownThenFixedThenNewAgain) {
  Behave(Finds("run\\ --for*", "in-order: w"));
  EXPECT_EQ(States(Night(Config())), (Texts{"new in-order: w"}));

  const std::string file = (out() / "known/in-order-1.json").string();
  const std::string replay = "replay*) echo '{\"file\": \"" + file + "\", \"answer\": ";
  Behave(replay + "\"REPRODUCED\"}'; exit 1 ;;");
  NightReport report = Night(Config());
  EXPECT_EQ(States(report), (Texts{"known in-order: w"}));
  EXPECT_TRUE(report.broken()) << "known failures are failures";
  EXPECT_EQ(report.parts.front().outcome, PartOutcome::kBroken);
  EXPECT_TRUE(AnyContains(calls(), "replay " + file + " --json"));

  Behave(replay + "\"FIXED\"}' ;;");
  report = Night(Config());
  EXPECT_EQ(States(report), (Texts{"fixed in-order: w"}));
  EXPECT_FALSE(report.broken());

  Behave("");
  EXPECT_EQ(States(Night(Config())), Texts{});
  Behave(Finds("run\\ --for*", "in-order: w"));
  EXPECT_EQ(States(Night(Config())), (Texts{"new in-order: w"}));
}

TEST_F(Nightly, ANightThatHappensNotToMeetAFailureDoesNotMakeItFixed) {
  Behave(Finds("run\\ --for*", "in-order: w"));
  Night(Config());
  Behave("replay*) echo '{\"file\": \"" + (out() / "known/in-order-1.json").string() +
         "\", \"answer\": \"STALE\"}'; exit 2 ;;");
  const NightReport report = Night(Config());
  EXPECT_EQ(States(report), (Texts{"known in-order: w"}));
  EXPECT_FALSE(report.failures.front().seen);
  EXPECT_FALSE(report.broken());
  EXPECT_FALSE(report.all_ran()) << "a failure that nothing judged must not pass for green";
  EXPECT_EQ(report.parts.front().reason, "1 of the known failures could not be judged: STALE");
}

TEST_F(Nightly, FindingsOfSeveralPartsAreOneByTheirFingerprint) {
  Behave(Finds("run\\ --f*", "in-order: a") + Finds("soak*", "in-order: b"));
  EXPECT_EQ(States(Night(Config())), (Texts{"new in-order: a", "new in-order: b"}));
  EXPECT_TRUE(fs::exists(out() / "known/in-order-2.json"));
}

TEST_F(Nightly, APartThatIsKilledOrCrashesIsAFinding) {
  Behave("bugs*) kill -9 $$ ;;\nfuzz*) kill -11 $$ ;;");
  const NightReport report = Night(Config());
  EXPECT_EQ(States(report),
            (Texts{"new crashed: fuzz was ended by signal #",
                   "new killed: bugs was killed, as when the machine's memory is used up"}));
}

TEST_F(Nightly, APartThatUsesUpItsMemoryIsAFinding) {
  Behave("bugs*) echo 'rollover: out of memory' >&2; exit 3 ;;");
  EXPECT_EQ(States(Night(Config())), (Texts{"new out-of-memory: bugs used up its memory"}));
}

TEST_F(Nightly, APartThatSaysNothingIsNotTakenForWell) {
  Behave("bugs*) ;;\nfuzz*) echo 'rollover: no clang' >&2; exit 3 ;;\nsoak*) echo '{}'; exit 1 ;;");
  const NightReport report = Night(Config());
  EXPECT_FALSE(report.all_ran());
  EXPECT_TRUE(Contains(NightHeadline(report), "parts ran"));
  for (const PartResult& part : report.parts) {
    const std::string command = part.run.arguments.front();
    if (command == "bugs") {
      EXPECT_EQ(part.outcome, PartOutcome::kNotRun);
    } else if (command == "fuzz") {
      EXPECT_EQ(part.reason, "rollover: no clang");
    } else if (command == "soak") {
      EXPECT_EQ(part.failures.front().rule, "no-report");
    }
  }
}

TEST_F(Nightly, AnInterruptedNightGoesOnAndRepeatsNothing) {
  Behave("");
  std::atomic<bool> interrupted{false};
  int told = 0;
  const auto stop = [&](const std::string&) { interrupted = ++told == 5; };
  const auto first = RunNight(Config(), interrupted, stop);
  ASSERT_TRUE(first.ok());
  EXPECT_FALSE(first.value().night.finished);
  EXPECT_EQ(calls().size(), 5u);

  const NightReport second = Night(Config());
  EXPECT_TRUE(second.all_ran());
  EXPECT_EQ(second.night.number, 1u);
  Texts all = calls();
  EXPECT_EQ(all.size(), second.planned.size());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
  EXPECT_EQ(Lines(test::TextOf(out() / "history.jsonl")).size(), 1u);
}

TEST_F(Nightly, APartThatWasInterruptedIsRunAgainAndItsFindingsStay) {
  const std::string found = Finds("bugs*", "in-order: w");
  std::atomic<bool> interrupted{true};
  Behave("");
  NightReport report = Night(Config(), interrupted);
  EXPECT_EQ(calls(), Texts{});

  PartRun run{.part = "bugs", .arguments = {"bugs"}, .exit_code = 130, .interrupted = true};
  const PartResult part = ReadPart(
      run, R"({"failures": [{"rule": "r", "fingerprint": "f", "what": "w", "scenario": ""}]})", "");
  EXPECT_EQ(part.outcome, PartOutcome::kBroken);
  EXPECT_EQ(part.failures.size(), 1u);
  report.night.runs.push_back(run);
  EXPECT_FALSE(report.night.ended("bugs"));
}

TEST_F(Nightly, AnUnfinishedNightOfAnotherBudgetIsLeft) {
  Behave("");
  std::atomic<bool> interrupted{true};
  Night(Config(), interrupted);
  NightConfig config = Config();
  config.budget = minutes(20);
  EXPECT_EQ(Night(config).night.number, 2u);
}

TEST_F(Nightly, AFileThatNoNightWroteIsRefusedAndLeft) {
  fs::create_directories(out() / "nights/1");
  Behave("");
  for (const char* file : {"known.json", "nights/1/night.json"}) {
    for (const char* text : {"", "[]", "{\"failures\": [{}]}", "{\"night\": \"one\"}"}) {
      std::ofstream(out() / file) << text;
      EXPECT_TRUE(Contains(Refused(), file)) << text;
      EXPECT_EQ(test::TextOf(out() / file), text);
    }
    fs::remove(out() / file);
  }
  EXPECT_EQ(calls(), Texts{});
}

TEST_F(Nightly, HalfALineOfTheHistoryIsLeftOut) {
  Behave("");
  Night(Config());
  std::ofstream(out() / "history.jsonl", std::ios::app) << "{\"night\": 2, \"tur";
  const NightReport report = Night(Config());
  EXPECT_EQ(report.history.size(), 2u);
  EXPECT_EQ(Lines(test::TextOf(out() / "history.jsonl")).size(), 2u);
}

TEST_F(Nightly, APlaceThatCannotBeWrittenEndsTheNight) {
  Behave("");
  std::ofstream(out()) << "a file, not a folder";
  const NightReport report = Night(Config());
  EXPECT_TRUE(Contains(report.environment_error, out().string()));
  EXPECT_EQ(calls(), Texts{});
}

TEST(NightParts, TheSharesUseUpAllTimeAndTheLastTakesTheRest) {
  const std::vector<NightPart> parts = NightParts({.known = {"a.json"}});
  milliseconds left = minutes(6);
  for (std::size_t at = 0; at < parts.size(); ++at) {
    const milliseconds share = ShareOf(parts, at, left);
    EXPECT_GT(share.count(), 0) << parts[at].name;
    if (at + 1 == parts.size()) {
      EXPECT_EQ(share, left);
    }
    left -= share;
  }
  EXPECT_EQ(left.count(), 0);
  EXPECT_EQ(ShareOf(parts, parts.size() - 1, minutes(5)), minutes(5));
}

TEST(NightResult, APartThatDidNotEndInItsTimeIsAFinding) {
  const PartResult part = ReadPart(
      {.part = "soak migration", .arguments = {"soak"}, .exit_code = 130, .timed_out = true},
      R"({"failures": []})", "");
  ASSERT_EQ(part.failures.size(), 1u);
  EXPECT_EQ(part.failures.front().fingerprint, "time-out: soak migration did not end in its time");
}

TEST(Child, IsStoppedAtItsTimeLimit) {
  const test::Scratch scratch;
  const ChildEnd end = RunChild({.program = "/bin/sh",
                                 .arguments = {"-c", "trap 'exit 7' INT; while :; do :; done"},
                                 .output = scratch.path() / "out",
                                 .time_max = milliseconds(50)},
                                kGoes);
  EXPECT_TRUE(end.timed_out);
  EXPECT_EQ(end.signal, 0);
  EXPECT_EQ(end.exit_code, 7);
}

TEST(Child, KeepsBothOutputsApart) {
  const test::Scratch scratch;
  const ChildEnd end = RunChild({.program = "/bin/sh",
                                 .arguments = {"-c", "echo out; echo err >&2; exit 4"},
                                 .output = scratch.path() / "out",
                                 .errors = scratch.path() / "err"},
                                kGoes);
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_EQ(test::TextOf(scratch.path() / "out"), "out\n");
  EXPECT_EQ(test::TextOf(scratch.path() / "err"), "err\n");
}

}  // namespace
}  // namespace rollover
