// A drawing in the SVG format, built shape by shape; later shapes cover earlier ones.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pintle::cli {

/// A place on the drawing in pixels, x to the right and y down.
struct Point {
  double x, y;
};

/// How a shape looks; colours as SVG writes them.
struct Look {
  std::string fill = "none";
  std::string stroke = "none";
  double width = 1.0;
  double opacity = 1.0;
};

/// How a text looks. `anchor` is the part of the text that is put at its place: start, middle or end.
struct Letters {
  double size = 16.0;
  std::string colour = "#222222";
  std::string_view anchor = "start";
  std::string_view weight = "normal";
};

class Svg {
 public:
  Svg(int width, int height, std::string_view title, std::string_view background);

  void polygon(std::span<const Point> corners, const Look& look);
  void polyline(std::span<const Point> points, const Look& look);
  void circle(Point centre, double radius, const Look& look);

  /// A line that ends in a filled arrow head.
  void arrow(Point tail, Point head, std::string_view colour, double width);

  /// A text with a thin halo in the colour of the background, so that it is readable over lines.
  void text(Point place, std::string_view text, const Letters& letters);

  /// The whole file.
  std::string str() const { return body_ + "</svg>\n"; }

 private:
  std::string background_;
  std::string body_;
};

}  // namespace pintle::cli
