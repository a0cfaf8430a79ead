#include "sim/campaign/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/campaign/page.h"

namespace rollover {
namespace {

// HTML takes two characters that XML 1.0 forbids; both are of three bytes.
std::string Escaped(std::string_view text) {
  std::string safe = Escape(text);
  for (const std::string_view forbidden : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (std::size_t at = 0; (at = safe.find(forbidden, at)) != std::string::npos;) {
      safe.replace(at, forbidden.size(), "\xEF\xBF\xBD");
    }
  }
  return safe;
}

std::string Element(std::string_view name, const JunitCase& a_case) {
  const std::string begin = fmt::format("<{} message=\"{}\"", name, Escaped(a_case.message));
  if (a_case.text.empty()) return begin + "/>";
  return fmt::format("{}>{}</{}>", begin, Escaped(a_case.text), name);
}

std::string Inside(const JunitCase& a_case) {
  switch (a_case.outcome) {
    case JunitOutcome::kPassed:
      return {};
    case JunitOutcome::kFailed:
      return Element("failure", a_case);
    case JunitOutcome::kError:
      return Element("error", a_case);
    case JunitOutcome::kSkipped:
      return Element("skipped", a_case);
  }
  return {};
}

}  // namespace

std::string Junit(std::string_view suite, double seconds, const std::vector<JunitCase>& cases) {
  const auto count = [&](JunitOutcome outcome) {
    return std::count_if(cases.begin(), cases.end(),
                         [outcome](const JunitCase& a_case) { return a_case.outcome == outcome; });
  };
  std::string elements;
  for (const JunitCase& a_case : cases) {
    elements += fmt::format(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{}\">{}</testcase>\n",
        Escaped(a_case.classname), Escaped(a_case.name), a_case.seconds, Inside(a_case));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n{}  </testsuite>\n</testsuites>\n",
      Escaped(suite), cases.size(), count(JunitOutcome::kFailed), count(JunitOutcome::kError),
      count(JunitOutcome::kSkipped), seconds, elements);
}

}  // namespace rollover
