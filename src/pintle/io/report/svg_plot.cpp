#include "pintle/io/report/svg_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

#include "pintle/io/report/axis.h"
#include "pintle/text/utf8.h"

namespace pintle {
namespace {

constexpr double kTop = 76.0, kGap = 44.0, kBottom = 50.0, kRight = 26.0;
constexpr double kPanelHeight = 220.0, kLabelHeight = 18.0, kLabelGap = 34.0;
constexpr double kLetterWidth = 7.3;  // of the 12 px font, on average
constexpr double kLargest = 1e300;    // beyond it differences overflow
constexpr double kSameLine = 0.1;     // [px]
constexpr std::size_t kColours = 8, kMaxNames = 24, kLongestName = 32;

constexpr const char* kStyle = R"(<style>
text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: #1c2126 }
.paper { fill: #ffffff }
.title { font-size: 17px; font-weight: 600 }
.quiet { fill: #5c6670 }
.grid { stroke: #e9ecef; stroke-width: 1 }
.zero { stroke: #b9c0c7; stroke-width: 1 }
.axis { stroke: #8b949d; stroke-width: 1 }
.line { fill: none; stroke-width: 1.9; stroke-linejoin: round; stroke-linecap: round }
.lead { fill: none; stroke-width: 1; opacity: 0.55 }
.other { fill: none; stroke: #b9c0c7; stroke-width: 1 }
.d1 { stroke-dasharray: 8 4.5 }
.d2 { stroke-dasharray: 1.5 4.5 }
.c0 { stroke: #0072b2 } .c1 { stroke: #d55e00 } .c2 { stroke: #009e73 } .c3 { stroke: #cc79a7 }
.c4 { stroke: #e69f00 } .c5 { stroke: #56b4e9 } .c6 { stroke: #7a5195 } .c7 { stroke: #4d4d4d }
@media (prefers-color-scheme: dark) {
text { fill: #e3e6ea }
.paper { fill: #15181d }
.quiet { fill: #98a1ab }
.grid { stroke: #262b32 }
.zero { stroke: #4b535c }
.axis { stroke: #7d868f }
.other { stroke: #4b535c }
.c0 { stroke: #4fa8e0 } .c1 { stroke: #ff8c42 } .c2 { stroke: #2cc99b } .c3 { stroke: #e29bc6 }
.c4 { stroke: #f2b134 } .c5 { stroke: #8ccbf2 } .c6 { stroke: #b794e0 } .c7 { stroke: #c8c8c8 }
}
</style>
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : valid_utf8(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
  }
  return out;
}

/// A coordinate on the page, to a hundredth of a pixel.
std::string pixels(double x) {
  std::string text = fixed_text(x, 2);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string tick_text(double x, int decimals) {
  std::string text = fixed_text(x, decimals);
  if (text[0] == '-') text.replace(0, 1, "−");
  return text;
}

bool drawable(double x) {
  return std::abs(x) <= kLargest;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  bool empty() const { return !(low <= high); }
  void take(double x) {
    if (!drawable(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

/// Values along one axis of the page, with round ticks.
struct Axis {
  double low = 0.0, high = 1.0;  // in units of 10^exponent
  double from = 0.0, to = 1.0;   // [px]
  double step = 0.2;
  int decimals = 1;
  int exponent = 0;

  double place(double x) const { return from + (x / power_of_ten(exponent) - low) / (high - low) * (to - from); }
  double place_of_tick(double tick) const { return from + (tick - low) / (high - low) * (to - from); }
  std::vector<double> ticks() const {
    std::vector<double> all;
    const double first = std::ceil(low / step - 1e-6), last = std::floor(high / step + 1e-6);
    for (double i = first; i <= last && all.size() < 40; ++i) all.push_back(i * step);
    return all;
  }
};

/// An axis for a range of values with up to `count` steps between ticks; `margin` is the fraction of the range added at
/// each end.
Axis axis_of(Range range, double count, double margin) {
  if (range.empty()) range = {0.0, 1.0};
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  Axis axis;
  axis.exponent = readable_exponent(largest);
  const double power = power_of_ten(axis.exponent);
  axis.low = range.low / power;
  axis.high = range.high / power;
  const double size = largest / power, flat = 1e-11 * size;
  if (axis.high - axis.low <= flat) {  // one value, up to rounding
    const double half = size > 0.0 ? 0.1 * size : 1.0;
    axis.low -= half;
    axis.high += half;
  }
  const double span = axis.high - axis.low;
  axis.low -= margin * span;
  axis.high += margin * span;
  axis.step = round_up_to_step(span / count);
  axis.decimals = decimals_of_step(axis.step);
  return axis;
}

struct Pixel {
  double x, y;
};

double distance_to_segment(const Pixel& p, const Pixel& a, const Pixel& b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const double part = length2 > 0.0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0) : 0.0;
  const double x = p.x - a.x - part * dx, y = p.y - a.y - part * dy;
  return std::sqrt(x * x + y * y);
}

/// The points of a line that are needed to draw it to `kSameLine` (Douglas and Peucker).
std::vector<Pixel> simplified(std::span<const Pixel> points) {
  if (points.size() < 3) return {points.begin(), points.end()};
  std::vector<unsigned char> needed(points.size());
  needed.front() = needed.back() = 1;
  struct Part {
    std::size_t first, last;
  };
  std::vector<Part> parts{{0, points.size() - 1}};
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    double worst = kSameLine;
    std::size_t at = 0;
    for (std::size_t i = part.first + 1; i < part.last; ++i) {
      const double distance = distance_to_segment(points[i], points[part.first], points[part.last]);
      if (distance <= worst) continue;
      worst = distance;
      at = i;
    }
    if (at == 0) continue;
    needed[at] = 1;
    parts.push_back({part.first, at});
    parts.push_back({at, part.last});
  }
  std::vector<Pixel> result;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (needed[i] != 0) result.push_back(points[i]);
  return result;
}

/// The path commands of a line; an isolated point between gaps becomes a dot.
std::string path_of(const PlotLine& line, const Axis& x, const Axis& y) {
  std::string path;
  std::vector<Pixel> run;
  const auto draw = [&] {
    if (run.empty()) return;
    const std::vector<Pixel> points = simplified(run);
    for (std::size_t i = 0; i < points.size(); ++i)
      path += (i == 0 ? "M" : i == 1 ? "L" : " ") + pixels(points[i].x) + "," + pixels(points[i].y);
    if (points.size() == 1) path += "h0";
    run.clear();
  };
  for (const OutlinePoint& point : line.points) {
    if (!drawable(point.value) || !drawable(point.t)) {
      draw();
    } else {
      run.push_back({x.place(point.t), y.place(point.value)});
    }
  }
  draw();
  return path;
}

/// Moves labels so that they do not overlap and stay between `top` and `bottom`; `y` is sorted.
void spread(std::vector<double>& y, double top, double bottom) {
  double min_place = top;
  for (double& place : y) {
    place = std::max(place, min_place);
    min_place = place + kLabelHeight;
  }
  double max_place = bottom;
  for (std::size_t i = y.size(); i-- > 0;) {
    y[i] = std::min(y[i], max_place);
    max_place = y[i] - kLabelHeight;
  }
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view look, std::string_view words) {
  std::string out = "<text x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\"";
  if (anchor != "start") out += " text-anchor=\"" + std::string(anchor) + "\"";
  if (!look.empty()) out += " class=\"" + std::string(look) + "\"";
  return out + ">" + escaped(words) + "</text>\n";
}

std::string line_at(double x1, double y1, double x2, double y2, std::string_view look) {
  return "<path class=\"" + std::string(look) + "\" d=\"M" + pixels(x1) + "," + pixels(y1) + "L" + pixels(x2) + "," +
         pixels(y2) + "\"/>\n";
}

std::string name_of(const PlotLine& line) {
  return shortened(line.name, kLongestName);
}

/// "c2 d1": the colour and the dash style of line i.
std::string look_of_line(std::size_t i) {
  std::string look = "c" + std::to_string(i % kColours);
  if (i >= kColours) look += " d" + std::to_string(i / kColours);
  return look;
}

class PlotDrawing {
 public:
  explicit PlotDrawing(const Plot& plot) : plot_(plot) {}

  std::string draw() {
    measure();
    const std::string size = "width=\"" + std::to_string(plot_.width) + "\" height=\"" + pixels(height_) + "\"";
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " viewBox=\"0 0 " + std::to_string(plot_.width) + " " +
           pixels(height_) + "\" role=\"img\">\n<title>" + escaped(plot_.title) + "</title>\n" + kStyle;
    out_ += "<rect class=\"paper\" " + size + "/>\n";
    out_ += text_at(left_, 32, "start", "title", plot_.title);
    if (!plot_.subtitle.empty()) out_ += text_at(plot_.width - kRight, 32, "end", "quiet", plot_.subtitle);
    for (std::size_t i = 0; i < plot_.panels.size(); ++i)
      draw_panel(plot_.panels[i], y_[i], i + 1 == plot_.panels.size());
    return out_ + "</svg>\n";
  }

 private:
  /// Chooses the axes and positions of all panels.
  void measure() {
    Range time;
    std::size_t longest_name = 0, longest_tick = 3;
    double top = kTop;
    for (const PlotPanel& panel : plot_.panels) {
      Range values;
      for (std::size_t i = 0; i < panel.lines.size(); ++i) {
        if (i < kMaxNames) longest_name = std::max(longest_name, count_characters(name_of(panel.lines[i])));
        for (const OutlinePoint& point : panel.lines[i].points) {
          time.take(point.t);
          values.take(point.value);
        }
      }
      const double labels = static_cast<double>(std::min(panel.lines.size(), kMaxNames + 1)) * kLabelHeight;
      Axis axis = axis_of(values, 7.0, 0.05);
      axis.from = top + std::max(kPanelHeight, labels);
      axis.to = top;
      for (const double tick : axis.ticks())
        longest_tick = std::max(longest_tick, fixed_text(tick, axis.decimals).size());
      top = axis.from + kGap;
      y_.push_back(axis);
    }
    height_ = top - kGap + kBottom;
    left_ = 24.0 + kLetterWidth * static_cast<double>(longest_tick);
    x_ = axis_of(time, 12.0, 0.0);
    x_.from = left_;
    x_.to = plot_.width - kRight - kLabelGap - kLetterWidth * static_cast<double>(longest_name);
  }

  void draw_grid(const PlotPanel& panel, const Axis& y, bool lowest) {
    for (const double tick : x_.ticks()) {
      const double at = x_.place_of_tick(tick);
      out_ += line_at(at, y.from, at, y.to, "grid");
      if (lowest) out_ += text_at(at, y.from + 19, "middle", "quiet", tick_text(tick, x_.decimals));
    }
    for (const double tick : y.ticks()) {
      const double at = y.place_of_tick(tick);
      out_ += line_at(x_.from, at, x_.to, at, std::abs(tick) < 0.5 * y.step ? "zero" : "grid");
      out_ += text_at(left_ - 9, at + 4, "end", "quiet", tick_text(tick, y.decimals));
    }
    out_ += line_at(x_.from, y.from, x_.to, y.from, "axis");
    out_ += text_at(left_, y.to - 9, "start", "quiet", "[" + scaled_unit(panel.unit, y.exponent) + "]");
    if (!lowest) return;
    out_ +=
        text_at((x_.from + x_.to) / 2, y.from + 39, "middle", "quiet", "time [" + scaled_unit("s", x_.exponent) + "]");
  }

  void draw_panel(const PlotPanel& panel, const Axis& y, bool lowest) {
    draw_grid(panel, y, lowest);
    const std::size_t named = std::min(panel.lines.size(), kMaxNames);
    for (std::size_t i = panel.lines.size(); i-- > 0;) {  // the first is drawn on top
      const std::string look = i < named ? "line " + look_of_line(i) : "other";
      out_ += "<path class=\"" + look + "\" d=\"" + path_of(panel.lines[i], x_, y) + "\"><title>" +
              escaped(panel.lines[i].name) + "</title></path>\n";
    }
    draw_names(panel, y, named);
  }

  /// The names next to the ends of the lines, in the order of the ends.
  void draw_names(const PlotPanel& panel, const Axis& y, std::size_t named) {
    struct Name {
      double end;
      std::size_t line;
    };
    std::vector<Name> names;
    for (std::size_t i = 0; i < named; ++i) {
      double end = y.from;
      for (const OutlinePoint& point : panel.lines[i].points)
        if (drawable(point.value)) end = y.place(point.value);
      names.push_back({end, i});
    }
    std::stable_sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.end < b.end; });
    std::vector<double> places;
    for (const Name& name : names) places.push_back(name.end);
    const bool more = panel.lines.size() > named;
    spread(places, y.to + 4, y.from - 4 - (more ? kLabelHeight : 0.0));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string look = look_of_line(names[i].line);
      const double at = places[i], end = x_.to + kLabelGap;
      out_ += "<path class=\"lead " + look + "\" d=\"M" + pixels(x_.to + 3) + "," + pixels(names[i].end) + "L" +
              pixels(x_.to + 12) + "," + pixels(at) + "\"/>\n";
      out_ += line_at(x_.to + 13, at, end - 5, at, "line " + look);
      out_ += text_at(end, at + 4, "start", "", name_of(panel.lines[names[i].line]));
    }
    if (!more) return;
    out_ += text_at(x_.to + kLabelGap, y.from, "start", "quiet",
                    "and " + std::to_string(panel.lines.size() - named) + " more");
  }

  const Plot& plot_;
  Axis x_;
  std::vector<Axis> y_;  // of each panel
  double left_ = 0.0, height_ = 0.0;
  std::string out_;
};

}  // namespace

std::string svg_plot(const Plot& plot) {
  return PlotDrawing(plot).draw();
}

}  // namespace pintle
