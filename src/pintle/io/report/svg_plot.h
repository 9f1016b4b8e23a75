// Line plots over time as SVG files, without any other library.
#pragma once

#include <string>
#include <vector>

#include "pintle/io/recording/recording_outline.h"

namespace pintle {

struct PlotLine {
  std::string name;
  std::vector<OutlinePoint> points;  ///< in time order
};

/// Lines that share an axis.
struct PlotPanel {
  std::string unit;
  std::vector<PlotLine> lines;
};

/// Stacked panels with a common time axis.
struct Plot {
  std::string title;
  std::string subtitle{};  ///< to the right of the title
  std::vector<PlotPanel> panels;
  int width = 960;  ///< [px]
};

/// The plot as the text of an SVG file: round ticks, units, names at the ends of their lines, colours that are
/// distinguishable to colour-blind readers, light or dark as the reader's screen is. Lines are drawn to a tenth of a
/// pixel, with gaps where values are not finite; a panel shows up to 24 lines by name and more in grey.
std::string svg_plot(const Plot& plot);

}  // namespace pintle
