// JUnit XML: outcomes are counted, and nothing that XML 1.0 forbids gets through.
#include "sim/campaign/junit.h"

#include <gtest/gtest.h>

namespace rollover {
namespace {

TEST(JunitXml, CountsOutcomesAndKeepsTheOrder) {
  const std::string xml = Junit("night", 1.5,
                                {{.classname = "a", .name = "held", .seconds = 2},
                                 {.classname = "a",
                                  .name = "broken",
                                  .outcome = JunitOutcome::kFailed,
                                  .message = "why",
                                  .text = "more"},
                                 {.name = "hung", .outcome = JunitOutcome::kError, .message = "e"},
                                 {.name = "none", .outcome = JunitOutcome::kSkipped}});
  EXPECT_EQ(xml,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"night\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" "
            "time=\"1.500\">\n"
            "    <testcase classname=\"a\" name=\"held\" time=\"2\"></testcase>\n"
            "    <testcase classname=\"a\" name=\"broken\" time=\"0\">"
            "<failure message=\"why\">more</failure></testcase>\n"
            "    <testcase classname=\"\" name=\"hung\" time=\"0\">"
            "<error message=\"e\"/></testcase>\n"
            "    <testcase classname=\"\" name=\"none\" time=\"0\">"
            "<skipped message=\"\"/></testcase>\n"
            "  </testsuite>\n</testsuites>\n");
}

TEST(JunitXml, WhatXmlForbidsIsReplaced) {
  const std::string replaced = "\xEF\xBF\xBD";
  const auto name_of = [](const std::string& name) {
    const std::string xml = Junit(name, 0, {});
    const std::size_t begin = xml.find("name=\"") + 6;
    return xml.substr(begin, xml.find('"', begin) - begin);
  };
  EXPECT_EQ(name_of(std::string("\0", 1)), replaced);
  EXPECT_EQ(name_of("\x08"), replaced);
  EXPECT_EQ(name_of("\x1f"), replaced);
  EXPECT_EQ(name_of("\xEF\xBF\xBE"), replaced);                         // U+FFFE
  EXPECT_EQ(name_of("\xEF\xBF\xBF\xEF\xBF\xBF"), replaced + replaced);  // U+FFFF
  EXPECT_EQ(name_of("\xED\xA0\x80"), replaced + replaced + replaced);   // a surrogate
  EXPECT_EQ(name_of("\xff"), replaced);
  EXPECT_EQ(name_of("\t\n\xEF\xBF\xBC"), "\t\n\xEF\xBF\xBC");  // U+FFFC may stand
  EXPECT_EQ(name_of("<&>'"), "&lt;&amp;&gt;&#39;");
}

}  // namespace
}  // namespace rollover
