// The program around the properties. Exit codes: 0 all held, 1 one is false, 2 it was asked for
// something that is not there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "properties/parameters.h"
#include "properties/property.h"

namespace rollover {
namespace {

int Refuse(const std::string& why) {
  fmt::print(stderr, "properties: {}\n", why);
  return 2;
}

bool IsProperty(const std::string& name) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      if (fmt::format("{}.{}", suite.name(), suite.GetTestInfo(t)->name()) == name) return true;
    }
  }
  return false;
}

// One line, or none when RC_PARAMS can be followed.
std::optional<std::string> FollowParameters(const char* text) {
  const auto parameters = ReadParameters(text == nullptr ? "" : text);
  if (!parameters) return "RC_PARAMS: " + parameters.error().reason;
  UseParameters(parameters.value());
  const std::string& wanted = parameters.value().reproduces;
  if (wanted.empty()) return std::nullopt;
  if (!IsProperty(wanted)) {
    return fmt::format("RC_PARAMS: reproduces a case of {}, which is no property here", wanted);
  }
  if (GTEST_FLAG_GET(filter) == "*") GTEST_FLAG_SET(filter, wanted);
  return std::nullopt;
}

}  // namespace
}  // namespace rollover

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) return rollover::Refuse(fmt::format("unknown argument '{}'", argv[1]));
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
  if (const auto wrong = rollover::FollowParameters(std::getenv("RC_PARAMS"))) {
    return rollover::Refuse(*wrong);
  }
  const int failed = RUN_ALL_TESTS();
  if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    return rollover::Refuse(
        fmt::format("no property is named '{}'", std::string(GTEST_FLAG_GET(filter))));
  }
  return failed;
}
