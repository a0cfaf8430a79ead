#include "sim/campaign/trend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/campaign/chart.h"
#include "sim/campaign/numbers.h"
#include "sim/campaign/page.h"
#include "sim/campaign/svg.h"

namespace rollover {
namespace {

constexpr double kWidth = 420;
constexpr double kHeight = 132;
constexpr double kTop = 16;     // half a line above the highest tick
constexpr double kBottom = 24;  // for the nights' numbers
constexpr double kMargin = 8;
constexpr double kRadius = 3;
constexpr std::size_t kTickSteps = 3;

// Where points stand: nights from left to right, values from the bottom up.
class Field {
 public:
  explicit Field(const Trend& trend) {
    double high = 1;  // so that zeros lie on the ground of an axis
    for (const TrendPoint& point : trend.points) high = std::max(high, point.value.value_or(0));
    ticks_ = Ticks(high, kTickSteps);
    double widest = 0;
    for (const double tick : ticks_) widest = std::max(widest, TextWidth(CountText(tick)));
    left_ = widest + 2 * kMargin;
    first_ = static_cast<double>(trend.points.front().night);
    last_ = static_cast<double>(trend.points.back().night);
  }

  const std::vector<double>& ticks() const { return ticks_; }
  double left() const { return left_; }
  double right() const { return kWidth - 2 * kMargin; }
  double x(std::uint64_t night) const {
    if (last_ <= first_) return (left() + right()) / 2;
    const double part = (static_cast<double>(night) - first_) / (last_ - first_);
    return left() + kMargin + part * (right() - left() - 2 * kMargin);
  }
  double y(double value) const {
    return kHeight - kBottom - value / ticks_.back() * (kHeight - kBottom - kTop);
  }

 private:
  std::vector<double> ticks_;
  double left_ = 0, first_ = 0, last_ = 0;
};

std::string Axes(const Trend& trend, const Field& field) {
  std::string svg;
  for (const double tick : field.ticks()) {
    const double y = field.y(tick);
    svg += LineAt(field.left(), y, field.right(), y, tick == 0 ? "base" : "gridline");
    svg += TextAt(field.left() - kMargin, y + 4, "end", "", CountText(tick));
  }
  const auto night = [&](const TrendPoint& point, std::string_view anchor) {
    svg += TextAt(field.x(point.night), kHeight - kMargin, anchor, "",
                  fmt::format("night {}", point.night));
  };
  night(trend.points.back(), trend.points.size() == 1 ? "middle" : "end");
  if (trend.points.size() > 1) night(trend.points.front(), "start");
  return svg;
}

std::string Points(const Trend& trend, const Field& field) {
  std::string line, dots;
  for (const TrendPoint& point : trend.points) {
    if (!point.value) continue;
    const double x = field.x(point.night);
    const double y = field.y(*point.value);
    line += fmt::format("{}{} {}", line.empty() ? "M" : "L", Px(x), Px(y));
    dots += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"f{}\"/>\n", Px(x), Px(y),
                        Px(kRadius), trend.colour);
  }
  if (line.empty()) return "";
  return fmt::format("<path d=\"{}\" class=\"edge s{}\"/>\n", line, trend.colour) + dots;
}

}  // namespace

std::string Figure(const Trend& trend) {
  if (trend.points.empty()) return "";
  const Field field(trend);
  const auto& newest = trend.points.back().value;
  return fmt::format(
      "<figure><figcaption><b>{}: {}</b> {}</figcaption>\n{}</figure>\n", Escape(trend.title),
      newest ? CountText(*newest) : "not measured", Escape(trend.says),
      Frame(kWidth, kHeight, trend.title, Axes(trend, field) + Points(trend, field)));
}

}  // namespace rollover
