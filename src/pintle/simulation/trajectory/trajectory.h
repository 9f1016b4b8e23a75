// Trajectory: a prescribed motion, from a table of times and joint coordinates to samples of (q, v, vdot).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/model/compiled/model.h"
#include "pintle/simulation/elements/cubic_spline.h"

namespace pintle {

/// One row of a table.
struct TrajectoryRow {
  double time = 0.0;  ///< [s]
  std::vector<double> values{};
  int line = 0;  ///< its line in the table's file, for errors; 0 if unknown
};

/// The values in the rows of a table.
enum class TrajectoryContent : unsigned char {
  positions,  ///< the positions of the joints; velocities and accelerations are those of a spline through them
  states,     ///< the positions of all joints, then their velocities, then their accelerations
};

/// A motion by rows. The coordinates of a joint are in the order of docs/joints.md, the joints in that of `joints`;
/// joints that are not among them do not move.
struct TrajectoryTable {
  std::vector<std::string> joints{};
  TrajectoryContent content = TrajectoryContent::positions;
  std::vector<TrajectoryRow> rows{};
  /// Of the splines: `clamped` starts and ends at rest.
  SplineEnds ends = SplineEnds::natural;
  Origin origin{};
};

/// How a table becomes samples.
struct SamplingOptions {
  /// The configuration of the joints that the table does not name, model.nq() values; empty: neutral.
  std::span<const double> rest{};
  /// For positions: samples from each row to the next. For states there are only their rows.
  int per_row = 10;
  /// For positions, if not zero: at least so many samples per second at equal distances, instead of `per_row`.
  double rate = 0.0;
};

/// Samples of a motion, in the independent coordinates of a model: row after row.
struct Trajectory {
  std::vector<double> times{};  ///< [s]
  std::vector<double> q{};      ///< model.nq() values for each time
  std::vector<double> v{};      ///< model.nv() values for each time, likewise vdot
  std::vector<double> vdot{};
};

/// The samples of a table. The splines through positions are twice continuously differentiable, so velocities are
/// smooth and accelerations continuous; spherical and free joints, whose positions are not scalars, need states.
/// Quaternions are normalised. A failure lists every problem of the table: joints that are unknown (with the nearest
/// name), fixed, coupled or named twice, rows of the wrong length, times that do not increase, values that are not
/// finite, each with its line.  [eq. spline]
Result<Trajectory> sample_trajectory(const Model& model, const TrajectoryTable& table,
                                     const SamplingOptions& options = {});

}  // namespace pintle
