#include "sim/campaign/run_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/campaign/numbers.h"
#include "sim/campaign/page.h"

namespace rollover {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::uint64_t Sum(const std::array<std::uint64_t, kFaultKindCount>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// The same seeds again: of a shard's N-th seeds, as many as it took.
std::string Command(const RunHeader& header, const RunSummary& summary) {
  const std::uint64_t seeds =
      summary.seeds == 0 ? 1 : (summary.seeds - 1) * header.shard.count + header.shard.index;
  std::string command = "./rollover run";
  if (header.every_crash_point.empty()) {
    command += fmt::format(" --seed {} --seeds {}", header.first_seed, seeds);
  } else {
    command += " --every-crash-point " + ShellWord(header.every_crash_point);
  }
  if (header.shard.count > 1) {
    command += fmt::format(" --shard {}/{}", header.shard.index, header.shard.count);
  }
  if (header.futures) command += " --from-rare";
  if (!header.core.empty()) command += " --core " + ShellWord(header.core);
  if (!header.preset.empty()) command += " --preset " + ShellWord(header.preset);
  if (!header.transcript.empty()) command += " --transcript " + ShellWord(header.transcript);
  return command + " --html run.html";
}

std::string KeyFigures(const RunHeader& header, const RunSummary& summary) {
  const Statistics& statistics = summary.statistics;
  const double rate = static_cast<double>(statistics.turns) / std::max(summary.seconds, 1e-9);
  const Fact seeds{"seeds", Grouped(summary.seeds),
                   "from " + fmt::to_string(header.first_seed) + " on"};
  const Fact struck{
      "crash points struck",
      fmt::format("{} of {}", Grouped(header.struck.crashes), Grouped(header.struck.crashes_all)),
      fmt::format("and {} of {} other faults", Grouped(header.struck.others),
                  Grouped(header.struck.others_all))};
  std::vector<Fact> facts = {
      header.every_crash_point.empty() ? seeds : struck,
      {"turns", Grouped(statistics.turns), Grouped(static_cast<std::uint64_t>(rate)) + " a second"},
      {"commits", Grouped(statistics.commits)},
      {"attempts", Grouped(statistics.attempts), "hand-outs of a Step"},
      {"reads", Grouped(statistics.reads)},
      {"faults that struck", Grouped(Sum(statistics.faults))},
      {"cores", header.core.empty() ? "all" : header.core},
      {"time", fmt::format("{:.1f} s", summary.seconds)}};
  if (!header.preset.empty()) facts.push_back({"preset", header.preset});
  if (!header.transcript.empty()) {
    facts.push_back({"transcript", header.transcript,
                     Grouped(header.transcript_skipped) + " messages skipped"});
  }
  return Facts(facts) +
         fmt::format("<p class=\"note\">trace_hash <code>{}</code></p>\n", summary.hash.Hex());
}

std::string Failures(const RunSummary& summary) {
  std::string html;
  for (const FoundFailure& failure : summary.failures) html += FailureBlock(failure);
  if (summary.failures_total > summary.failures.size()) {
    html += fmt::format("<p class=\"note\">{} failures in all; the others are not kept.</p>\n",
                        Grouped(summary.failures_total));
  }
  return html;
}

std::string CountCell(std::uint64_t count) {
  return count == 0 ? "<span class=\"zero\">0</span>" : Grouped(count);
}

std::string RulesTable(const RunSummary& summary) {
  std::array<std::uint64_t, kRuleCount> broken{};
  for (const FoundFailure& failure : summary.failures) {
    ++broken[static_cast<std::size_t>(failure.rule)];
  }
  Rows rows;
  for (const RuleInfo& rule : Rules()) {
    const auto at = static_cast<std::size_t>(rule.rule);
    rows.push_back({fmt::format("<code>{}</code>", Breakable(rule.name)), Escape(rule.says),
                    CountCell(summary.statistics.evaluations[at]),
                    broken[at] == 0
                        ? CountCell(0)
                        : fmt::format("<span class=\"bad\">{}</span>", Grouped(broken[at]))});
  }
  return Table("rules", {{"rule", false}, {"says", false}, {"judged"}, {"broken"}}, rows);
}

std::string FaultsTable(const Statistics& statistics) {
  const auto most =
      static_cast<double>(*std::max_element(statistics.faults.begin(), statistics.faults.end()));
  Rows rows;
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    const std::uint64_t count = statistics.faults[f];
    const double share = most > 0 ? 100 * static_cast<double>(count) / most : 0;
    rows.push_back(
        {fmt::format("<code>{}</code>", FaultName(static_cast<FaultKind>(f))), CountCell(count),
         count == 0 ? ""
                    : fmt::format("<span class=\"meter\" style=\"width:{:.1f}%\"></span>", share)});
  }
  return Table("faults", {{"fault", false}, {"struck"}, {"", false}}, rows);
}

// 1 .. 5 by order of magnitude below the highest; 0 for none.
int Heat(std::uint64_t count, std::uint64_t most) {
  if (count == 0) return 0;
  const double low = std::log(1.0);
  const double high = std::log(static_cast<double>(std::max<std::uint64_t>(most, 2)));
  const double share = (std::log(static_cast<double>(count)) - low) / (high - low);
  return 1 + std::min(4, static_cast<int>(share * 5));
}

// Faults down, Steps across. Not Table(): its cells have colours of their own.
std::string HeatTable(const Statistics& statistics) {
  std::uint64_t most = 0;
  for (const auto& row : statistics.faults_at)
    most = std::max(most, *std::max_element(row.begin(), row.end()));
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"faults at Steps\">"
      "<table class=\"heat\" id=\"heat\">\n<thead><tr><th>fault</th>";
  for (std::size_t s = 0; s < kStepKindCount; ++s) {
    html += fmt::format("<th>{}</th>", Breakable(StepName(static_cast<StepKind>(s))));
  }
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t f = 0; f < kFaultKindCount; ++f) {
    const auto fault = static_cast<FaultKind>(f);
    html += fmt::format("<tr><td>{}</td>", FaultName(fault));
    for (std::size_t s = 0; s < kStepKindCount; ++s) {
      const auto step = static_cast<StepKind>(s);
      const std::uint64_t count = statistics.faults_at[f][s];
      if (!CanHit(fault, step)) {
        html += fmt::format("<td class=\"x\" title=\"{}\">–</td>", Escape(WhyNot(fault, step)));
      } else {
        html += fmt::format("<td class=\"h{}\">{}</td>", Heat(count, most), Grouped(count));
      }
    }
    html += "</tr>\n";
  }
  return html +
         "</tbody>\n</table></div>\n<p class=\"note\">Darker (on a dark page: brighter) is more "
         "often, by orders of magnitude. – cannot be: that fault does not hit that Step.</p>\n";
}

