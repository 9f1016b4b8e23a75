// PrescribedMotion: a joint coordinate whose motion is prescribed: its position, its velocity or its acceleration. It
// is not a force: hybrid dynamics finds the effort that it needs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/model/compiled/model.h"
#include "pintle/simulation/elements/command.h"

namespace pintle {

/// What is prescribed of a coordinate.
enum class MotionKind : unsigned char { position, velocity, acceleration };

/// "position", "velocity" or "acceleration".
const char* name(MotionKind kind);

struct PrescribedMotionSpec {
  std::string name{};
  std::string joint{};
  int dof = 0;  ///< its index within the joint
  MotionKind kind = MotionKind::position;
  Drive drive{};           ///< the position [rad or m] or the velocity [rad/s or m/s]
  Command acceleration{};  ///< [rad/s^2 or m/s^2], for that kind; may depend on t, q and qd
  Origin origin{};
};

/// A motion of one independent dof of a model.
struct PrescribedMotion {
  std::string name{};
  int joint = -1;  ///< Model::joints
  int dof = -1;    ///< its index among the independent dofs
  int q = -1;      ///< its index in a configuration, -1 for dofs of spherical and free joints
  MotionKind kind = MotionKind::position;
  Drive drive{};
  Command acceleration{};
};

/// Position, velocity and acceleration of a coordinate.
struct CoordinateMotion {
  double q = 0.0, v = 0.0, vdot = 0.0;
};

/// The prescribed motion at time t [s]. What is not prescribed (the position if the velocity is, both if the
/// acceleration is) is taken from the arguments q and v. NaN where the drive or the formula has no value. Allocates
/// nothing. [eq. prescribed-motion]
CoordinateMotion evaluate(const PrescribedMotion& motion, double t, double q, double v);

/// Checks all motions of a run from t0 to t1 [s] and finds their indices in the model. Refused, each with its cause:
/// joints and dofs that do not exist, positions of spherical and free joints, joints that a coupling drives, two
/// motions of one dof, drives that are not continuously differentiable on [t0, t1] (`check_smooth`), accelerations that
/// depend on a position where the dof has none. Throws UsageError unless t0 <= t1 and both are finite.
Result<std::vector<PrescribedMotion>> prescribed_motions(const Model& model,
                                                         std::span<const PrescribedMotionSpec> specs, double t0,
                                                         double t1);

}  // namespace pintle
