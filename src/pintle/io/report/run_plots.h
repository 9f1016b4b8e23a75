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

/// One plot for each group of columns that has something to show, with a panel for each unit: coordinates, speeds,
/// efforts, energies, work, energy balance (what nobody explains, and the certificates) and sensors. `scene` is named
/// in each.
std::vector<PlotFile> run_plots(const RecordingOutline& outline, std::string_view scene);

}  // namespace pintle
