// Charts: drawings over a session's turns, as inline SVG.
//
// What happened in [from, to) is one step of a curve. Words stand only where they cannot meet:
// ticks in margins measured from their own text, names inside the area they name if it is thick
// enough, limits on the side of their line that is free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rollover {

enum class Unit : std::uint8_t { kCount, kBytes };

// Turns after `from`, up to and with `to`.
struct TurnSpan {
  double from = 0;
  double to = 0;
};

struct Area {
  std::string name{};  // also in the legend, and inside the area where there is room
  int colour = 0;      // 0 .. 5
  std::vector<double> values{};
  std::string more{};  // in the legend, after the name
};

struct Band {
  int colour = 0;
  std::vector<double> low{};
  std::vector<double> high{};
};

struct LimitLine {
  std::string name;
  std::vector<std::optional<double>> values{};  // one a span; none: does not apply there
};

struct Plot {
  std::string title;
  std::string says{};  // what one step shows
  Unit unit = Unit::kCount;
  std::vector<TurnSpan> spans{};
  double turns = 0;            // where the axis ends
  std::vector<Area> areas{};   // stacked, the first at the bottom
  std::optional<Band> band{};  // from the least to the most
  std::optional<LimitLine> limit{};
};

// Strikes in rows: one mark a span in which it struck.
struct RugRow {
  std::string name;
  std::vector<std::uint64_t> strikes{};  // one a span
};
struct Rug {
  std::string title;
  std::string says{};
  std::vector<TurnSpan> spans{};
  double turns = 0;
  std::vector<RugRow> rows{};
};

struct ChartSize {
  int width = 0;  // in CSS pixels, at which text has its own size
  int height = 0;
  int left_min = 0;  // of the margin, so that charts below each other share their axis
};

// Round values from 0 to the first at or above `high`: steps of 1, 2 or 5 times a power of ten; of
// counts at least 1.
std::vector<double> Ticks(double high, std::size_t steps_max);

std::string Svg(const Plot& plot, ChartSize size);
std::string Svg(const Rug& rug, ChartSize size);
// A figure with caption and legend; the drawing at one size, or one for wide screens and one for
// narrow ones.
std::string Figure(const Plot& plot, ChartSize size);
std::string Figure(const Plot& plot, ChartSize wide, ChartSize narrow);
std::string Figure(const Rug& rug, ChartSize wide, ChartSize narrow);

}  // namespace rollover
