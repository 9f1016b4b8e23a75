// The summary of a run in a terminal.
#pragma once

#include <string>

#include "pintle/io/recording/run_checks.h"
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

/// The checks that are not ok, or that all are: in green, yellow or red, on as many lines as the width needs.
std::string checks_text(const RunChecks& checks, const Colors& colors, int width);

/// The same on stderr, if some failed: for output that shows no summary.
void report_failed_checks(const RunChecks& checks);

/// Header, table, sparklines, events, energy balance, certificate and checks, files written, suggested next commands:
/// lines that fit the width.
std::string picture_text(const RunPicture& run, const Colors& colors, int width);

}  // namespace pintle::cli
