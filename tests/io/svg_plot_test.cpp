#include "pintle/io/report/svg_plot.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "pintle/io/report/run_plots.h"

namespace pintle {
namespace {

const double kNaN = std::numeric_limits<double>::quiet_NaN();

PlotLine sine(const std::string& name, int count, double size) {
  PlotLine line{name, {}};
  for (int i = 0; i <= count; ++i) line.points.push_back({2.0 * i / count, size * std::sin(10.0 * i / count)});
  return line;
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// The commands of the first line of a class.
std::string path_of(const std::string& svg, const std::string& look) {
  const std::string start = "<path class=\"line " + look + "\" d=\"";
  const std::size_t at = svg.find(start) + start.size();
  REQUIRE(at >= start.size());
  return svg.substr(at, svg.find('"', at) - at);
}

std::vector<OutlinePoint> points_of(const std::string& path) {
  std::vector<double> numbers;
  const char* at = path.data();
  const char* const end = at + path.size();
  while (at < end) {
    double number = 0.0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error == std::errc()) numbers.push_back(number);
    at = error == std::errc() ? next : at + 1;
  }
  std::vector<OutlinePoint> points;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) points.push_back({numbers[i], numbers[i + 1]});
  return points;
}

TEST_CASE("a line is drawn within its panel, to a tenth of a pixel, with few points") {
  const PlotLine line = sine("elbow", 2000, 0.7);
  const std::string svg = svg_plot({.title = "Coordinates", .panels = {{"rad", {line}}}});
  const std::vector<OutlinePoint> drawn = points_of(path_of(svg, "c0"));
  CHECK(drawn.size() > 30);
  CHECK(drawn.size() < 150);
  double left = 1e9, right = 0.0, top = 1e9, bottom = 0.0;
  for (const OutlinePoint& p : drawn) {
    left = std::min(left, p.t);
    right = std::max(right, p.t);
    top = std::min(top, p.value);
    bottom = std::max(bottom, p.value);
  }
  CHECK(left > 30.0);
  CHECK(right < 960.0);
  CHECK(top > 60.0);
  CHECK(bottom < 300.0);
  // The places of the drawing against those of the numbers: between two drawn points the line is straight.
  double worst = 0.0;
  std::size_t k = 0;
  for (const OutlinePoint& p : line.points) {
    const double x = left + p.t / 2.0 * (right - left);
    const double y = bottom + (p.value / 0.7 + 1.0) / 2.0 * (top - bottom);
    while (k + 2 < drawn.size() && drawn[k + 1].t < x) ++k;
    const double part = (x - drawn[k].t) / (drawn[k + 1].t - drawn[k].t);
    worst = std::max(worst, std::abs(y - drawn[k].value - part * (drawn[k + 1].value - drawn[k].value)));
  }
  CHECK(worst < 0.6);  // 0.1 px off the line, which is steep; 0.3 was seen
  CHECK(svg.find(">elbow</text>") != std::string::npos);
  CHECK(svg.find(">[rad]</text>") != std::string::npos);
  CHECK(svg.find(">time [s]</text>") != std::string::npos);
  CHECK(svg.find(">−0.6</text>") != std::string::npos);
  CHECK(svg.find("prefers-color-scheme: dark") != std::string::npos);
}

TEST_CASE("numbers that are not finite, or too large, leave gaps and nothing else") {
  PlotLine line{"x", {{0.0, 1.0}, {1.0, 2.0}, {1.5, kNaN}, {2.0, 3.0}, {3.0, HUGE_VAL}, {4.0, 1.7e308}, {5.0, 2.0}}};
  const std::string svg = svg_plot({.title = "gaps", .panels = {{"m", {line, {"none", {}}}}}});
  CHECK(count_of(path_of(svg, "c0"), "M") == 3);
  for (const char* const word : {"nan", "inf", "e+"}) CHECK(svg.find(word) == std::string::npos);
}

TEST_CASE("axes hold whatever the numbers are") {
  const auto with = [](double a, double b) {
    return svg_plot({.title = "axis", .panels = {{"J", {{"x", {{0.0, a}, {1.0, b}}}}}}});
  };
  CHECK(with(-1e-13, 3e-13).find("[10⁻¹⁵ J]") != std::string::npos);
  CHECK(with(1e9, 3e9).find("[10⁹ J]") != std::string::npos);
  struct Case {
    double a, b;
  };
  for (const Case& c : {Case{0.0, 0.0}, Case{5.0, 5.0}, Case{5.0, 5.0 + 1e-15}, Case{-1e300, 1e300},
                        Case{1e-320, 2e-320}, Case{9.80665, 9.80665001}}) {
    const std::string svg = with(c.a, c.b);
    CAPTURE(c.a);
    CAPTURE(c.b);
    const int ticks = count_of(svg, "text-anchor=\"end\"");
    CHECK(ticks >= 2);
    CHECK(ticks <= 12);
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.size() < 8000);
  }
  CHECK(svg_plot({.title = "nothing", .panels = {}}).ends_with("</svg>\n"));
}

TEST_CASE("texts are escaped, and lines beyond the names are grey") {
  PlotPanel panel{"m", {}};
  for (int i = 0; i < 30; ++i) panel.lines.push_back(sine("a<b>&\"\x01\xff" + std::to_string(i), 10, i));
  const std::string svg = svg_plot({.title = "<&>", .subtitle = "s", .panels = {panel}});
  CHECK(svg.find("a&lt;b&gt;&amp;&quot; \ufffd0") != std::string::npos);
  CHECK(svg.find("<b>") == std::string::npos);
  CHECK(count_of(svg, "class=\"other\"") == 6);
  CHECK(svg.find(">and 6 more</text>") != std::string::npos);
  CHECK(count_of(svg, "c7 d2") == 3);  // line, lead and sample of the 24th
}

TEST_CASE("a run has a plot for each group that shows something, with a panel for each unit") {
  const std::vector<Column> columns{{"t", "s"},
                                    {"q.a", "rad"},
                                    {"q.b", "m"},
                                    {"v.a", "rad/s"},
                                    {"a.a", "rad/s^2"},
                                    {"tau.a", "N m"},
                                    {"energy.kinetic", "J"},
                                    {"energy.stored", "J"},
                                    {"energy.residual", "J"},
                                    {"momentum.px", "N s"},
                                    {"momentum.residual.p", "N s"},
                                    {"certificate", "1"},
                                    {"tip.x", "m"}};
  RecordingOutline outline;
  REQUIRE(outline.begin(columns).ok());
  for (int i = 0; i < 10; ++i) {
    std::vector<double> row(columns.size(), 0.1 * i);
    row[5] = row[7] = 0.0;
    REQUIRE(outline.row(row).ok());
  }
  const std::vector<PlotFile> files = run_plots(outline, "sample.toml");
  std::vector<std::string> names;
  for (const PlotFile& file : files) names.push_back(file.name);
  CHECK(names ==
        std::vector<std::string>{"coordinates.svg", "speeds.svg", "energies.svg", "energy_balance.svg", "sensors.svg"});
  CHECK(count_of(files[0].svg, "[rad]") == 1);
  CHECK(count_of(files[0].svg, "[m]") == 1);
  CHECK(files[0].svg.find(">sample.toml</text>") != std::string::npos);
  CHECK(files[2].svg.find(">stored</text>") == std::string::npos);
  CHECK(files[3].svg.find(">momentum.residual.p</text>") != std::string::npos);
}

}  // namespace
}  // namespace pintle
