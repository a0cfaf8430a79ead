// Fuzzing with stand-ins for the drivers: what their logs mean, and that nothing passes in silence.
#include "sim/campaign/fuzzing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/campaign/child.h"
#include "sim/campaign/files.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

namespace fs = std::filesystem;

const std::string kTarget = "fuzz_codec";

class Fuzzing : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(WriteFile(Corpus() / "seed", "{}"), std::nullopt);
    config_.targets = {kTarget};
    config_.time = std::chrono::seconds(5);
    config_.checkout = scratch_.path();
    config_.out = scratch_.path() / "out";
  }

  fs::path Corpus() const { return scratch_.path() / "corpus/fuzz" / kTarget; }

  void Driver(const std::string& body) {
    const fs::path path = scratch_.path() / "build/fuzz/fuzz" / kTarget;
    ASSERT_EQ(WriteFile(path, "#!/bin/sh\n" + body), std::nullopt);
    fs::permissions(path, fs::perms::owner_all);
  }
  // Says `words` and leaves an input behind, as a driver does that crashes.
  void CrashingDriver(const std::string& words) {
    Driver(
        fmt::format("echo '{}'\nprintf x >{}/crash-01\necho 'Test unit written to {}/crash-01'\n"
                    "echo 'stat::number_of_executed_units: 7'\nexit 77\n",
                    words, Corpus().parent_path().string(), Corpus().parent_path().string()));
  }

  FuzzReport Run() {
    return RunFuzzTargets(config_, interrupted_, [](const std::string&) {});
  }

  const test::Scratch scratch_;
  FuzzConfig config_;
  std::atomic<bool> interrupted_{false};
};

TEST_F(Fuzzing, TellsARuleFromItsWordsAndSeesOneFailureOnce) {
  CrashingDriver("\nFAIL exactly-once: message 3 is stored 2 times");
  const FuzzReport report = Run();
  ASSERT_EQ(report.targets[0].findings.size(), 1u) << report.environment_error;
  const FuzzFinding& finding = report.targets[0].findings[0];
  EXPECT_EQ(finding.kind, "exactly-once");
  EXPECT_EQ(finding.what, "message 3 is stored 2 times");
  EXPECT_EQ(finding.seen, 3u);
  EXPECT_EQ(test::TextOf(finding.input), "x");
  EXPECT_EQ(report.environment_error, "");
}

TEST_F(Fuzzing, KeepsThePlaceOfACheckAndOfASanitizer) {
  CrashingDriver("model/ref.h:12: CHECK failed: count > 0");
  EXPECT_EQ(Run().targets[0].findings.at(0).what, "model/ref.h:12: CHECK failed: count > 0");
  CrashingDriver("SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior a.cc:63:53");
  const FuzzFinding finding = Run().targets[0].findings.at(0);
  EXPECT_EQ(finding.kind, "crash");
  EXPECT_EQ(finding.what, "UndefinedBehaviorSanitizer: undefined-behavior a.cc:63:53");
}

TEST_F(Fuzzing, IsNotCleanWhenNothingRan) {
  Driver("exit 0\n");
  EXPECT_NE(Run().environment_error.find("ran no input"), std::string::npos);
  Driver("exit 3\n");
  EXPECT_NE(Run().environment_error.find("exit code 3"), std::string::npos);
  fs::remove_all(scratch_.path() / "build");
  EXPECT_NE(Run().environment_error.find("./rollover fuzz builds it"), std::string::npos);
}

TEST_F(Fuzzing, IsNotCleanWithoutACorpus) {
  Driver("exit 0\n");
  fs::remove(Corpus() / "seed");
  EXPECT_NE(Run().environment_error.find("holds no input"), std::string::npos);
}

TEST_F(Fuzzing, StopsADriverThatRunsOnWhenItIsInterrupted) {
  Driver("trap 'exit 0' INT\nwhile :; do sleep 0.05; done\n");
  interrupted_ = true;
  const FuzzReport report = Run();
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.targets[0].findings.size(), 0u);
}

TEST_F(Fuzzing, LeavesNothingOfALongerOutputBehindAShorterOne) {
  const fs::path output = scratch_.path() / "log";
  const auto say = [&](const std::string& words) {
    return RunChild({.program = "/bin/echo", .arguments = {words}, .output = output}, interrupted_)
        .exit_code;
  };
  EXPECT_EQ(say("a long line of words"), 0);
  EXPECT_EQ(say("short"), 0);
  EXPECT_EQ(test::TextOf(output), "short\n");
  const ChildCommand nowhere{.program = scratch_.path() / "nowhere", .output = output};
  EXPECT_EQ(RunChild(nowhere, interrupted_).exit_code, kChildNotStarted);
}

}  // namespace
}  // namespace rollover
