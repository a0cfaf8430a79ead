// Bytes that an older build wrote still mean what they meant: each file in frozen/ decodes to the
// scenario beside it, and to the digest here. When the form must change, its version does, and
// these files stay.
#include <gtest/gtest.h>

#include <filesystem>

#include "model/digest.h"
#include "sim/scenario_bytes.h"
#include "sim/scenario_json.h"
#include "tests/scratch.h"

namespace rollover {
namespace {

namespace fs = std::filesystem;

struct Frozen {
  const char* name;
  std::uint64_t digest;  // of the canonical bytes
};

constexpr Frozen kFrozen[] = {
    {"control-at-resumeturn", 0x8c0fe4e3f2289e6u},
    {"core-swap-at-runmodel", 0xb30ef9ed457061dfu},
    {"engine-crash-at-compactcontext", 0x2e7e605300839119u},
    {"nested-content", 0x9adada222acd4341u},
    {"noise", 0xb9a2e46a35cc3516u},
    {"options-change-at-runmodel", 0x7bd1fcdb19ef765du},
    {"read-race-at-startturn", 0xac6f3e12840acbb5u},
};

const fs::path kFolder = fs::path(ROLLOVER_SOURCE_DIR) / "tests/sim/frozen";

class FrozenBytes : public testing::TestWithParam<Frozen> {};

TEST_P(FrozenBytes, StillDecodeToTheirScenario) {
  const std::string bytes = test::TextOf(kFolder / (std::string(GetParam().name) + ".bytes"));
  const Scenario scenario = DecodeScenario(bytes);
  const auto expected =
      ReadScenario(test::TextOf(kFolder / (std::string(GetParam().name) + ".json")));
  ASSERT_TRUE(expected) << expected.error().reason;
  EXPECT_EQ(scenario, expected.value().scenario);
  EXPECT_EQ(Digest(EncodeScenario(scenario).value()), GetParam().digest);
}

INSTANTIATE_TEST_SUITE_P(Version1, FrozenBytes, testing::ValuesIn(kFrozen), [](const auto& each) {
  std::string name = each.param.name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(FrozenBytesTest, AreAllInTheTable) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    files += entry.path().extension() == ".bytes" ? 1 : 0;
  }
  EXPECT_EQ(files, std::size(kFrozen));
}

}  // namespace
}  // namespace rollover
