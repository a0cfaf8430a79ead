#include "sim/campaign/as_test.h"

#include <fmt/format.h>

#include "sim/scenario_json.h"

namespace rollover {
namespace {

// index-write-rule as IndexWriteRule
std::string UpperCamel(std::string_view name) {
  std::string camel;
  bool upper = true;
  for (const char c : name) {
    if (c == '-') {
      upper = true;
      continue;
    }
    camel += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  return camel;
}

// As a literal of C++: text of any kind between marks that it does not hold.
std::string RawString(const std::string& text) {
  std::string mark = "json";
  while (text.find(")" + mark + "\"") != std::string::npos) mark += '_';
  return "R\"" + mark + "(" + text + ")" + mark + "\"";
}

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte >= 0x7F) {
      quoted += fmt::format("\\{:03o}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

// Fit for a comment: one line that does not go on in the next.
std::string OneLine(const std::string& text) {
  std::string line;
  for (const char c : text) line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  while (!line.empty() && (line.back() == '\\' || line.back() == ' ')) line.pop_back();
  return line;
}

}  // namespace

std::string AsTest(const FoundFailure& failure, const std::string& core) {
  constexpr std::string_view text = R"(// {rule}: {what}
// Found by {found_by}.
#include <gtest/gtest.h>

#include "sim/cores/cores.h"
#include "sim/scenario_json.h"
#include "sim/world.h"

namespace rollover {{

TEST(Regression, {name}_{hash}) {{
  const auto file = ReadScenario({scenario});
  ASSERT_TRUE(file) << file.error().reason;
  const auto core = ParseCoreSpec({core});
  ASSERT_TRUE(core) << core.error().reason;
  const Verdict verdict = RunScenario(file.value().scenario, {{.factory = core.value().factory}});
  for (const Violation& violation : verdict.violations) {{
    ADD_FAILURE() << RuleName(violation.rule) << ": " << violation.what;
  }}
  EXPECT_GT(verdict.statistics.evaluations[static_cast<std::size_t>(Rule::k{name})], 0u);
}}

}}  // namespace rollover
)";
  return fmt::format(text, fmt::arg("rule", RuleName(failure.rule)),
                     fmt::arg("what", OneLine(failure.what)),
                     fmt::arg("found_by", OneLine(failure.found_by)),
                     fmt::arg("name", UpperCamel(RuleName(failure.rule))),
                     fmt::arg("hash", failure.hash.Hex().substr(0, 8)),
                     fmt::arg("scenario", RawString(WriteScenario({.scenario = failure.scenario}))),
                     fmt::arg("core", Quoted(core)));
}

}  // namespace rollover
