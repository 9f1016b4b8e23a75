// JointCoordinate: one dof of a joint as an element sees it, whether it is independent or follows a driver.
#pragma once

#include <span>

#include "pintle/model/compiled/model.h"

namespace pintle {

/// A dof of a joint and its source among the independent coordinates.
struct JointCoordinate {
  int joint = -1;
  int dof = 0;                       ///< its index within the joint
  CoordinateSource q{-1, 1.0, 0.0};  ///< its position; source -1: spherical and free joints have velocities only
  CoordinateSource v{-1, 1.0, 0.0};  ///< its speed

  bool has_position() const { return q.source >= 0; }
};

/// Dof `dof` (counted from 0) of a joint (its index in Model::joints); UsageError if there is none.
JointCoordinate joint_coordinate(const Model& model, int joint, int dof);

/// Its position [rad or m]; NaN where it has none.
double position(const JointCoordinate& coordinate, std::span<const double> q);

/// Its speed [rad/s or m/s].
double speed(const JointCoordinate& coordinate, std::span<const double> v);

/// Adds an effort [N m or N] on it to those on the independent dofs: on a follower it acts on the driver, times the
/// ratio.  [eq. coupling]
void add_effort(const JointCoordinate& coordinate, double effort, std::span<double> tau);

/// The driver of a joint that a coupling moves, -1 for others.
int driver_of(const Model& model, int joint);

}  // namespace pintle
