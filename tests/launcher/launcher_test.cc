// The launcher, run in a checkout whose tools are stubs: what it asks of them, and its exit codes.
//
// The stubs stand in for dpkg, apt, sudo, id, cmake and ctest; each writes what it was asked to
// `calls`. Not here: a real installation and a real build, which every run of this suite has been.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/scratch.h"

namespace rollover {
namespace {

namespace fs = std::filesystem;

std::string Quoted(const fs::path& path) {  // for the shell; no path here holds a quote
  std::string text(1, '\'');
  return text.append(path.string()).append(1, '\'');
}

struct Ran {
  int code = -1;
  std::string out;
  std::string err;
};

class Launcher : public testing::Test {
 protected:
  void SetUp() override {
    checkout_ = scratch_ / "a checkout";
    fs::create_directories(checkout_ / "build");
    fs::create_directories(scratch_ / "bin");
    fs::copy_file(fs::path(ROLLOVER_SOURCE_DIR) / "rollover", checkout_ / "rollover");
    Write(checkout_ / "CMakePresets.json", "{}");
    Stub("dpkg-query",
         "while read -r package; do echo \"$package:installed\"; done <\"$SCRATCH/installed\"");
    Stub("apt-get", Recorded("apt-get") + "exit \"$(cat \"$SCRATCH/apt-code\")\"");
    Stub("id", "cat \"$SCRATCH/uid\"");
    Stub("sudo", Recorded("sudo") + "exit 1");
    Stub("cmake",
         Recorded("cmake") +
             "case $1 in --build) ;; *) : >build/release/CMakeCache.txt; exit 0 ;; esac\n"
             "code=$(cat \"$SCRATCH/build-code\"); [ \"$code\" = 0 ] || echo 'a.cc:1: error: no'\n"
             "cp \"$SCRATCH/program\" \"$2/rollover\"; exit \"$code\"");
    Stub("ctest", Recorded("ctest") + "echo 'tests ran'; exit \"$(cat \"$SCRATCH/ctest-code\")\"");
    Program("pwd; printf '[%s]' \"$@\"; exit 1");
    Set("installed", EveryPackage());
    Set("uid", "0");
    for (const char* code : {"apt-code", "build-code", "ctest-code"}) Set(code, "0");
  }

  static std::string EveryPackage() {
    return "g++\ncmake\nninja-build\nccache\nlibboost1.81-dev\nlibboost-context1.81-dev\nnlohmann-"
           "json3-dev\n"
           "librapidcheck-dev\nlibgtest-dev\nlibcli11-dev\nlibxxhash-dev\nlibfmt-dev\n"
           "libbenchmark-dev\npython3\n";
  }

  static std::string Recorded(const std::string& name) {
    return "echo \"" + name + " $*\" >>\"$SCRATCH/calls\"\n";
  }

  void Set(const std::string& name, const std::string& text) { Write(scratch_ / name, text); }
  void Program(const std::string& body) { Executable(scratch_ / "program", body); }
  void Stub(const std::string& name, const std::string& body) {
    Executable(scratch_ / "bin" / name, body);
  }

  // Runs `./rollover ARGUMENTS` from `folder` (the checkout's, unless given).
  Ran Run(const std::string& arguments, fs::path folder = {}, const std::string& start = {}) {
    if (folder.empty()) folder = checkout_;
    std::string command = "cd " + Quoted(folder) + " && env -u ROLLOVER_BUILD_PRESET SCRATCH=";
    command += Quoted(scratch_) + " PATH=" + Quoted(scratch_ / "bin") + ":\"$PATH\" ";
    command += start.empty() ? Quoted(checkout_ / "rollover") : start;
    command += " " + arguments + " </dev/null >" + Quoted(scratch_ / "out");
    command += " 2>" + Quoted(scratch_ / "err");
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, test::TextOf(scratch_ / "out"),
            test::TextOf(scratch_ / "err")};
  }

  std::string Calls() const { return test::TextOf(scratch_ / "calls"); }
  const fs::path& scratch() const { return scratch_; }
  const fs::path& checkout() const { return checkout_; }

 private:
  static void Write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  static void Executable(const fs::path& path, const std::string& body) {
    Write(path, "#!/bin/sh\n" + body + "\n");
    fs::permissions(path, fs::perms::owner_all);
  }

  const test::Scratch folder_;
  const fs::path& scratch_ = folder_.path();
  fs::path checkout_;
};

TEST_F(Launcher, HandsArgumentsFolderAndExitCodeThrough) {
  fs::create_directories(scratch() / "else where");
  const Ran ran = Run("run 'a b' '*' ''", scratch() / "else where");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, (scratch() / "else where").string() + "\n[run][a b][*][]");
}

TEST_F(Launcher, WorksThroughLinksToLinks) {
  fs::create_directories(scratch() / "deep");
  fs::create_symlink(checkout() / "rollover", scratch() / "first");
  fs::create_symlink("../first", scratch() / "deep" / "second");
  EXPECT_EQ(Run("x", scratch(), "deep/second").out, scratch().string() + "\n[x]");
}

