#include "sim/campaign/svg.h"

#include <fmt/format.h>

#include <cmath>

#include "model/check.h"
#include "sim/campaign/page.h"

namespace rollover {

std::string Px(double value) {
  CHECK(std::isfinite(value));
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string TextAt(double x, double y, std::string_view anchor, std::string_view css,
                   const std::string& text) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", Px(x), Px(y),
                     anchor, css.empty() ? "" : fmt::format(" class=\"{}\"", css), Escape(text));
}

std::string LineAt(double x1, double y1, double x2, double y2, std::string_view css) {
  return fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n", Px(x1),
                     Px(y1), Px(x2), Px(y2), css);
}

std::string Frame(double width, double height, const std::string& title, const std::string& inner) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
                     Px(width), Px(height), Escape(title), inner);
}

std::string RectAt(double x, double y, double width, double height, std::string_view css) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" class=\"{}\"/>\n",
                     Px(x), Px(y), Px(width), Px(height), css);
}

double TextWidth(std::string_view text) {
  constexpr double letter =
      7.3;  // the widest digit of the fonts named in the style, 12 pixels high
  return letter * static_cast<double>(text.size());
}

}  // namespace rollover
