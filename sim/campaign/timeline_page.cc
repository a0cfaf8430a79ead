#include "sim/campaign/timeline_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/campaign/blame_page.h"
#include "sim/campaign/numbers.h"
#include "sim/campaign/page.h"
#include "sim/campaign/timeline_drawing.h"
#include "sim/campaign/traced_write.h"

namespace rollover {
namespace {

bool BetweenAttempts(TraceKind kind) {
  switch (kind) {
    case TraceKind::kTurnAccepted:
    case TraceKind::kRestart:
    case TraceKind::kLimits:
    case TraceKind::kQuiet:
    case TraceKind::kEnd:
      return true;
    default:
      return false;
  }
}

Outcome OutcomeOf(const TraceEvent& event) {
  if (event.kind == TraceKind::kCommitted) return Outcome::kCommitted;
  if (event.kind == TraceKind::kRefused) return Outcome::kRefused;
  if (event.kind != TraceKind::kFailed) return Outcome::kNone;
  return event.text.starts_with("the Worker dies") ? Outcome::kDied : Outcome::kFailed;
}

std::vector<EventGroup> GroupsOf(const std::vector<TraceEvent>& events,
                                 std::optional<std::size_t> broken) {
  std::vector<EventGroup> groups;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool begins = events[i].kind == TraceKind::kHandOut;
    const bool between = BetweenAttempts(events[i].kind);
    if (groups.empty() || begins || (between && groups.back().attempt)) {
      groups.push_back({.first = i, .attempt = !between});
    }
    EventGroup& group = groups.back();
    group.last = i;
    const Outcome outcome = OutcomeOf(events[i]);
    // A Worker that dies after its commit has committed all the same.
    if (outcome != Outcome::kNone && group.outcome != Outcome::kCommitted) group.outcome = outcome;
    if (i == broken) group.outcome = Outcome::kBroke;
  }
  return groups;
}

// The events that are drawn, what came before them, and where it broke.
struct View {
  std::vector<TraceEvent> events;
  std::optional<std::size_t> broken;
  TraceFollower before;  // what the events left out did
  std::vector<EventGroup> groups;
};

View ViewOf(const Timeline& timeline) {
  const std::vector<TraceEvent>& all = timeline.events;
  const Verdict& verdict = timeline.result.verdict;
  const std::size_t count = std::min(all.size(), kTimelineEventsMax);
  const std::size_t begin = verdict.held() ? 0 : all.size() - count;
  View view;
  for (std::size_t i = 0; i < begin; ++i) view.before.OnEvent(all[i]);
  const auto from = all.begin() + static_cast<std::ptrdiff_t>(begin);
  view.events.assign(from, from + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i < count && !verdict.held(); ++i) {
    if (view.events[i].number == verdict.where.number) view.broken = i;
  }
  view.groups = GroupsOf(view.events, view.broken);
  return view;
}

// Writes of one name that follow each other key by key, as one row.
struct WriteRun {
  TracedWrite first;
  Key last = 0;
  std::uint64_t bytes = 0;
  std::size_t events = 1;
};

std::optional<WriteRun> WriteRunAt(const std::vector<TraceEvent>& events, std::size_t at) {
  const auto write = [&](std::size_t i) -> std::optional<TracedWrite> {
    if (i >= events.size() || events[i].kind != TraceKind::kWrite) return std::nullopt;
    return ReadTracedWrite(events[i].text);
  };
  const auto first = write(at);
  if (!first || first->name != Name::kMessages) return std::nullopt;
  WriteRun run{.first = *first, .last = first->key, .bytes = first->bytes};
  for (auto next = write(at + 1); next && next->name == first->name && next->key == run.last + 1 &&
                                  next->deletes == first->deletes;
       next = write(at + run.events)) {
    run.last = next->key;
    run.bytes += next->bytes;
    ++run.events;
  }
  if (run.events == 1) return std::nullopt;
  return run;
}

std::string RunWords(const WriteRun& run) {
  const std::string keys =
      fmt::format("{}[{}..{}]", NameText(run.first.name), run.first.key, run.last);
  return run.first.deletes ? keys + " deleted"
                           : fmt::format("{} = {} bytes", keys, Grouped(run.bytes));
}

class Rows {
 public:
  Rows(const View& view, const BlameReport* blame)
      : view_(view), blame_(blame), follower_(view.before) {}

