#include "sim/campaign/night_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/campaign/night_report.h"
#include "sim/campaign/numbers.h"
#include "sim/campaign/page.h"
#include "sim/campaign/trend.h"

namespace rollover {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t kNightsShown = 30;

std::optional<double> Value(const Json& line, const char* key) {
  const auto at = line.find(key);
  if (at == line.end() || !at->is_number()) return std::nullopt;
  return at->get<double>();
}

std::string Shown(const Json& line, const char* key) {
  const auto value = Value(line, key);
  return value ? CountText(*value) : "not measured";
}

std::string KeyFigures(const NightReport& report) {
  const Json& line = report.history.back();
  const bool coverage = Value(line, "coverage_model").has_value();
  return Facts({
      {"turns", Shown(line, "turns"), Shown(line, "commits") + " commits judged"},
      {"planted bugs found",
       fmt::format("{} of {}", Shown(line, "bugs_found"), Shown(line, "bugs_total")),
       "each by its own rule"},
      {"fuzz inputs run", Shown(line, "fuzz_runs"),
       coverage ? Shown(line, "coverage_model") + " % of model/ reached" : "coverage not measured"},
      {"states explored", Shown(line, "explore_states")},
      {"time", DurationText(report.seconds()),
       "of " + DurationText(static_cast<double>(report.night.budget.count()) / 1000)},
      {"core", report.night.core.empty() ? "the model's own" : report.night.core,
       "build " + report.night.version},
  });
}

std::string FailureCard(const fs::path& out, const FailureTonight& tonight) {
  const FailureRecord& known = tonight.known;
  std::string html =
      fmt::format("<article class=\"{}\">\n<h3>{}: {}</h3>\n<p class=\"what\">{}</p>\n",
                  tonight.seen ? "failure" : "failure gone-by", StateName(tonight.state),
                  Breakable(known.failure.rule), Escape(known.failure.what));
  html += fmt::format("<p>Found by {} in night {}; seen in {} {}, last in night {}.",
                      Escape(known.failure.part), known.first_night, known.nights,
                      known.nights == 1 ? "night" : "nights", known.last_night);
  if (tonight.state == FailureState::kFixed) html += " Its replay answered FIXED.";
  if (!tonight.seen && tonight.state == FailureState::kKnown) {
    html += " Not seen in this night, and no replay judged it.";
  }
  html += "</p>\n";
  const std::string replay = ReplayCommand(out, tonight);
  return html + (replay.empty() ? "" : CommandLine(replay)) + "</article>\n";
}

std::string Outcome(const PartResult& part) {
  const std::string name(OutcomeName(part.outcome));
  return part.outcome == PartOutcome::kHeld ? name
                                            : fmt::format("<span class=\"bad\">{}</span>", name);
}

std::string Parts(const NightReport& report) {
  double longest = 0;
  for (const PartResult& part : report.parts) longest = std::max(longest, part.run.seconds);
  std::vector<std::vector<std::string>> rows;
  for (const PartResult& part : report.parts) {
    const std::string command = part.run.command();
    const bool page = part.json.is_object() && (command == "run" || command == "soak");
    const std::string name = Escape(part.run.part);
    const double share = longest > 0 ? 100 * part.run.seconds / longest : 0;
    rows.push_back({page ? fmt::format("<a href=\"nights/{}/{}.html\">{}</a>", report.night.number,
                                       Escape(part.run.stem), name)
                         : name,
                    Outcome(part), DurationText(part.run.seconds),
                    fmt::format("<span class=\"meter\" style=\"width:{:.1f}%\"></span>", share),
                    Escape(part.reason.empty() ? part.did : part.reason)});
  }
  for (const std::string& name : report.planned) {
    if (!report.night.ended(name)) {
      rows.push_back({Escape(name), "<span class=\"bad\">missing</span>", "", "", ""});
    }
  }
  return Table("parts",
               {{"part", false}, {"outcome", false}, {"time"}, {"", false}, {"what it did", false}},
               rows);
}

std::string Trends(const NightReport& report) {
  struct Row {
    const char* key;
    const char* title;
    const char* says;
  };
  constexpr Row rows[] = {
      {"bugs_found", "Planted bugs found", "by their own rule, all must be"},
      {"bugs_median_turns", "Turns to find a planted bug", "in the median; fewer is better"},
      {"coverage_model", "Coverage of model/", "percent of its lines, by fuzzing"},
      {"fuzz_edges", "Edges reached", "by all fuzz targets together"},
      {"turns", "Turns simulated", "in long sessions, swarm and rare futures"},
      {"new", "New failures", "by fingerprint"},
  };
  const std::size_t from =
      report.history.size() > kNightsShown ? report.history.size() - kNightsShown : 0;
  std::string html = "<div class=\"grid\">\n";
  int colour = 0;
  for (const Row& row : rows) {
    Trend trend{.title = row.title, .says = row.says, .colour = colour++};
    for (std::size_t i = from; i < report.history.size(); ++i) {
      const Json& line = report.history[i];
      trend.points.push_back({line.value("night", std::uint64_t{0}), Value(line, row.key)});
    }
    html += Figure(trend);
  }
  return html + "</div>\n";
}

std::string Nights(const NightReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (auto line = report.history.rbegin();
       line != report.history.rend() && rows.size() < kNightsShown; ++line) {
    const auto text = [&](const char* key) { return Escape(line->value(key, std::string())); };
    rows.push_back({Shown(*line, "night"), text("started"), text("verdict"),
                    DurationText(Value(*line, "seconds").value_or(0)), Shown(*line, "new"),
                    Shown(*line, "known"), Shown(*line, "fixed"), Shown(*line, "turns"),
                    text("core")});
  }
  return Table("nights",
               {{"night"},
                {"started", false},
                {"verdict", false},
                {"time"},
                {"new"},
                {"known"},
                {"fixed"},
                {"turns"},
                {"core", false}},
               rows);
}

std::string Command(const fs::path& out, const NightReport& report) {
  std::string command = fmt::format("./rollover nightly --budget {}s --out {}",
                                    report.night.budget.count() / 1000, ShellWord(out.string()));
  if (!report.night.core.empty()) command += " --core " + ShellWord(report.night.core);
  return CommandLine(command);
}

PageVerdict VerdictOf(const NightReport& report) {
  if (report.broken()) return {Tone::kBroken, "FAILED"};
  if (!report.night.finished) return {Tone::kOpen, "STOPPED"};
  if (!report.all_ran()) return {Tone::kBroken, "NOT ALL RAN"};
  return {Tone::kHeld, "HELD"};
}

}  // namespace

std::string NightPage(const fs::path& out, const NightReport& report) {
  const PageVerdict verdict = VerdictOf(report);
  HtmlPage page{
      .title = fmt::format("Rollover, night {}", report.night.number),
      .tone = verdict.tone,
      .badge = std::string(verdict.badge),
      .headline = NightHeadline(report),
      .lead = fmt::format("Started {}.{}", report.night.started,
                          report.environment_error.empty() ? "" : " " + report.environment_error)};
  page.body = KeyFigures(report);
  if (!report.failures.empty()) {
    std::string failures;
    for (const FailureTonight& failure : report.failures) failures += FailureCard(out, failure);
    page.body += Section("failures", "Failures", failures);
  }
  page.body += Section("what-ran", "What ran", Parts(report));
  page.body += Section("trends", "From night to night", Trends(report) + Nights(report));
  page.body += Section("again", "The same again", Command(out, report));
  return Html(page);
}

}  // namespace rollover
