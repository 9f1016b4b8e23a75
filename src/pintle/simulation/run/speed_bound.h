// SpeedBound: how much velocities may change within a fixed step while contacts are active.
//
//   |v_end - v|_M <= 8 h (|vdot|_M + sqrt(m) g) + 1e-6 |v|_M,   |x|_M^2 = x'M x
//
// Friction can press a contact together as fast as its normal force opens it (Painleve); on the way there forces grow
// beyond all bounds. A step with a stage on the other side of such a pole has an end that means nothing, and no error
// estimate that would tell.
#pragma once

#include <span>
#include <vector>

#include "pintle/dynamics/kinematics.h"
#include "pintle/simulation/run/scene_motion.h"

namespace pintle {

class SpeedBound {
 public:
  explicit SpeedBound(const SceneMotion& motion);

  /// Before a step from the present state, with its accelerations.
  void begin(std::span<const double> vdot);
  /// Whether the end of the step is within the bound.  [eq. speed-bound]
  bool allows(const MotionState& end);

 private:
  double size(std::span<const double> v);

  const SceneMotion& motion_;
  KinematicsWorkspace places_;
  std::vector<double> zero_, change_;
  double weight_ = 0.0;  // sqrt(m) g
  double acceleration_ = 0.0, speed_ = 0.0;
};

}  // namespace pintle
