#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results.h"

namespace peers {
namespace {

constexpr Function kPanels[] = {Function::forward, Function::inverse, Function::mass};
constexpr const char* kPanelTitles[] = {"forward dynamics", "inverse dynamics", "mass matrix"};
constexpr const char* kColors[] = {"#0b6e4f", "#c8553d", "#28589c", "#8a5a9e", "#7a7a7a"};
constexpr double kWidth = 260, kHeight = 240, kLeft = 60, kTop = 50, kGap = 70;

/// A logarithmic axis over whole decades.
struct Axis {
  double low, high;  // powers of ten
  double from, to;   // on the page
  double at(double x) const { return from + (std::log10(x) - low) / (high - low) * (to - from); }
};

struct Point {
  double n, ns;
};

std::vector<Point> points_of(const Results& results, Function function, const std::string& engine) {
  std::vector<Point> points;
  for (const Task& task : results.tasks) {
    if (task.function != function || task.mechanism.rfind("chain", 0) != 0) continue;
    if (const Timing* const best = best_of(results, task, engine))
      points.push_back({static_cast<double>(task.nv), best->ns});
  }
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.n < b.n; });
  return points;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, text);
}

std::string grid(const Axis& x, const Axis& y) {
  std::string svg;
  for (int decade = static_cast<int>(x.low); decade <= static_cast<int>(x.high); ++decade) {
    const double at = x.at(std::pow(10.0, decade));
    svg += fmt::format("<path d=\"M{:.1f},{:.1f}V{:.1f}\" stroke=\"#ddd\"/>\n", at, y.from, y.to);
    svg += text_at(at, y.from + 16, "middle", fmt::format("{:.0f}", std::pow(10.0, decade)));
  }
  constexpr const char* times[] = {"1 ns",   "10 ns", "100 ns", "1 us",   "10 us",
                                   "100 us", "1 ms",  "10 ms",  "100 ms", "1 s"};
  for (int decade = static_cast<int>(y.low); decade <= static_cast<int>(y.high); ++decade) {
    const double at = y.at(std::pow(10.0, decade));
    svg += fmt::format("<path d=\"M{:.1f},{:.1f}H{:.1f}\" stroke=\"#ddd\"/>\n", x.from, at, x.to);
    svg += text_at(x.from - 6, at + 4, "end", times[std::clamp(decade, 0, 9)]);
  }
  return svg;
}

std::string curve(const std::vector<Point>& points, const Axis& x, const Axis& y, const char* color) {
  std::string line, dots;
  for (const Point& p : points) {
    line += fmt::format("{}{:.1f},{:.1f}", line.empty() ? "M" : "L", x.at(p.n), y.at(p.ns));
    dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x.at(p.n), y.at(p.ns), color);
  }
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n{}", line, color, dots);
}

}  // namespace

std::string as_svg(const Results& results) {
  const std::vector<std::string> engines = engines_of(results);
  double most = 100, least = 100;
  for (const Function function : kPanels) {
    for (const std::string& engine : engines) {
      for (const Point& p : points_of(results, function, engine)) {
        most = std::max(most, p.ns);
        least = std::min(least, p.ns);
      }
    }
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kLeft + 3 * (kWidth + kGap), kTop + kHeight + 50);
  for (std::size_t e = 0; e < engines.size(); ++e)
    svg += fmt::format("<text x=\"{:.0f}\" y=\"18\" font-weight=\"bold\" fill=\"{}\">{}</text>\n",
                       kLeft + 110 * static_cast<double>(e), kColors[e % std::size(kColors)], engines[e]);
  for (std::size_t panel = 0; panel < std::size(kPanels); ++panel) {
    const double left = kLeft + static_cast<double>(panel) * (kWidth + kGap);
    const Axis x{0, 3, left, left + kWidth};
    const Axis y{std::floor(std::log10(least)), std::ceil(std::log10(most)), kTop + kHeight, kTop};
    svg += grid(x, y);
    svg += text_at(left + kWidth / 2, kTop - 8, "middle", kPanelTitles[panel]);
    svg += text_at(left + kWidth / 2, kTop + kHeight + 34, "middle", "joints of a chain");
    for (std::size_t e = 0; e < engines.size(); ++e)
      svg += curve(points_of(results, kPanels[panel], engines[e]), x, y, kColors[e % std::size(kColors)]);
  }
  return svg + "</svg>\n";
}

}  // namespace peers
