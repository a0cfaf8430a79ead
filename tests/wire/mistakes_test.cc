// Mistakes in the Python sample that authors make: found by the suite, and shrunk.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace rollover {
namespace {

class Mistakes : public Program {
 protected:
  std::string Command(const std::string& name) const {
    return "python3 " ROLLOVER_SOURCE_DIR "/tests/wire/mistakes/" + name + ".py";
  }

  // Found by the suite, whose first failure is shrunk.
  void ExpectFoundAndShrunk(const std::string& name) {
    const Ended ended = Run({"core", Command(name), "--first", "--core-timeout", "60s", "--json",
                             "--out", beside("out")});
    EXPECT_EQ(ended.code, 1) << ended.err;
    const auto report = nlohmann::json::parse(ended.out, nullptr, false);
    ASSERT_FALSE(report.is_discarded()) << ended.out;
    std::uint64_t smallest = 1'000'000;
    for (const auto& rule : report.at("rules")) {
      if (rule.at("answer") != "BROKEN") continue;
      smallest = std::min(smallest, rule.at("operations").get<std::uint64_t>());
    }
    EXPECT_LE(smallest, 6u) << ended.out;
  }
};

TEST_F(Mistakes, ACacheInTheProcessIsFound) { ExpectFoundAndShrunk("process_local_cache"); }

TEST_F(Mistakes, CharactersForBytesAreFound) { ExpectFoundAndShrunk("characters_for_bytes"); }

}  // namespace
}  // namespace rollover
