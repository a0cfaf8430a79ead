#include "sim/campaign/blame_page.h"

#include <fmt/format.h>

#include "sim/campaign/numbers.h"
#include "sim/campaign/page.h"

namespace rollover {
namespace {

std::string ShareText(const Moment& moment) {
  const double share = moment.futures == 0 ? 0
                                           : static_cast<double>(moment.failed) /
                                                 static_cast<double>(moment.futures);
  return fmt::format("{:.0f} %", 100 * share);
}

std::string OutcomeHtml(const Flip& flip) {
  if (flip.same) return "fails the same";
  if (flip.broke.empty()) return "<strong>holds</strong>";
  return "breaks " + Breakable(flip.broke) + " instead";
}

std::string Decisions(const BlameReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const Decision& decision : report.decisions) {
    rows.push_back({Escape(decision.what), decision.necessary() ? "yes" : "no",
                    Escape(decision.dropped.what), OutcomeHtml(decision.dropped)});
    for (const Flip& flip : decision.others) {
      rows.push_back({"", "", Escape(flip.what), OutcomeHtml(flip)});
    }
  }
  return Table("decisions",
               {{"decision", false}, {"necessary", false}, {"flipped", false}, {"then", false}},
               rows);
}

std::string Moments(const BlameReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < report.moments.size(); ++i) {
    const Moment& moment = report.moments[i];
    std::string where = "before anything";
    if (moment.after) {
      where = fmt::format("turn {} · {} {} · attempt {}", moment.after->turn,
                          Breakable(StepName(moment.after->step)), moment.after->occurrence,
                          moment.after->attempt);
    }
    rows.push_back({where, Grouped(moment.failed), ShareText(moment),
                    report.certain_from == i ? "certain from here on" : ""});
  }
  return Table("futures", {{"after", false}, {"failed"}, {"share"}, {"", false}}, rows);
}

}  // namespace

std::string BlameSections(const BlameReport& report) {
  const std::string note = fmt::format(
      "<p class=\"note\">The scenario was cut off behind each hand-out and continued at random, "
      "{} times.</p>\n",
      Grouped(report.moments.empty() ? 0 : report.moments.front().futures));
  const std::string heading = fmt::format("Why: {} of {} decisions are necessary",
                                          report.necessary(), report.decisions.size());
  return Section("why", heading, Decisions(report)) +
         Section("certain", "Since when: how many futures fail", note + Moments(report));
}

std::string FuturesTag(const BlameReport& report, std::uint64_t event) {
  for (const Moment& moment : report.moments) {
    if (!moment.after || moment.after->event != event) continue;
    return fmt::format(" <small{}>· {} of futures fail after it</small>",
                       moment.certain() ? " class=\"bad\"" : "", ShareText(moment));
  }
  return {};
}

}  // namespace rollover
