// Page: what the HTML pages share: text made safe, the frame with its style, small pieces.
//
// A page is one file that needs nothing else: no script, no address to fetch from, and colours for
// light, dark and paper. A drawing that would be too small on a phone is there twice, and the style
// shows one of them (Both). Not here: curves and their axes (chart.h), what a page tells
// (soak_page.h, run_page.h, timeline_page.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/campaign/failure.h"

namespace rollover {

// Text as it may stand in an element or a quoted attribute. What is not UTF-8, and control
// characters but tab and newline, become U+FFFD.
std::string Escape(std::string_view text);

// One word of a shell command, quoted if it must be.
std::string ShellWord(const std::string& word);

enum class Tone { kHeld, kBroken, kOpen };

// What the head of a report's page says at a glance.
struct PageVerdict {
  Tone tone = Tone::kHeld;
  std::string_view badge{};
};
PageVerdict VerdictOf(bool broken, bool interrupted);

struct HtmlPage {
  std::string title;  // of the browser's tab, and small above the headline
  Tone tone = Tone::kHeld;
  std::string badge;     // one word: HELD
  std::string headline;  // one sentence that tells the story
  std::string lead{};    // a second one
  std::string body{};    // HTML
};
std::string Html(const HtmlPage& page);

// The pieces; `id` is an anchor within the page. What is called `html` is taken as it is.
std::string Section(std::string_view id, std::string_view heading, const std::string& html);
struct Fact {
  std::string name;
  std::string value;
  std::string more{};
};
std::string Facts(const std::vector<Fact>& facts);
struct TableColumn {
  std::string heading;
  bool number = true;  // else text
};
// Rows of cells in HTML. Wider than the screen, it scrolls on its own.
std::string Table(std::string_view id, const std::vector<TableColumn>& columns,
                  const std::vector<std::vector<std::string>>& rows);
std::string CommandLine(const std::string& command);
std::string Both(const std::string& wide_html, const std::string& narrow_html);
// What broke, where, how it was found, and the line that replays it.
std::string FailureBlock(const FoundFailure& failure);
// CamelCase and dashes may break there, where a line is too long.
std::string Breakable(std::string_view name);

}  // namespace rollover
