// Trend: how one figure went from night to night, as a small drawing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rollover {

struct TrendPoint {
  std::uint64_t night = 0;
  std::optional<double> value{};  // none: not measured in that night
};

struct Trend {
  std::string title;
  std::string says;                  // what a point is
  int colour = 0;                    // 0 .. 5
  std::vector<TrendPoint> points{};  // by night; the last is what the newest night says
};

// A figure with caption, for pages (page.h).
std::string Figure(const Trend& trend);

}  // namespace rollover
