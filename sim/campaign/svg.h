// SVG: the shapes that charts and timelines are drawn with. Lengths are CSS pixels at the size at
// which text is 12 high; `css` names classes of the page's style (page_style.h).
#pragma once

#include <string>
#include <string_view>

namespace rollover {

std::string Px(double value);  // at most one decimal; must be finite
// `anchor` is start, middle or end; the text is escaped.
std::string TextAt(double x, double y, std::string_view anchor, std::string_view css,
                   const std::string& text);
std::string LineAt(double x1, double y1, double x2, double y2, std::string_view css);
std::string RectAt(double x, double y, double width, double height, std::string_view css);
// The whole drawing; the title is for those who do not see it.
std::string Frame(double width, double height, const std::string& title, const std::string& inner);

// Room that a text surely fits.
double TextWidth(std::string_view text);

}  // namespace rollover
