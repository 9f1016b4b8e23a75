// Text plots of a run for a terminal: UTF-8 whose lines fit a width, without colours or control characters.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/io/recording/recording_outline.h"
#include "pintle/io/recording/run_checks.h"
#include "pintle/simulation/run/simulation.h"

namespace pintle {

/// Sparklines of columns, a line for each: its name, its time history, its minimum and maximum with the unit.
std::string sparkline_lines(const RecordingOutline& outline, std::span<const std::size_t> columns, int width);

/// The most informative columns: up to `most` of the scene's named scalar sensors and of the coordinates that change,
/// quaternions excluded; if there are none, all coordinates. Then the kinetic and the total energy.
std::vector<std::size_t> main_columns(const RecordingOutline& outline, std::size_t max_columns = 6);

struct RecordingTable {
  std::string text;
  std::size_t columns_left_out = 0;  ///< that did not fit
};

/// A table of 12 to 36 rows (all, if there are fewer) at round times, with the last row, and of as many columns as fit:
/// the time, then the requested columns. A column has a line for its name and one for its unit, and all its values have
/// the same number of decimals.
RecordingTable recording_table(const RecordingOutline& outline, std::span<const std::size_t> columns, int width);

/// The accuracy of a run.
struct RunQuality {
  bool energy_balance = false;                  ///< whether the following are known
  double energy_start = 0.0, energy_end = 0.0;  ///< [J]
  double work = 0.0;                            ///< [J] total of all accounts
  double residual = 0.0;                        ///< [J]
  double residual_relative = 0.0;
  double momentum_relative = 0.0;  ///< the worse of the linear and the angular momentum
  bool certificate = false;        ///< whether the following are known
  double worst = 0.0;
  double worst_time = 0.0;    ///< [s]
  std::string worst_where{};  ///< "the forces on 'nut'"
  bool contacts = false;      ///< whether contact is possible and the following are known
  double contact_worst = 0.0;
  double contact_time = 0.0;      ///< [s]
  std::string contact_where{};    ///< "the impact of 'ball' and 'world'"
  double time_stepped = 0.0;      ///< [s] ContactRecord; likewise:
  std::int64_t time_stepping_spans = 0;
  double time_stepping_from = 0.0;  ///< [s]
  double penetration = 0.0;         ///< [m]
};

RunQuality run_quality(Simulation& simulation);

/// The energy balance, the certificate and the contacts, each on as many lines as the width needs.
std::string quality_lines(const RunQuality& quality, int width, const UnitSystem& units = {});

/// A check that is not ok, on as many lines as the width needs.
struct CheckLine {
  CheckVerdict verdict = CheckVerdict::ok;
  std::string text{};
};

/// Failures, then warnings; one line that all checks are ok if there are none.
std::vector<CheckLine> check_lines(const RunChecks& checks, int width);

}  // namespace pintle
