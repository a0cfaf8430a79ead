// Two cores in one scenario: where they first answer differently.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace rollover {
namespace {

const std::string kPython = "exec:python3 " ROLLOVER_SOURCE_DIR "/tests/cores/python/core.py";
const std::string kMistaken =
    "exec:python3 " ROLLOVER_SOURCE_DIR "/tests/wire/mistakes/characters_for_bytes.py";

class Compare : public Program {
 protected:
  // Rolls over, compacts, deletes, is killed and read.
  std::string Busy() const {
    return File("busy.json",
                ScenarioText(R"({"op":"turn","user":{"fill":"cjk","bytes":600}},{"op":"turn"},
    {"op":"turn","rounds":[{"compact":{"keep":1}},{"reply":{"bytes":40}}]},
    {"op":"turn","user":{"fill":"cjk","bytes":900}},{"op":"read","rpc":"get_agent_snapshot"})",
                             R"({"fault":"kill-after-commit","turn":2,"step":"RunModel"})",
                             R"("options":{"message_window_size":4,"message_chunk_size":2,
                                "message_chunk_max_bytes":1024,"retained_message_limit":2},)"));
  }
  Ended Compared(const std::string& scenario, const std::vector<std::string>& cores) {
    std::vector<std::string> arguments{"replay", scenario};
    for (const std::string& core : cores) arguments.insert(arguments.end(), {"--core", core});
    return Run(arguments);
  }
};

TEST_F(Compare, TheSampleAndTheReferenceCommitTheSameBytes) {
  const Ended ended = Compared(Busy(), {"reference", kPython});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_NE(ended.out.find("SAME   reference and " + kPython + ": "), std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find(" committed values ("), std::string::npos) << ended.out;
}

TEST_F(Compare, TheFirstWriteThatDiffersIsNamedWithBothCores) {
  const std::string oversized =
      File("oversized.json", ScenarioText(R"({"op":"turn","user":{"fill":"cjk","alone":"cap+2"}})",
                                          "", R"("options":{"message_chunk_max_bytes":1024},)"));
  const Ended ended = Compared(oversized, {kPython, kMistaken});
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_NE(ended.out.find("DIFFERENT after 0 answers that agree\n  StartTurn attempt 1"),
            std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("AgentMessageChunks[1]: " + kPython + " has {"), std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find(kMistaken + " has nothing"), std::string::npos) << ended.out;
}

TEST_F(Compare, SeveralAreComparedWithTheFirst) {
  const std::string file =
      std::string(ROLLOVER_SOURCE_DIR) + "/corpus/regressions/size-in-code-points.json";
  const Ended ended = Compared(file, {"reference", "bytes:reference", "bug:size-in-code-points"});
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_NE(ended.out.find("SAME   reference and bytes:reference: "), std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("DIFFERENT after "), std::string::npos) << ended.out;
  EXPECT_EQ(Compared(file, {"bug:size-in-code-points", "bug:size-in-code-points"}).code, 0);
}

TEST_F(Compare, AgainstACoreWithoutCompactionTheSessionIsOneWithout) {
  const Ended ended = Compared(Busy(), {"no-compaction", kPython});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
}

TEST_F(Compare, OneThatDiesIsToldWithWhatItBroke) {
  const std::string dies = "exec:python3 " ROLLOVER_SOURCE_DIR "/tests/wire/hostile.py dies";
  const Ended ended = Compared(Busy(), {"reference", dies});
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_NE(ended.out.find(dies + " gave 0 answers and broke well-formed-answers: "),
            std::string::npos)
      << ended.out;
}

TEST_F(Compare, BadUseIsOneLine) {
  const std::string scenario = Busy();
  ExpectRefused({"replay", scenario, "--core", "reference", "--core", "nonsense"},
                {"--core", "nonsense"});
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--json"}, {"--trace", "text"}, {"--until", "3"}}) {
    std::vector<std::string> call{"replay", scenario, "--core", "reference", "--core", "legacy"};
    call.insert(call.end(), more.begin(), more.end());
    ExpectRefused(call, {"several --core are compared", more[0]});
  }
}

}  // namespace
}  // namespace rollover
