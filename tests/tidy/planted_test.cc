// Each check, shown to fail: a small tree with one violation planted, and beside it what is legal.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/scratch.h"
#include "tests/tidy/checks.h"

namespace rollover::tidy {
namespace {

namespace fs = std::filesystem;

class Planted : public testing::Test {
 protected:
  void Plant(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  SourceTree Load() const { return LoadTree(root_); }

  // "path:line" of each finding, one blank between.
  static std::string Places(const Findings& findings) {
    std::string places;
    for (const Finding& finding : findings) {
      if (!places.empty()) places += ' ';
      places += finding.path + ":" + std::to_string(finding.line);
    }
    return places;
  }

 private:
  const test::Scratch scratch_;
  const fs::path& root_ = scratch_.path();
};

std::string Repeated(const std::string& line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line;
  return text;
}

TEST_F(Planted, ModelIncludesOnlyModel) {
  Plant("model/a.h", "#include <string>\n#include \"model/b.h\"\n#include \"sim/c.h\"\n");
  EXPECT_EQ(Places(CheckArrows(Load())), "model/a.h:3");
}

TEST_F(Planted, RulesSeeOfTheProtocolOnlyItsBoundary) {
  Plant("model/rules/rule.cc",
        "#include \"model/protocol/core.h\"\n#include \"model/protocol/storage.h\"\n");
  Plant("model/protocol/core.cc", "#include \"model/rules/rule.h\"\n");
  Plant("model/history.h",
        "#include \"model/protocol/core.h\"\n#include \"model/protocol/paging.h\"\n");
  EXPECT_EQ(Places(CheckArrows(Load())),
            "model/history.h:2 model/protocol/core.cc:1 model/rules/rule.cc:2");
}

TEST_F(Planted, OnlyTheCommandLineIncludesTheCommandLine) {
  Plant("sim/engine.cc", "#include \"sim/cli/print.h\"\n#include \"properties/p.h\"\n");
  Plant("sim/cli/main.cc", "#include \"sim/cli/print.h\"\n#include \"sim/engine.h\"\n");
  EXPECT_EQ(Places(CheckArrows(Load())), "sim/engine.cc:1 sim/engine.cc:2");
}

TEST_F(Planted, DriversDoNotIncludeEachOther) {
  Plant("properties/p.cc", "#include \"tests/t.h\"\n");
  Plant("fuzz/f.cc", "#include \"properties/p.h\"\n");
  Plant("tests/sim/t.cc", "#include \"fuzz/f.h\"\n#include \"sim/engine.h\"\n");
  EXPECT_EQ(Places(CheckArrows(Load())), "fuzz/f.cc:1 properties/p.cc:1 tests/sim/t.cc:1");
}

TEST_F(Planted, OurHeadersAreQuotedByTheirWholePath) {
  Plant("sim/engine.cc", "#include \"engine.h\"\n#include <model/step.h>\n#include \"../x.h\"\n");
  EXPECT_EQ(Places(CheckArrows(Load())), "sim/engine.cc:1 sim/engine.cc:2 sim/engine.cc:3");
}

TEST_F(Planted, ModelHasNoClockNoChanceAndNoSwitches) {
  Plant("model/a.cc", "#include <chrono>\n#ifdef BUG\n#endif\n#if 0\n#endif\n");
  Plant("model/b.cc", "#include <string>\n// #ifdef BUG\n");
  Plant("sim/cli/c.cc", "#include <chrono>\n#ifdef __linux__\n#endif\n");
  EXPECT_EQ(Places(CheckPureModel(Load())), "model/a.cc:1 model/a.cc:2 model/a.cc:4");
}

TEST_F(Planted, EachBanConvicts) {
  const std::vector<std::string> banned = {
      "std::uniform_int_distribution<int> d(0, 1);",
      "std::uniform_real_distribution<> d;",
      "std::shuffle(a.begin(), a.end(), g);",
      "std::ranges::shuffle(a, g);",
      "std::random_device device;",
      "int x = rand();",
      "int x = std::rand ();",
      "std::hash<int> h;",
      "std::unordered_map<int, int> m;",
      "#include <unordered_set>",
      "auto t = time(nullptr);",
      "auto t = std::time(nullptr);",
      "std::chrono::system_clock::now();",
      "std::chrono::steady_clock::now();",
      "std::thread t;",
      "std::jthread t;",
      "auto f = std::async(g);",
      "std::this_thread::sleep_for(d);",
      "setlocale(LC_ALL, x);",
      "out.imbue(x);",
      "std::locale l;",
      "printf(\"%"
      "p\", x);",
      "fmt::format(\"{:"
      "p}\", x);",
  };
  for (std::size_t i = 0; i < banned.size(); ++i) {
    Plant("sim/ban" + std::to_string(i) + ".cc", banned[i] + "\n");
  }
  std::set<std::string> convicted;
  for (const Finding& finding : CheckBans(Load())) convicted.insert(finding.path);
  for (std::size_t i = 0; i < banned.size(); ++i) {
    EXPECT_TRUE(convicted.contains("sim/ban" + std::to_string(i) + ".cc")) << banned[i];
  }
}

TEST_F(Planted, NamesThatOnlyResembleABanAreLegal) {
  Plant("sim/a.cc",
        "// std::shuffle, time(nullptr)\n/* std::hash\n rand() */\nconst char* s = \"rand() %d\";\n"
        "auto r = R\"(std::thread)\";\nint x = Operand(1) + clock.time() + ours::time(2);\n"
        "int size_distribution = 1'000'000; char c = '\"'; int trace_hash; int runtime(int);\n");
  EXPECT_EQ(Report(CheckBans(Load())), "");
}

TEST_F(Planted, RealTimeAndThreadsBelongToTheCampaign) {
  const std::string text = "std::thread t;\nsteady_clock::now();\nsystem_clock::now();\n";
  Plant("sim/campaign/a.cc", text);
  Plant("sim/cli/a.cc", text);
  Plant("sim/a.cc", text);
  EXPECT_EQ(Places(CheckBans(Load())), "sim/a.cc:3 sim/a.cc:2 sim/a.cc:1 sim/cli/a.cc:1");
}

TEST_F(Planted, FunctionOfSeventyLinesIsTheLongest) {
  const std::string body = Repeated("  if (a) { b({1}); }\n", 68);
  Plant("sim/legal.cc", "namespace n {\nint Legal(int a) {\n" + body + "}\n}\n");
  Plant("sim/long.cc", "namespace n {\nint Long(int a) {\n" + body + "  c();\n}\n}\n");
  EXPECT_EQ(Places(CheckFunctionLengths(Load())), "sim/long.cc:2");
}

TEST_F(Planted, EveryShapeOfFunctionIsMeasured) {
  const std::string body = " {\n" + Repeated("  a();\n", 70) + "}\n";
  Plant("sim/a.cc", "TEST(Suite, Name)" + body);
  Plant("sim/b.cc", "template <typename T, int n = (1 > 0)>\nauto F(T t) -> std::vector<T>" + body);
  Plant("sim/c.cc", "struct S {\n private:\n  S(int x) : x_{x}, y_(1)" + body + "};\n");
  Plant("sim/d.cc",
        "class C final : public B {\n bool operator()(int x = {}) const" + body + "};\n");
  EXPECT_EQ(Places(CheckFunctionLengths(Load())), "sim/a.cc:1 sim/b.cc:1 sim/c.cc:3 sim/d.cc:2");
}

TEST_F(Planted, LongTypesTablesAndMacrosAreNotFunctions) {
  const std::string members = Repeated("  int A(int x) { return x; }\n", 80);
  Plant("sim/a.cc", "class A {\n public:\n" + members + "};\n");
  Plant("sim/b.cc", "constexpr int kTable[] = {\n" + Repeated("  1,\n", 80) + "};\n");
  Plant("sim/c.cc", "const std::array kTable{\n" + Repeated("  F(1),\n", 80) + "};\n");
  Plant("sim/d.cc", "#define M(x) \\\n" + Repeated("  { x } \\\n", 80) + "\nint a;\n");
  Plant("sim/e.cc", "const char* text = R\"(\n" + Repeated("void F() {\n", 80) + ")\";\n");
  EXPECT_EQ(Report(CheckFunctionLengths(Load())), "");
}

TEST_F(Planted, FileOfSixHundredLinesIsTheLongest) {
  Plant("sim/legal.cc", Repeated("\n", 600));
  Plant("sim/long.cc", Repeated("\n", 601));
  Plant("corpus/presets/data.json", Repeated("\n", 601));
  EXPECT_EQ(Places(CheckFileLengths(Load())), "sim/long.cc:601");
}

TEST_F(Planted, SignHasItsFourLinesAndStartsAtAFile) {
  const std::string sign = "- Here: a\n- Not here: b\n- May include: c\n";
  Plant("model/a.cc", "");
  Plant("model/README.md", sign + "- Start at: `a.cc`, the only one\n");
  Plant("sim/a.cc", "");
  Plant("sim/README.md", sign + "- Start at: `gone.cc`\n");
  Plant("sim/cores/a.cc", "");
  Plant("fuzz/README.md", sign + "- Start at: x\nmore\n");
  Plant("corpus/README.md", "# Corpus\n" + sign);
  Plant("tests/README.md", sign);
  EXPECT_EQ(Places(CheckRoomSigns(Load())),
            "corpus/README.md:1 fuzz/README.md:5 sim/README.md:4 sim/cores/README.md:0 "
            "tests/README.md:4");
}

TEST_F(Planted, DisabledTestsAndPromisesAreFound) {
  Plant("tests/a.cc",
        "TEST(Suite, DISABLED"
        "_Name) {}\nTEST(A, B) { GTEST_"
        "SKIP(); }\n");
  Plant("docs/a.md",
        "TO"
        "DO: write\nFIX"
        "ME later\nTO"
        "DONT, PREFIX"
        "MES\n");
  Plant("corpus/transcripts/a.json",
        "\"TO"
        "DO\"\n");
  EXPECT_EQ(Places(CheckLeftovers(Load())), "docs/a.md:1 docs/a.md:2 tests/a.cc:1 tests/a.cc:2");
}

TEST_F(Planted, SourcesThatNoListBuildsAreDead) {
  Plant("CMakeLists.txt",
        "file(GLOB_RECURSE MODEL CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/model/*.cc)\n"
        "file(GLOB CLI ${PROJECT_SOURCE_DIR}/sim/cli/*.cc) # sim/*.cc\nadd_subdirectory(tests)\n");
  Plant(
      "tests/CMakeLists.txt",
      "function(room_tests name label)\n"
      "  file(GLOB_RECURSE s ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cc)\nendfunction()\n"
      "room_tests(model unit)\nroom_tests(\"sim\" unit)\n"
      "foreach(target one two)\n  add_executable(x_${target} extra/${target}.cc)\nendforeach()\n");
  Plant("fuzz/CMakeLists.txt", "add_executable(fuzz fuzz.cc)\n");
  for (const char* alive : {"model/a.cc", "model/rules/a.cc", "sim/cli/main.cc",
                            "tests/model/deep/a.cc", "tests/sim/a.cc", "tests/extra/one.cc"}) {
    Plant(alive, "");
  }
  for (const char* dead : {"fuzz/fuzz.cc", "sim/a.cc", "sim/cli/deep/a.cc", "tests/extra/three.cc",
                           "tests/other/a.cc"}) {
    Plant(dead, "");
  }
  EXPECT_EQ(Places(CheckDeadFiles(Load())),
            "fuzz/fuzz.cc:0 sim/a.cc:0 sim/cli/deep/a.cc:0 tests/extra/three.cc:0 "
            "tests/other/a.cc:0");
}

TEST_F(Planted, HeadersThatNobodyIncludesAreDead) {
  Plant("CMakeLists.txt", "add_library(model model/a.cc)\n");
  Plant("model/a.cc", "#include \"model/a.h\"\n");
  Plant("model/a.h", "");
  Plant("model/b.h", "");
  EXPECT_EQ(Places(CheckDeadFiles(Load())), "model/b.h:0");
}

TEST_F(Planted, PathsOfAMachineAreFoundEverywhereButInTranscripts) {
  const std::string path =
      "/hom"
      "e/me/x\n";
  Plant("docs/a.md", "see " + path + "see build" + path + "see https://example.com" + path);
  Plant("corpus/findings/a.json", "\"" + path);
  Plant("corpus/transcripts/a.json", "\"" + path);
  EXPECT_EQ(Places(CheckMachinePaths(Load())), "corpus/findings/a.json:1 docs/a.md:1");
}

TEST_F(Planted, StrangersAtTheTopLevelAreFound) {
  Plant("notes.txt", "");
  Plant("scripts/a.sh", "");
  Plant(".ci/run", "");
  Plant("rollover", "");
  Plant("build/release/x.cc", "");
  EXPECT_EQ(Places(CheckTopLevel(Load())), "notes.txt:0 scripts:0");
}

TEST_F(Planted, FindingsNamePlaceAndReplacement) {
  Plant("sim/a.cc", "\nstd::random_device d;\n");
  EXPECT_EQ(Report(CheckBans(Load())),
            "sim/a.cc:2: random_device; use our Random (sim/), passed as an argument\n");
}

}  // namespace
}  // namespace rollover::tidy
