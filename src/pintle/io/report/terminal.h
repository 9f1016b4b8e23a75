// Pictures of a run for a terminal: texts in UTF-8 whose lines fit a width, without colours or control characters.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/io/recording/recording_outline.h"
#include "pintle/simulation/run/simulation.h"

namespace pintle {

/// Numbers as a line of blocks, "▁▂▄▇█▆▃▁", of `width` characters. Each shows, of its part of the numbers, the one that
/// is farthest from their mean, so that no peak is lost; a part without finite numbers is a space, and numbers that are
/// all the same, but for rounding, make a line in the middle.
std::string sparkline(std::span<const double> values, int width);

/// Sparklines of columns, a line for each: its name, its course, its lowest and highest number with the unit.
std::string sparkline_lines(const RecordingOutline& outline, std::span<const std::size_t> columns, int width);

/// The columns to look at first: up to `most` of what the scene measures as single numbers under a name of its own and
/// of the coordinates that change, quaternions aside; where there are none, all coordinates. Then the kinetic and the
/// total energy.
std::vector<std::size_t> main_columns(const RecordingOutline& outline, std::size_t most = 6);

struct RecordingTable {
  std::string text;
  std::size_t columns_left_out = 0;  ///< that did not fit
};

/// A table of 12 to 36 rows (all, where there are fewer) at round times, with the last row, and of as many columns as
/// fit: the time, the columns asked for. A column has a line for its name and one for its unit, and all its numbers
/// have as many decimals.
RecordingTable recording_table(const RecordingOutline& outline, std::span<const std::size_t> columns, int width);

/// How good a run is, in a few numbers.
struct RunQuality {
  bool energy_balance = false;                  ///< are the following known?
  double energy_start = 0.0, energy_end = 0.0;  ///< [J]
  double work = 0.0;                            ///< [J] of all accounts
  double residual = 0.0;                        ///< [J]
  double residual_relative = 0.0;
  double momentum_relative = 0.0;  ///< of the linear and the angular one, the worse
  bool certificate = false;        ///< are the following known?
  double worst = 0.0;
  double worst_time = 0.0;    ///< [s]
  std::string worst_where{};  ///< "the forces on 'nut'"
  bool contacts = false;      ///< can something touch, and are the following known?
  double contact_worst = 0.0;
  double contact_time = 0.0;      ///< [s]
  std::string contact_where{};    ///< "the impact of 'ball' and 'world'"
  std::int64_t energy_gains = 0;  ///< impacts that gained energy
  double time_stepped = 0.0;      ///< [s] ContactRecord
};

RunQuality run_quality(Simulation& simulation);

/// The energy balance and the certificate, a line for each; what does not fit the width is left out from the right.
std::string quality_lines(const RunQuality& quality, int width);

}  // namespace pintle