std::string NotReachedList(const std::vector<std::string>& not_reached, std::uint64_t seeds) {
  if (not_reached.empty()) {
    return fmt::format(
        "<p>Every rule, fault and situation was reached as often as {} seeds must reach it.</p>\n",
        Grouped(seeds));
  }
  std::string html = fmt::format(
      "<p>{} of them were reached less often than {} seeds should:</p>\n<ul id=\"not-reached\">\n",
      Grouped(not_reached.size()), Grouped(seeds));
  for (const std::string& line : not_reached) html += fmt::format("<li>{}</li>\n", Escape(line));
  return html + "</ul>\n";
}

std::string SituationsTable(const Statistics& statistics) {
  Rows rows;
  for (const SituationInfo& situation : Situations()) {
    const std::uint64_t count =
        statistics.situations[static_cast<std::size_t>(situation.situation)];
    rows.push_back({fmt::format("<code>{}</code>", Breakable(situation.name)),
                    Escape(situation.says), CountCell(count)});
  }
  return Table("situations", {{"situation", false}, {"says", false}, {"reached"}}, rows);
}

std::string Headline(const RunSummary& summary) {
  const std::string seeds = Grouped(summary.seeds) + (summary.seeds == 1 ? " seed" : " seeds");
  if (summary.failures_total == 0) {
    return fmt::format("{}, {} turns, {} faults: all rules held.", seeds,
                       Grouped(summary.statistics.turns), Grouped(Sum(summary.statistics.faults)));
  }
  std::string headline =
      fmt::format("{} of {} broke a rule", Grouped(summary.failures_total), seeds);
  if (summary.failures.empty()) return headline + ".";
  const FoundFailure& failure = summary.failures.front();
  return fmt::format("{}; the first, {}: {}", headline, RuleName(failure.rule), failure.what);
}

}  // namespace

std::string RunPage(const RunHeader& header, const RunSummary& summary,
                    const std::vector<std::string>& not_reached) {
  const bool broken = summary.failures_total > 0;
  const PageVerdict verdict = VerdictOf(broken, summary.interrupted);
  HtmlPage page{.title = "rollover run: many sessions, each under faults of its own",
                .tone = verdict.tone,
                .badge = std::string(verdict.badge),
                .headline = Headline(summary)};
  const Statistics& statistics = summary.statistics;
  page.body += KeyFigures(header, summary);
  if (broken) page.body += Section("failures", "What broke", Failures(summary));
  page.body += Section("reached", "What was reached", NotReachedList(not_reached, summary.seeds));
  page.body += Section("rules-section", "Rules", RulesTable(summary));
  page.body += Section("faults-section", "Faults", FaultsTable(statistics));
  page.body += Section("heat-section", "Faults at Steps", HeatTable(statistics));
  page.body += Section("situations-section", "Situations", SituationsTable(statistics));
  page.body += Section("again", "Run it again", CommandLine(Command(header, summary)));
  return Html(page);
}

}  // namespace rollover