  std::string Group(const EventGroup& group, const std::string& broken_html) {
    const TraceEvent& head = view_.events[group.first];
    std::string html = "<section class=\"group\">\n<h3>" + Heading(group, head) + "</h3>\n<ol>\n";
    for (std::size_t i = group.first; i <= group.last;) {
      const auto run = WriteRunAt(view_.events, i);
      const std::size_t next = i + (run ? run->events : 1);
      html += Row(i, next - 1, group.attempt, run ? RunWords(*run) : view_.events[i].text);
      for (std::size_t at = i; at < next; ++at) {
        if (view_.events[at].kind == TraceKind::kCommitted) before_commit_ = follower_.state();
        follower_.OnEvent(view_.events[at]);
      }
      const bool writes_end = next > group.last || view_.events[next].kind != TraceKind::kWrite;
      if (view_.events[i].kind == TraceKind::kWrite && writes_end) html += Picture();
      if (view_.broken && *view_.broken >= i && *view_.broken < next) html += broken_html;
      i = next;
    }
    return html + "</ol>\n</section>\n";
  }

 private:
  std::string Heading(const EventGroup& group, const TraceEvent& head) const {
    std::string html = What(group, head);
    if (blame_ != nullptr) html += FuturesTag(*blame_, head.number);
    return html;
  }

  static std::string What(const EventGroup& group, const TraceEvent& head) {
    if (!group.attempt) return "between Steps";
    std::string html = fmt::format("turn {} · {} · attempt {}", head.turn,
                                   Breakable(StepName(head.step)), head.attempt);
    switch (group.outcome) {
      case Outcome::kCommitted:
        return html + " <small>committed</small>";
      case Outcome::kDied:
        return html + " <small class=\"hit\">the Worker died</small>";
      case Outcome::kFailed:
        return html + " <small>failed</small>";
      case Outcome::kRefused:
        return html + " <small>refused</small>";
      case Outcome::kBroke:
        return html + " <small class=\"bad\">a rule broke</small>";
      default:
        return html;
    }
  }

  // "commit commit 5 of RunModel" says it twice.
  static std::string_view WithoutKind(std::string_view text, std::string_view kind) {
    const bool twice = text.starts_with(kind) && text.substr(kind.size()).starts_with(' ');
    return twice ? text.substr(kind.size() + 1) : text;
  }

  std::string Row(std::size_t first, std::size_t last, bool attempt,
                  const std::string& text) const {
    const TraceEvent& event = view_.events[first];
    std::string numbers = fmt::to_string(event.number);
    if (last > first) numbers += fmt::format("–{}", view_.events[last].number);
    std::string lanes;
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      const bool here = LaneOf(event.kind) == static_cast<Lane>(lane);
      const bool bar = attempt && static_cast<Lane>(lane) == Lane::kAttempt;
      lanes += fmt::format("<i{}{}></i>", bar ? " class=\"bar\"" : "", here ? " data-on" : "");
    }
    return fmt::format(
        "<li class=\"k-{0}\"><span class=\"no\">{1}</span><span class=\"lanes\">{2}</span>"
        "<span class=\"say\"><b>{0}</b> {3}</span></li>\n",
        TraceKindName(event.kind), numbers, lanes,
        Escape(WithoutKind(text, TraceKindName(event.kind))));
  }

  std::string Picture() const {
    const std::string svg = CommitSvg(before_commit_, follower_.state());
    const std::string words = CommitWords(before_commit_, follower_.state());
    if (words.empty()) return {};
    return fmt::format("<li class=\"picture\"><div>{}<p>{}</p></div></li>\n", svg, Escape(words));
  }

  const View& view_;
  const BlameReport* blame_;
  TraceFollower follower_;
  TracedState before_commit_;
};

std::string BrokenBlock(const std::vector<Violation>& violations) {
  std::string html = "<li class=\"picture\"><div class=\"failure\" id=\"broken\">\n";
  for (const Violation& violation : violations) {
    html += fmt::format(
        "<h3>{}</h3>\n<p class=\"says\">The rule: {}.</p>\n<p class=\"what\">{}</p>\n",
        Breakable(RuleName(violation.rule)),
        Escape(Rules()[static_cast<std::size_t>(violation.rule)].says), Escape(violation.what));
  }
  return html + "</div></li>\n";
}

std::string Command(const Timeline& timeline) {
  const bool blames = timeline.config.blame != nullptr;
  std::string command = blames ? "./rollover blame " : "./rollover replay ";
  command += ShellWord(timeline.path);
  if (timeline.config.until > 0) command += fmt::format(" --until {}", timeline.config.until);
  if (!timeline.core.empty()) command += " --core " + ShellWord(timeline.core);
  if (blames) return command + " --html timeline.html";
  return command + " --trace html > timeline.html";
}

std::string NotDrawn(const Timeline& timeline, const View& view) {
  const std::size_t all = timeline.events.size();
  if (view.events.size() == all) return {};
  const bool early = view.events.front().number > timeline.events.front().number;
  const std::uint64_t from = early ? timeline.events.front().number : view.events.back().number + 1;
  const std::uint64_t to = early ? view.events.front().number - 1 : timeline.events.back().number;
  return fmt::format("Events {}..{} of {} are not drawn; --trace text has them all.", Grouped(from),
                     Grouped(to), Grouped(all));
}

