// The summary of a run in a terminal.
#pragma once

#include <string>

#include "pintle/run/run_recorder.h"
#include "pintle/simulation/run/simulation.h"
#include "terminal_style.h"

namespace pintle::cli {

/// The data of the summary.
struct RunPicture {
  Simulation& simulation;
  const RunReport& report;
  const RunRecorder& recorder;
  std::string scene;       ///< as the user named it
  std::string folder;      ///< of its results; empty: none
  double wall_time = 0.0;  ///< [s]
};

/// Header, table, sparklines, events, energy balance and certificate, files written, suggested next commands: lines
/// that fit the width.
std::string picture_text(const RunPicture& run, const Colors& colors, int width);

}  // namespace pintle::cli
