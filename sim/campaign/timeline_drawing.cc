#include "sim/campaign/timeline_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/campaign/numbers.h"
#include "sim/campaign/svg.h"

namespace rollover {
namespace {

constexpr double kLaneHeight = 26;
constexpr double kLaneLeft = 74;

std::string_view OutcomeCss(Outcome outcome) {
  switch (outcome) {
    case Outcome::kDied:
      return "fault";
    case Outcome::kBroke:
      return "broke";
    case Outcome::kFailed:
    case Outcome::kRefused:
      return "f5";
    default:
      return "f0";
  }
}

std::string Triangle(double x, double y) {
  return fmt::format("<path d=\"M{} {}l5 -9h-10z\" class=\"fault\"/>\n", Px(x), Px(y));
}

// A broken core's chunk may claim to hold more than anyone can draw: then only its ends count.
constexpr Sequence kChunkDrawnMax = 100'000;

// Every sequence that is stored, once.
std::vector<Sequence> Stored(const TracedState& state) {
  std::vector<Sequence> all = state.window;
  for (const auto& [key, range] : state.chunks) {
    if (range.last < range.first || range.last - range.first > kChunkDrawnMax) {
      all.insert(all.end(), {range.first, range.last});
      continue;
    }
    for (Sequence s = range.first; s <= range.last; ++s) all.push_back(s);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<Sequence> Without(const std::vector<Sequence>& from,
                              const std::vector<Sequence>& what) {
  std::vector<Sequence> left;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::back_inserter(left));
  return left;
}

std::string RunText(const ChunkRange& run) {
  return run.first == run.last ? fmt::to_string(run.first)
                               : fmt::format("{}..{}", run.first, run.last);
}

std::string RunsText(const std::vector<Sequence>& sequences) {
  constexpr std::size_t shown_max = 4;
  const std::vector<ChunkRange> runs = Runs(sequences);
  std::string text;
  for (std::size_t i = 0; i < std::min(runs.size(), shown_max); ++i) {
    text += (i == 0 ? "" : ", ") + RunText(runs[i]);
  }
  return runs.size() > shown_max ? text + ", ..." : text;
}

// Sequences on a line.
struct Line {
  Sequence first = 0;
  double left = 52;
  double each = 1;

  double X(Sequence sequence) const { return left + each * static_cast<double>(sequence - first); }
};

// Whether something is stored twice, in the window and a chunk or in two chunks.
bool Doubled(const TracedState& state) {
  std::size_t claims = state.window.size();
  for (const auto& [key, range] : state.chunks) claims += range.last - range.first + 1;
  return claims > Stored(state).size();
}

// A row of what is stored; what the other row does not have is marked.
std::string StateRow(const Line& line, double y, const TracedState& state,
                     const std::vector<Sequence>& elsewhere, std::string_view mark) {
  std::string svg;
  // What is there twice lies on each other: the window is half as high, and nothing is labelled.
  const bool doubled = Doubled(state);
  const auto draw = [&](const ChunkRange& run, int colour) {
    const double x = line.X(run.first) + 0.7;
    const double width = std::max(0.8, line.X(run.last + 1) - line.X(run.first) - 1.4);
    const double down = doubled && colour == 0 ? 10 : 0;
    svg += RectAt(x, y + down, width, 20 - down, fmt::format("f{}", colour));
    const std::string text = RunText(run);
    if (doubled || TextWidth(text) + 4 > width) return;
    svg += TextAt(x + width / 2, y + 14, "middle", fmt::format("o{}", colour), text);
  };
  for (const auto& [key, range] : state.chunks) draw(range, 1);
  // Apart, so that no frame crosses a label.
  const std::vector<Sequence> alone = Without(state.window, elsewhere);
  for (const ChunkRange& run : Runs(Without(state.window, alone))) draw(run, 0);
  for (const ChunkRange& run : Runs(alone)) draw(run, 0);
  for (const ChunkRange& run : Runs(Without(Stored(state), elsewhere))) {
    const double x = line.X(run.first);
    svg += RectAt(x, y - 3, std::max(1.0, line.X(run.last + 1) - x), 26, mark);
  }
  return svg;
}

}  // namespace

std::string_view LaneName(Lane lane) {
  constexpr std::array<std::string_view, kLaneCount> names = {"engine", "attempts", "commits",
                                                              "reads"};
  return names.at(static_cast<std::size_t>(lane));
}

Lane LaneOf(TraceKind kind) {
  switch (kind) {
    case TraceKind::kInvoked:
    case TraceKind::kFailed:
    case TraceKind::kFault:
      return Lane::kAttempt;
    case TraceKind::kCommitted:
    case TraceKind::kWrite:
    case TraceKind::kEvent:
      return Lane::kCommit;
    case TraceKind::kRead:
      return Lane::kRead;
    default:
      return Lane::kEngine;
  }
}

std::string OverviewSvg(const std::vector<TraceEvent>& events,
                        const std::vector<EventGroup>& groups, std::optional<std::size_t> broken,
                        int width) {
  const double right = width - 10;
  const double step =
      (right - kLaneLeft) / static_cast<double>(std::max<std::size_t>(1, events.size()));
  const auto x_of = [&](std::size_t i) {
    return kLaneLeft + step * (static_cast<double>(i) + 0.5);
  };
  const auto y_of = [](Lane lane) { return 24 + kLaneHeight * static_cast<double>(lane); };
  const double bottom = y_of(Lane::kEngine) + kLaneHeight * kLaneCount;
  std::string svg;
  for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
    const double y = y_of(static_cast<Lane>(lane)) + kLaneHeight / 2;
    svg += TextAt(kLaneLeft - 8, y + 4, "end", "", std::string(LaneName(static_cast<Lane>(lane))));
    svg += LineAt(kLaneLeft, y, right, y, "gridline");
  }
  for (const EventGroup& group : groups) {
    if (!group.attempt) continue;
    const double x = x_of(group.first) - step / 2;
    svg +=
        RectAt(x + 0.5, y_of(Lane::kAttempt) + 6,
               std::max(1.0, x_of(group.last) + step / 2 - x - 1), 14, OutcomeCss(group.outcome));
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    const TraceKind kind = events[i].kind;
    const double y = y_of(LaneOf(kind));
    if (kind == TraceKind::kFault) {
      svg += Triangle(x_of(i), y + 6);
    } else if (LaneOf(kind) != Lane::kAttempt && kind != TraceKind::kWrite) {
      const bool commit = kind == TraceKind::kCommitted;
      svg += RectAt(x_of(i) - 1, y + (commit ? 5 : 8), 2, commit ? 16 : 10,
                    commit                     ? "f2"
                    : kind == TraceKind::kRead ? "f3"
                                               : "f5");
    }
  }
  if (broken) {
    const double x = x_of(*broken);
    svg += LineAt(x, 18, x, bottom, "breakline");
    const std::string text = "broken at event " + Grouped(events[*broken].number);
    const double half = TextWidth(text) / 2;
    svg += TextAt(std::clamp(x, half + 2, width - half - 2), 13, "middle", "limit-text", text);
  }
  if (!events.empty()) {
    svg += TextAt(kLaneLeft, bottom + 16, "start", "", "event " + Grouped(events.front().number));
    svg += TextAt(right, bottom + 16, "end", "", Grouped(events.back().number));
  }
  return Frame(width, bottom + 22, "All events that are drawn, in lanes", svg);
}

std::string CommitSvg(const TracedState& before, const TracedState& after) {
  if (before == after) return {};
  const std::vector<Sequence> had = Stored(before);
  const std::vector<Sequence> has = Stored(after);
  Sequence first = ~Sequence{0};
  Sequence last = 0;
  for (const auto* stored : {&had, &has}) {
    if (stored->empty()) continue;
    first = std::min(first, stored->front());
    last = std::max(last, stored->back());
  }
  if (last < first) return {};
  constexpr double width = 336;
  Line line{.first = first};
  line.each = std::min(24.0, (width - line.left - 6) / static_cast<double>(last - first + 1));
  std::string svg = TextAt(0, 18, "start", "", "before") + TextAt(0, 50, "start", "", "after");
  svg += StateRow(line, 4, before, has, "gone");
  svg += StateRow(line, 36, after, had, "new");
  if (had.empty()) svg += TextAt(line.left, 18, "start", "", "nothing stored");
  if (has.empty()) svg += TextAt(line.left, 50, "start", "", "nothing stored");
  return Frame(width, 64, "Window and chunks before and after the commit", svg);
}

std::string CommitWords(const TracedState& before, const TracedState& after) {
  if (before == after) return {};
  const std::vector<Sequence> had = Stored(before);
  const std::vector<Sequence> has = Stored(after);
  std::string text = fmt::format("window {} to {}, chunks {} to {}", before.window.size(),
                                 after.window.size(), before.chunks.size(), after.chunks.size());
  const auto tell = [&](std::string_view what, const std::vector<Sequence>& sequences) {
    if (!sequences.empty()) text += fmt::format("; {} {}", what, RunsText(sequences));
  };
  const std::vector<Sequence> gone = Without(had, has);
  tell("stored", Without(has, had));
  tell("moved to chunks", Without(Without(before.window, after.window), gone));
  tell("deleted", gone);
  return text;
}

}  // namespace rollover