std::string KeyFigures(const Timeline& timeline) {
  const Statistics& statistics = timeline.result.verdict.statistics;
  const Scenario& scenario = timeline.file.scenario;
  const Options& options = scenario.options;
  const auto limit = options.retained_message_limit;
  std::uint64_t struck = 0;
  for (const std::uint64_t count : statistics.faults) struck += count;
  return Facts(
      {{"events", Grouped(timeline.events.size())},
       {"turns", Grouped(statistics.turns)},
       {"commits", Grouped(statistics.commits)},
       {"attempts", Grouped(statistics.attempts)},
       {"faults that struck", Grouped(struck)},
       {"core", timeline.core.empty() ? std::string(CoreKindName(scenario.core)) : timeline.core},
       {"message_window_size", Grouped(options.message_window_size), "messages"},
       {"message_chunk_size", Grouped(options.message_chunk_size), "messages"},
       {"message_chunk_max_bytes", Grouped(options.message_chunk_max_bytes), "bytes"},
       {"retained_message_limit", limit ? Grouped(*limit) : "none"},
       {"compaction", options.compaction ? "on" : "off"}});
}

std::string Overview(const View& view) {
  std::string html =
      "<figure>\n<ul class=\"legend\"><li><i class=\"f0\"></i>attempt</li>"
      "<li><i class=\"f4\"></i>fault; an attempt whose Worker died</li>"
      "<li><i class=\"f2\"></i>commit</li><li><i class=\"f3\"></i>read</li>"
      "<li><i class=\"f5\"></i>engine; failed or refused</li>";
  if (view.broken) html += "<li><i class=\"broken-swatch\"></i>broken</li>";
  html += "</ul>\n";
  return html +
         Both(OverviewSvg(view.events, view.groups, view.broken, 940),
              OverviewSvg(view.events, view.groups, view.broken, 336)) +
         "</figure>\n";
}

std::string Headline(const Timeline& timeline) {
  const Verdict& verdict = timeline.result.verdict;
  if (verdict.held()) {
    return fmt::format("All rules held over {} commits.", Grouped(verdict.statistics.commits));
  }
  const Violation& violation = verdict.violations.front();
  return fmt::format("{} breaks in turn {}, {} attempt {}, commit {}: {}.",
                     RuleName(violation.rule), verdict.where.turn, StepName(verdict.where.step),
                     verdict.where.attempt, violation.commit, violation.what);
}

std::string_view Badge(ReplayAnswer answer) {
  switch (answer) {
    case ReplayAnswer::kFixed:
      return "FIXED";
    case ReplayAnswer::kReproduced:
      return "REPRODUCED";
    case ReplayAnswer::kStale:
      return "STALE";
    default:
      return "HELD";
  }
}

}  // namespace

std::string TimelinePage(const Timeline& timeline) {
  const View view = ViewOf(timeline);
  const Verdict& verdict = timeline.result.verdict;
  HtmlPage page{
      .title = (timeline.config.blame != nullptr ? "rollover blame " : "rollover replay ") +
               timeline.path,
      .tone = !verdict.held()                                  ? Tone::kBroken
              : timeline.result.answer == ReplayAnswer::kStale ? Tone::kOpen
                                                               : Tone::kHeld,
      .badge = std::string(Badge(timeline.result.answer)),
      .headline = Headline(timeline),
      .lead = NotDrawn(timeline, view)};
  if (timeline.result.answer == ReplayAnswer::kStale) page.lead = timeline.result.line;
  page.body += KeyFigures(timeline);
  page.body += Section("overview", "At a glance", Overview(view));
  if (timeline.config.blame != nullptr) page.body += BlameSections(*timeline.config.blame);
  std::string rows;
  const std::string broken = BrokenBlock(verdict.violations);
  if (!verdict.held() && !view.broken) rows += "<ol class=\"alone\">\n" + broken + "</ol>\n";
  if (view.broken) rows += "<p class=\"note\"><a href=\"#broken\">To where it breaks</a></p>\n";
  rows +=
      "<p class=\"note\">Lanes from left to right: engine, attempt (a bar as long as it lasts), "
      "commit, read. In the pictures <span class=\"f0 key\">window</span> and "
      "<span class=\"f1 key\">chunks</span> hold sequences; a dashed frame is what goes, a full "
      "one what is new.</p>\n";
  Rows writer(view, timeline.config.blame);
  for (const EventGroup& group : view.groups) rows += writer.Group(group, broken);
  page.body +=
      Section("events", "Event by event", "<div class=\"timeline\">\n" + rows + "</div>\n");
  page.body += Section("again", "Run it again", CommandLine(Command(timeline)));
  return Html(page);
}

}  // namespace rollover
