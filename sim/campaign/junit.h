// JUnit XML: what continuous integration reads. One suite, its cases in their order.
//
// Text is made to be what XML 1.0 allows: what is not UTF-8 (surrogates too), control characters
// but tab and newline, U+FFFE and U+FFFF become U+FFFD.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rollover {

enum class JunitOutcome { kPassed, kFailed, kError, kSkipped };

struct JunitCase {
  std::string classname{};
  std::string name{};
  JunitOutcome outcome = JunitOutcome::kPassed;
  std::string message{};  // why it did not pass
  std::string text{};     // more of that, several lines
  double seconds = 0;
};

std::string Junit(std::string_view suite, double seconds, const std::vector<JunitCase>& cases);

}  // namespace rollover
