// What a run looks like in a terminal.
#pragma once

#include <string>

#include "pintle/run/run_recorder.h"
#include "pintle/simulation/run/simulation.h"
#include "terminal_style.h"

namespace pintle::cli {

/// What is shown of a run.
struct RunPicture {
  Simulation& simulation;
  const RunReport& report;
  const RunRecorder& recorder;
  std::string scene;       ///< as the user named it
  std::string folder;      ///< of its results; empty: none
  double wall_time = 0.0;  ///< [s]
};

/// Header, table, sparklines, events, energy balance and certificate, what was written, what to try next: lines that
/// fit the width.
std::string picture_text(const RunPicture& run, const Colors& colors, int width);

}  // namespace pintle::cli
