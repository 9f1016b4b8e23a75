// The plots of a run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pintle/io/recording/recording_outline.h"

namespace pintle {

struct PlotFile {
  std::string name;  ///< "coordinates.svg"
  std::string svg;
};

/// One plot for each group of columns that has data, with a panel for each unit: coordinates, speeds, efforts,
/// energies, work, energy balance (residuals and certificates) and sensors. Each plot names `scene`.
std::vector<PlotFile> run_plots(const RecordingOutline& outline, std::string_view scene);

}  // namespace pintle