TEST_F(Launcher, SaysNothingWhenNothingIsBuilt) {
  Run("x");
  fs::copy_file(scratch() / "program", checkout() / "build/release/.ninja_log");  // built once
  EXPECT_EQ(Run("x").err, "");
}

TEST_F(Launcher, FirstBuildIsAnnouncedOnStderr) {
  const Ran ran = Run("x");
  EXPECT_TRUE(ran.err.starts_with("building rollover (first time takes about ")) << ran.err;
}

TEST_F(Launcher, NoInstallPrintsTheExactListAndStops) {
  Set("installed",
      "g++\ncmake\nccache\nlibboost1.81-dev\nlibboost-context1.81-dev\nnlohmann-json3-"
      "dev\nlibrapidcheck-dev\n"
      "libgtest-dev\nlibcli11-dev\nlibxxhash-dev\nlibbenchmark-dev\n");
  const Ran ran = Run("--no-install run");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("\napt-get install ninja-build libfmt-dev\n"), std::string::npos)
      << ran.err;
  EXPECT_EQ(Calls(), "");
}

TEST_F(Launcher, NoInstallRunsWhenNothingIsMissing) {
  EXPECT_EQ(Run("--no-install run").out, checkout().string() + "\n[run]");
}

TEST_F(Launcher, WithoutRootOrSudoTheListIsPrinted) {
  Set("installed", "");
  Set("uid", "1000");
  const Ran ran = Run("run");
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("apt-get install g++ cmake ninja-build"), std::string::npos) << ran.err;
  EXPECT_EQ(Calls(), "sudo -n true\n");
}

TEST_F(Launcher, RootInstallsOnlyWhatIsMissing) {
  Set("installed", EveryPackage().substr(4));  // all but g++
  EXPECT_EQ(Run("run").out, checkout().string() + "\n[run]");
  EXPECT_NE(Calls().find("install -y --no-install-recommends g++\n"), std::string::npos) << Calls();
  EXPECT_EQ(Calls().find("update"), std::string::npos) << Calls();
}

TEST_F(Launcher, FailedInstallationIsTheEnvironmentsFault) {
  Set("installed", "");
  Set("apt-code", "100");
  const Ran ran = Run("run");
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(Calls().find(" update\n"), std::string::npos) << Calls();  // tried once more
  EXPECT_NE(ran.err.find("by hand: apt-get install g++ "), std::string::npos) << ran.err;
}

TEST_F(Launcher, OnlyFuzzingNeedsClang) {
  EXPECT_EQ(Run("--no-install run").code, 1);
  const Ran ran = Run("--no-install fuzz");
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("apt-get install clang-19 libclang-rt-19-dev llvm-19\n"),
            std::string::npos);
}

TEST_F(Launcher, OnlyTestsNeedPython) {
  const std::string all = EveryPackage();
  Set("installed", all.substr(0, all.find("python3")));
  EXPECT_EQ(Run("--no-install run").code, 1);
  const Ran ran = Run("--no-install test");
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("apt-get install python3\n"), std::string::npos) << ran.err;
}

TEST_F(Launcher, FailedBuildShowsTheCompilersWords) {
  Set("build-code", "1");
  const Ran ran = Run("run");
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("a.cc:1: error: no"), std::string::npos) << ran.err;
}

TEST_F(Launcher, TestBuildsEverythingAndPassesArgumentsToCTest) {
  const Ran ran = Run("test -R 'a b'");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "tests ran\n");
  EXPECT_NE(Calls().find("--target all "), std::string::npos) << Calls();
  EXPECT_NE(Calls().find(" --output-on-failure --no-tests=error "), std::string::npos) << Calls();
  EXPECT_NE(Calls().find(" -R a b\n"), std::string::npos) << Calls();
}

TEST_F(Launcher, HelpBuildsNoTargets) {
  const Ran test = Run("test --help");
  EXPECT_EQ(test.code, 0);
  EXPECT_NE(test.out.find("./rollover test -L unit"), std::string::npos) << test.out;
  EXPECT_EQ(Calls().find("--target"), std::string::npos) << Calls();
  Run("--no-install fuzz --help");  // clang is missing here, and not asked for
  EXPECT_NE(Calls().find("--target rollover "), std::string::npos) << Calls();
  EXPECT_EQ(Calls().find("--target fuzzers"), std::string::npos) << Calls();
}

TEST_F(Launcher, FailedTestsExitWithOne) {
  Set("ctest-code", "8");
  EXPECT_EQ(Run("test").code, 1);
}

TEST_F(Launcher, BuildTreeOfAnotherPlaceIsMadeAfresh) {
  Run("run");
  Run("run");
  EXPECT_NE(Calls().find("cmake --preset release --fresh\n"), std::string::npos) << Calls();
}

}  // namespace
}  // namespace rollover
