// A spring with a damper and a preload on a joint coordinate.
#pragma once

#include <string>

#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// On a dof with a scalar position, which may be a follower's: effort = preload - stiffness (q - rest) - damping qd.
struct JointSpringSpec {
  std::string name{};
  std::string joint{};
  int dof = 0;             ///< its index within the joint
  double stiffness = 0.0;  ///< k [N m/rad or N/m]
  double damping = 0.0;    ///< c [N m s/rad or N s/m]
  double rest = 0.0;       ///< [rad or m] where the effort of the spring is its preload
  double preload = 0.0;    ///< p [N m or N]
  Origin origin{};
};

/// The spring for a model. Its energy is k s^2/2 - p s with s = q - rest, its power that of the damper.
/// [eq. joint-spring]
Result<ForceElementPointer> make_joint_spring(const Model& model, const JointSpringSpec& spec);

}  // namespace pintle
