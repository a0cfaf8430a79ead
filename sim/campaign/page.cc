#include "sim/campaign/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/json_text.h"
#include "sim/campaign/page_style.h"

namespace rollover {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The length of the UTF-8 character that begins `text`; 0 when none does.
std::size_t CharacterLength(std::string_view text) {
  for (std::size_t length = 1; length <= std::min<std::size_t>(4, text.size()); ++length) {
    if (ValidUtf8(text.substr(0, length))) return length;
  }
  return 0;
}

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
}

std::string_view ToneClass(Tone tone) {
  return tone == Tone::kHeld ? "held" : tone == Tone::kBroken ? "broken" : "open";
}

}  // namespace

std::string Escape(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
    text.remove_prefix(character.size());
    if (length == 0 || IsControl(character[0])) {
      safe += kReplacement;
    } else if (character == "&") {
      safe += "&amp;";
    } else if (character == "<") {
      safe += "&lt;";
    } else if (character == ">") {
      safe += "&gt;";
    } else if (character == "\"") {
      safe += "&quot;";
    } else if (character == "'") {
      safe += "&#39;";
    } else {
      safe += character;
    }
  }
  return safe;
}

std::string ShellWord(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:=+,@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string Breakable(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool hump = i > 0 && name[i] >= 'A' && name[i] <= 'Z';
    if (hump || (i > 0 && name[i - 1] == '-')) text += "<wbr>";
    text += Escape(name.substr(i, 1));
  }
  return text;
}

std::string Html(const HtmlPage& page) {
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  html += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  // Without an icon of its own a page makes some browsers ask the server for one.
  html += "<link rel=\"icon\" href=\"data:,\">\n";
  html += fmt::format("<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
                      Escape(page.title), kPageStyle);
  html += fmt::format(
      "<header class=\"{}\">\n<p class=\"kicker\"><span class=\"badge\">{}</span> {}</p>\n"
      "<h1>{}</h1>\n",
      ToneClass(page.tone), Escape(page.badge), Escape(page.title), Escape(page.headline));
  if (!page.lead.empty()) html += fmt::format("<p class=\"lead\">{}</p>\n", Escape(page.lead));
  html += "</header>\n";
  html += page.body;
  html += "</main>\n</body>\n</html>\n";
  return html;
}

std::string Section(std::string_view id, std::string_view heading, const std::string& html) {
  return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, Escape(heading), html);
}

std::string Facts(const std::vector<Fact>& facts) {
  std::string html = "<dl class=\"facts\">\n";
  for (const Fact& fact : facts) {
    html += fmt::format("<div><dt>{}</dt><dd>{}", Escape(fact.name), Escape(fact.value));
    if (!fact.more.empty()) html += fmt::format(" <small>{}</small>", Escape(fact.more));
    html += "</dd></div>\n";
  }
  return html + "</dl>\n";
}

std::string Table(std::string_view id, const std::vector<TableColumn>& columns,
                  const std::vector<std::vector<std::string>>& rows) {
  const auto cell = [&](std::string_view tag, std::size_t column, const std::string& html) {
    const bool number = column < columns.size() && columns[column].number;
    return fmt::format("<{0}{1}>{2}</{0}>", tag, number ? "" : " class=\"text\"", html);
  };
  // To be scrolled with the keyboard it must take the focus.
  std::string html = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table id=\"{0}\">"
      "\n<thead><tr>",
      id);
  for (std::size_t i = 0; i < columns.size(); ++i) html += cell("th", i, columns[i].heading);
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) html += cell("td", i, row[i]);
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

std::string CommandLine(const std::string& command) {
  return fmt::format("<pre class=\"command\">{}</pre>\n", Escape(command));
}

std::string Both(const std::string& wide_html, const std::string& narrow_html) {
  return fmt::format("<div class=\"wide\">\n{}</div>\n<div class=\"narrow\">\n{}</div>\n",
                     wide_html, narrow_html);
}

std::string FailureBlock(const FoundFailure& failure) {
  const std::string_view says = Rules()[static_cast<std::size_t>(failure.rule)].says;
  std::string html = fmt::format(
      "<article class=\"failure\">\n<h3>{}</h3>\n<p class=\"says\">The rule: {}.</p>\n"
      "<p class=\"what\">{}</p>\n",
      Breakable(RuleName(failure.rule)), Escape(says), Escape(failure.what));
  html += fmt::format("<p>Turn {}, {} attempt {}, commit {}. Found by {}", failure.where.turn,
                      Breakable(StepName(failure.where.step)), failure.where.attempt,
                      failure.where.commit, Escape(failure.found_by));
  if (failure.found) {
    html += fmt::format(" after {} operations and {} faults; shrunk to {} and {}.</p>\n",
                        failure.found->operations, failure.found->faults,
                        failure.scenario.operations.size(), failure.scenario.faults.size());
  } else {
    html += fmt::format("; {} operations, {} faults.</p>\n", failure.scenario.operations.size(),
                        failure.scenario.faults.size());
  }
  if (!failure.saved.empty()) {
    html += CommandLine("./rollover replay " + ShellWord(failure.saved) + " --trace text");
  }
  return html + "</article>\n";
}

PageVerdict VerdictOf(bool broken, bool interrupted) {
  if (broken) return {Tone::kBroken, "FAILED"};
  if (interrupted) return {Tone::kOpen, "STOPPED"};
  return {Tone::kHeld, "HELD"};
}

}  // namespace rollover
