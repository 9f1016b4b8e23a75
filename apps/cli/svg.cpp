#include "svg.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace pintle::cli {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string points_attribute(std::span<const Point> points) {
  std::string out;
  for (const Point& p : points) out += fmt::format("{}{:.1f},{:.1f}", out.empty() ? "" : " ", p.x, p.y);
  return out;
}

std::string look_attributes(const Look& look) {
  std::string out = fmt::format("fill=\"{}\"", look.fill);
  if (look.stroke != "none")
    out += fmt::format(" stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
                       look.stroke, look.width);
  if (look.opacity < 1.0) out += fmt::format(" opacity=\"{:.2f}\"", look.opacity);
  return out;
}

}  // namespace

Svg::Svg(int width, int height, std::string_view title, std::string_view background) : background_(background) {
  body_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\"\n"
      "     font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
      "<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"{3}\"/>\n",
      width, height, escaped(title), background_);
}

void Svg::polygon(std::span<const Point> corners, const Look& look) {
  body_ += fmt::format("<polygon points=\"{}\" {}/>\n", points_attribute(corners), look_attributes(look));
}

void Svg::polyline(std::span<const Point> points, const Look& look) {
  body_ += fmt::format("<polyline points=\"{}\" {}/>\n", points_attribute(points), look_attributes(look));
}

void Svg::circle(Point centre, double radius, const Look& look) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}/>\n", centre.x, centre.y, radius,
                       look_attributes(look));
}

void Svg::arrow(Point tail, Point head, std::string_view colour, double width) {
  const double length = std::hypot(head.x - tail.x, head.y - tail.y);
  const Point along{(head.x - tail.x) / length, (head.y - tail.y) / length};
  const double depth = 6.0 * width, half = 2.2 * width;
  const Point neck{head.x - depth * along.x, head.y - depth * along.y};
  const std::array<Point, 2> shaft{tail, neck};
  polyline(shaft, {.stroke = std::string(colour), .width = width});
  const std::array<Point, 3> tip{Point{neck.x - half * along.y, neck.y + half * along.x}, head,
                                 Point{neck.x + half * along.y, neck.y - half * along.x}};
  polygon(tip, {.fill = std::string(colour)});
}

void Svg::text(Point place, std::string_view text, const Letters& letters) {
  body_ += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.0f}\" font-weight=\"{}\" text-anchor=\"{}\" fill=\"{}\" "
      "stroke=\"{}\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\">{}</text>\n",
      place.x, place.y, letters.size, letters.weight, letters.anchor, letters.colour, background_, escaped(text));
}

}  // namespace pintle::cli
