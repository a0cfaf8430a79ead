#include "sim/campaign/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/check.h"
#include "sim/campaign/numbers.h"
#include "sim/campaign/page.h"
#include "sim/campaign/svg.h"

namespace rollover {
namespace {

constexpr double kLine = 16;  // from one line of text to the next

std::string Label(Unit unit, double value) {
  return unit == Unit::kBytes ? BytesText(value) : CountText(value);
}

// Where turns and values are on the paper.
struct Paper {
  double left = 0;
  double right = 0;
  double top = 0;
  double bottom = 0;
  double turns = 1;
  double high = 1;

  double X(double turn) const { return left + (right - left) * turn / turns; }
  double Y(double value) const { return bottom - (bottom - top) * value / high; }
};

// Turns along the bottom: the round ones, and never two that touch.
std::string TurnAxis(const Paper& paper) {
  std::string svg = LineAt(paper.left, paper.bottom, paper.right, paper.bottom, "base");
  const double room = TextWidth(CountText(paper.turns)) + 24;
  const auto most = static_cast<std::size_t>(std::max(1.0, (paper.right - paper.left) / room));
  const double y = paper.bottom + kLine + 2;
  for (const double turn : Ticks(paper.turns, most)) {
    if (turn > paper.turns) continue;
    const double x = paper.X(turn);
    svg += LineAt(x, paper.bottom, x, paper.bottom + 4, "base");
    const std::string text = CountText(turn);
    const bool at_end = x + TextWidth(text) / 2 > paper.right + 2;
    svg += TextAt(at_end ? paper.right : x, y, at_end ? "end" : "middle", "", text);
  }
  return svg;
}

// The outline of a curve in steps; gaps where it has no value.
std::string StepPath(const Paper& paper, const std::vector<TurnSpan>& spans,
                     const std::vector<std::optional<double>>& values) {
  std::string path;
  bool drawing = false;
  double y_before = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (!values[i]) {
      drawing = false;
      continue;
    }
    const double y = paper.Y(*values[i]);
    if (!drawing) {
      path += fmt::format("M{} {}", Px(paper.X(spans[i].from)), Px(y));
    } else if (y != y_before) {
      path += fmt::format("V{}", Px(y));
    }
    path += fmt::format("H{}", Px(paper.X(spans[i].to)));
    drawing = true;
    y_before = y;
  }
  return path;
}

std::vector<std::optional<double>> Optional(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

// Between two curves: out along the upper one, back along the lower.
std::string AreaPath(const Paper& paper, const std::vector<TurnSpan>& spans,
                     const std::vector<double>& low, const std::vector<double>& high) {
  if (spans.empty()) return {};
  std::string path = StepPath(paper, spans, Optional(high));
  for (std::size_t i = spans.size(); i-- > 0;) {
    path += fmt::format("V{}H{}", Px(paper.Y(low[i])), Px(paper.X(spans[i].from)));
  }
  return path + "Z";
}

double Highest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

class PlotDrawing {
 public:
  PlotDrawing(const Plot& plot, ChartSize size) : plot_(plot), size_(size) {
    StackAreas();
    data_high_ = Highest(tops_.empty() ? std::vector<double>{} : tops_.back());
    if (plot.band) data_high_ = std::max(data_high_, Highest(plot.band->high));
    if (plot.limit) {
      for (const auto& value : plot.limit->values) limit_high_ = std::max(limit_high_, value);
    }
    // A limit far away would press the curve flat: it is named, not drawn.
    limit_fits_ = limit_high_ && *limit_high_ <= 3 * data_high_;
    LayOut();
  }

  std::string Draw() {
    std::string svg;
    for (const double tick : ticks_) {
      svg += LineAt(paper_.left, paper_.Y(tick), paper_.right, paper_.Y(tick), "gridline");
      svg += TextAt(paper_.left - 7, paper_.Y(tick) + 4, "end", "", Label(plot_.unit, tick));
    }
    for (std::size_t i = 0; i < plot_.areas.size(); ++i) svg += DrawArea(i);
    if (plot_.band) svg += DrawBand(*plot_.band);
    if (limit_high_) svg += DrawLimit();
    if (plot_.spans.empty()) {
      svg += TextAt((paper_.left + paper_.right) / 2, paper_.Y(paper_.high / 2), "middle", "",
                    "no turn ended");
    }
    return Frame(size_.width, size_.height, plot_.title, svg + TurnAxis(paper_));
  }

 private:
  void StackAreas() {
    std::vector<double> below(plot_.spans.size(), 0);
    for (const Area& area : plot_.areas) {
      bottoms_.push_back(below);
      for (std::size_t i = 0; i < below.size(); ++i) below[i] += area.values[i];
      tops_.push_back(below);
    }
  }

  void LayOut() {
    const double high = limit_fits_ ? std::max(data_high_, *limit_high_) : data_high_;
    paper_.top = limit_high_ && !limit_fits_ ? kLine + 12 : 10;
    paper_.bottom = size_.height - kLine - 10;
    const auto steps = static_cast<std::size_t>((paper_.bottom - paper_.top) / 30);
    ticks_ = Ticks(high > 0 ? high : 1, std::max<std::size_t>(2, steps));
    // Room for the limit's name above its line.
    if (limit_fits_ && ticks_.back() - *limit_high_ < ticks_.back() * kLine / paper_.bottom &&
        !DataPassesLimit()) {
      ticks_.push_back(ticks_.back() + ticks_[1]);
    }
    paper_.high = ticks_.back();
    double widest = 0;
    for (const double tick : ticks_) widest = std::max(widest, TextWidth(Label(plot_.unit, tick)));
    paper_.left = std::max<double>(widest + 10, size_.left_min);
    paper_.right = size_.width - 12;
    paper_.turns = std::max(1.0, plot_.turns);
  }

  bool DataPassesLimit() const { return limit_high_ && data_high_ > *limit_high_; }

  std::string DrawArea(std::size_t i) const {
    const Area& area = plot_.areas[i];
    std::string svg =
        fmt::format("<path d=\"{}\" class=\"f{}\"/>\n",
                    AreaPath(paper_, plot_.spans, bottoms_[i], tops_[i]), area.colour);
    return svg + NameInside(i);
  }

  // The area's name where its thinnest part over the name's width is thickest.
  std::string NameInside(std::size_t i) const {
    if (plot_.areas[i].name.empty()) return {};
    const double room = TextWidth(plot_.areas[i].name) + 12;
    double best = kLine + 4;
    std::optional<std::pair<double, double>> place;
    std::size_t last = 0;
    for (std::size_t first = 0; first < plot_.spans.size(); ++first) {
      const double x = paper_.X(plot_.spans[first].from);
      while (last < plot_.spans.size() && paper_.X(plot_.spans[last].to) < x + room) ++last;
      if (last == plot_.spans.size()) break;
      double low = 0;
      double high = paper_.high;
      for (std::size_t at = first; at <= last; ++at) {
        low = std::max(low, bottoms_[i][at]);
        high = std::min(high, tops_[i][at]);
      }
      const double thick = paper_.Y(low) - paper_.Y(high);
      if (thick <= best + 0.5) continue;
      best = thick;
      place = {x + room / 2, (paper_.Y(low) + paper_.Y(high)) / 2 + 4};
    }
    if (!place) return {};
    return TextAt(place->first, place->second, "middle", fmt::format("o{}", plot_.areas[i].colour),
                  plot_.areas[i].name);
  }

  std::string DrawBand(const Band& band) const {
    std::string svg = fmt::format("<path d=\"{}\" class=\"f{} band\"/>\n",
                                  AreaPath(paper_, plot_.spans, band.low, band.high), band.colour);
    return svg + fmt::format("<path d=\"{}\" class=\"s{} edge\"/>\n",
                             StepPath(paper_, plot_.spans, Optional(band.high)), band.colour);
  }

  // The name stands at the right end of its line, on the side that is free there.
  std::string DrawLimit() const {
    const LimitLine& limit = *plot_.limit;
    if (!limit_fits_) {
      const std::string text = limit.name + " " + Label(plot_.unit, *limit_high_);
      return TextAt(paper_.right, kLine, "end", "limit-text", text + ", above this scale");
    }
    std::string svg = fmt::format("<path d=\"{}\" class=\"limit\"/>\n",
                                  StepPath(paper_, plot_.spans, limit.values));
    std::optional<double> last;
    for (const auto& value : limit.values) last = value ? value : last;
    const std::string text = limit.name + " " + Label(plot_.unit, *last);
    double limit_here = 0;
    double data_here = 0;
    for (std::size_t i = 0; i < plot_.spans.size(); ++i) {
      if (paper_.X(plot_.spans[i].to) < paper_.right - TextWidth(text) - 8) continue;
      limit_here = std::max(limit_here, limit.values[i].value_or(0));
      if (!tops_.empty()) data_here = std::max(data_here, tops_.back()[i]);
      if (plot_.band) data_here = std::max(data_here, plot_.band->high[i]);
    }
    double y = paper_.Y(limit_here);
    const bool below = data_here > limit_here && y + kLine + 4 < paper_.bottom;
    y += below ? kLine : -6;
    return svg + TextAt(paper_.right, y, "end", "limit-text", text);
  }

  const Plot& plot_;
  ChartSize size_;
  Paper paper_;
  std::vector<double> ticks_;
  std::vector<std::vector<double>> bottoms_;
  std::vector<std::vector<double>> tops_;
  double data_high_ = 0;
  std::optional<double> limit_high_;
  bool limit_fits_ = false;
};

std::string Caption(const std::string& title, const std::string& says) {
  return fmt::format("<figcaption><b>{}</b> {}</figcaption>\n", Escape(title), Escape(says));
}

std::string Legend(const Plot& plot) {
  if (plot.areas.size() < 2) return {};
  std::string html = "<ul class=\"legend\">\n";
  for (const Area& area : plot.areas) {
    html += fmt::format("<li><i class=\"f{}\"></i>{} <small>{}</small></li>\n", area.colour,
                        Escape(area.name), Escape(area.more));
  }
  return html + "</ul>\n";
}

}  // namespace

std::vector<double> Ticks(double high, std::size_t steps_max) {
  CHECK(high > 0 && std::isfinite(high) && steps_max > 0);
  double step = std::pow(10, std::floor(std::log10(high / static_cast<double>(steps_max))));
  if (high >= 1) step = std::max(step, 1.0);
  constexpr double factors[] = {2, 2.5, 2};  // 1 2 5 10
  for (std::size_t i = 0; step * static_cast<double>(steps_max) < high; ++i) step *= factors[i % 3];
  std::vector<double> ticks = {0};
  while (ticks.back() < high * (1 - 1e-9)) {
    ticks.push_back(step * static_cast<double>(ticks.size()));
  }
  return ticks;
}

std::string Svg(const Plot& plot, ChartSize size) { return PlotDrawing(plot, size).Draw(); }

std::string Svg(const Rug& rug, ChartSize size) {
  constexpr double row_height = 30;
  size.height = static_cast<int>(row_height) * static_cast<int>(rug.rows.size()) + 30;
  const Paper paper{.left = std::max<double>(8, size.left_min),
                    .right = size.width - 12.0,
                    .top = 0,
                    .bottom = size.height - kLine - 10,
                    .turns = std::max(1.0, rug.turns)};
  std::string svg;
  double y = 2;
  for (const RugRow& row : rug.rows) {
    std::uint64_t total = 0;
    std::string path;
    for (std::size_t i = 0; i < row.strikes.size(); ++i) {
      if (row.strikes[i] == 0) continue;
      total += row.strikes[i];
      const double x = paper.X((rug.spans[i].from + rug.spans[i].to) / 2);
      path += fmt::format("M{} {}h1.2v10h-1.2z", Px(x - 0.6), Px(y + 17));
    }
    svg += TextAt(paper.left, y + 12, "start", "", row.name);
    svg += TextAt(paper.right, y + 12, "end", "", Grouped(total));
    svg += LineAt(paper.left, y + 27, paper.right, y + 27, "gridline");
    svg += fmt::format("<path d=\"{}\" class=\"fault\"/>\n", path);
    y += row_height;
  }
  return Frame(size.width, size.height, rug.title, svg + TurnAxis(paper));
}

std::string Figure(const Plot& plot, ChartSize size) {
  return "<figure>\n" + Caption(plot.title, plot.says) + Legend(plot) + Svg(plot, size) +
         "</figure>\n";
}

std::string Figure(const Plot& plot, ChartSize wide, ChartSize narrow) {
  return "<figure>\n" + Caption(plot.title, plot.says) + Legend(plot) +
         Both(Svg(plot, wide), Svg(plot, narrow)) + "</figure>\n";
}

std::string Figure(const Rug& rug, ChartSize wide, ChartSize narrow) {
  return "<figure>\n" + Caption(rug.title, rug.says) + Both(Svg(rug, wide), Svg(rug, narrow)) +
         "</figure>\n";
}

}  // namespace rollover
