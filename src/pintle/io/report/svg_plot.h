// Plots of lines over time as SVG files, without any other library.
#pragma once

#include <string>
#include <vector>

#include "pintle/io/recording/recording_outline.h"

namespace pintle {

struct PlotLine {
  std::string name;
  std::vector<OutlinePoint> points;  ///< in the order of time
};

/// Lines that share an axis.
struct PlotPanel {
  std::string unit;
  std::vector<PlotLine> lines;
};

/// Panels above each other with one axis of time.
struct Plot {
  std::string title;
  std::string subtitle{};  ///< to the right of the title
  std::vector<PlotPanel> panels;
  int width = 960;  ///< [px]
};

/// The plot as the text of an SVG file: round ticks, units, names at the ends of their lines, colours that colour-blind
/// people can tell apart, light or dark as the reader's screen is. Lines are drawn to a tenth of a pixel, with gaps
/// where numbers are not finite; a panel shows up to 24 lines by name and more in grey.
std::string svg_plot(const Plot& plot);

}  // namespace pintle
