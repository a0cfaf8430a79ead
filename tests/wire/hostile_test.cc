// Cores that do everything wrong: each is reported in words, and none hangs, crashes or leaks.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <sstream>

extern "C" {  // this header of glibc 2.36 does not say so itself
#include <sys/pidfd.h>
}

#include "tests/cli/program.h"

namespace rollover {
namespace {

class Hostile : public Program {
 protected:
  std::string Core(const std::string& mode) const {
    return "python3 " ROLLOVER_SOURCE_DIR "/tests/wire/hostile.py " + mode + " " + pids();
  }
  std::string pids() const { return beside("pids"); }

  std::vector<std::string> RunOf(const std::string& mode,
                                 const std::string& timeout = "60s") const {
    return {"run",    "--core", "exec:" + Core(mode), "--seeds", "1", "--no-shrink",
            "--jobs", "1",      "--core-timeout",     timeout};
  }

  // Exit 1; the report names the rule and says why.
  void ExpectFinding(const std::string& mode, const std::string& words,
                     const std::string& rule = "well-formed-answers",
                     const std::string& timeout = "60s") {
    const Ended ended = Run(RunOf(mode, timeout));
    EXPECT_EQ(ended.code, 1) << ended.err;
    EXPECT_NE(ended.out.find("FAIL " + rule), std::string::npos) << ended.out;
    EXPECT_NE(ended.out.find(words), std::string::npos) << ended.out;
    EXPECT_LT(ended.out.size(), 100'000u);
    EXPECT_EQ(StillRunning(), "");
  }

  // Processes that were started for this test and have not ended.
  std::string StillRunning() const {
    std::string running;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string command = test::TextOf(entry.path() / "cmdline");
      if (command.find(pids()) == std::string::npos) continue;
      if (command.find("hostile.py") != std::string::npos) running += entry.path().string() + " ";
    }
    return running;
  }

  // The numbers that the core wrote down, once there are two.
  std::vector<pid_t> Started() const {
    std::vector<pid_t> started;
    while (started.size() < 2) {
      started.clear();
      std::istringstream text(test::TextOf(pids()));
      for (pid_t pid = 0; text >> pid;) started.push_back(pid);
    }
    return started;
  }

  static bool EndsSoon(pid_t process) {
    pollfd ended{.fd = ::pidfd_open(process, 0), .events = POLLIN, .revents = 0};
    if (ended.fd < 0) return true;  // it has ended, and nothing of it is left
    const bool over = ::poll(&ended, 1, 20'000) == 1;
    ::close(ended.fd);
    return over;
  }
};

TEST_F(Hostile, ACoreThatExitsAtHelloIsAFailureOfTheEnvironment) {
  const Ended ended = Run(RunOf("exits-at-hello"));
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.out, "");
  EXPECT_NE(ended.err.find("hello: the core ended with exit code 9"), std::string::npos)
      << ended.err;
  EXPECT_NE(ended.err.find("cannot find its settings"), std::string::npos) << ended.err;
}

TEST_F(Hostile, ACommandThatIsNotThereIsAFailureOfTheEnvironment) {
  const Ended ended = Run({"run", "--core", "exec:no-such-program --x", "--seeds", "1"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.err.find("no-such-program"), std::string::npos) << ended.err;
}

TEST_F(Hostile, ASilentHelloEndsAtTheDeadline) {
  const Ended ended = Run(RunOf("silent-at-hello", "1s"));
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.err.find("no answer within 10000 ms"), std::string::npos) << ended.err;
  EXPECT_EQ(StillRunning(), "");
}

TEST_F(Hostile, GarbageIsQuoted) { ExpectFinding("garbage", "and is something else"); }

TEST_F(Hostile, AWrongIdIsNamed) { ExpectFinding("wrong-id", "has id 2; the request was 1"); }

TEST_F(Hostile, ASecondAnswerIsOneThatNothingAskedFor) {
  ExpectFinding("twice", "a line that nothing asked for: \"{");
}

TEST_F(Hostile, HalfALineEndsAtTheDeadline) {
  ExpectFinding("half-line", "no end of the line within 1000 ms", "well-formed-answers", "1s");
}

TEST_F(Hostile, ALineHasALength) {
  ExpectFinding("long-line", "a line of more than 67108864 bytes: \"{\"type\":\"xxxx");
}

TEST_F(Hostile, ACoreThatNeverReadsEndsAtTheDeadline) {
  ExpectFinding("ignores-input", "no answer within 1000 ms", "well-formed-answers", "1s");
}

TEST_F(Hostile, AGrandchildThatHoldsThePipesIsNotWaitedForAndIsKilled) {
  ExpectFinding("grandchild", "the core ended with exit code 0");
}

TEST_F(Hostile, AGigabyteOfLogIsReadAndItsEndIsKept) {
  ExpectFinding("loud", "the core ended with exit code 4");
}

TEST_F(Hostile, ALateAnswerIsNone) {
  ExpectFinding("late", "no answer within 1000 ms", "well-formed-answers", "1s");
}

TEST_F(Hostile, UnknownNamesAreNamed) {
  ExpectFinding("unknown-name", "unknown value name \"AgentNotes\"");
}

TEST_F(Hostile, ADeleteOfWhatItCannotKnowIsNamed) {
  ExpectFinding("deletes-unloaded", "deletes AgentMessageChunks[99], which was not loaded");
}

TEST_F(Hostile, ANumberInQuotesIsNoNumber) {
  ExpectFinding("number-as-string", "id must be a number, and is a string");
}

TEST_F(Hostile, BytesThatAreNotUtf8AreShownAsBytes) {
  ExpectFinding("not-utf8", R"(is not UTF-8: "{"type":"\xff\xfe"}")");
}

TEST_F(Hostile, AClosedOutputIsSeenAtOnce) {
  ExpectFinding("closes-output", "the core closed its output");
}

TEST_F(Hostile, ACoreThatDiesIsReportedWithItsLog) { ExpectFinding("dies", "Traceback: it broke"); }

TEST_F(Hostile, NothingOutlivesAKilledHarness) {
  const pid_t harness = Start(RunOf("hangs-with-grandchild", "600s"));
  const std::vector<pid_t> started = Started();
  ::kill(harness, SIGKILL);
  EXPECT_EQ(Wait(harness).code, 128 + SIGKILL);
  for (const pid_t process : started) EXPECT_TRUE(EndsSoon(process)) << process;
}

TEST_F(Hostile, NothingOutlivesATerminatedHarnessWhichEndsSoon) {
  const pid_t harness = Start(RunOf("hangs-with-grandchild", "600s"));
  const std::vector<pid_t> started = Started();
  ::kill(harness, SIGTERM);
  EXPECT_EQ(Wait(harness).code, 130);
  for (const pid_t process : started) EXPECT_TRUE(EndsSoon(process)) << process;
}

}  // namespace
}  // namespace rollover
