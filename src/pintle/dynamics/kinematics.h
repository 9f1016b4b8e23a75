// Kinematics: where the links of a model are and how they move, and the Jacobian of any place on them.
#pragma once

#include <span>
#include <vector>

#include "pintle/dynamics/workspace.h"
#include "pintle/model/place.h"

namespace pintle {

/// In which axes, and about which point, a motion or a Jacobian is given.
enum class Axes : unsigned char {
  local,                ///< the place's own axes, its own origin
  world,                ///< the world's axes, the world's origin
  local_world_aligned,  ///< the world's axes, the place's own origin
};

/// Memory and result of `kinematics`.
class KinematicsWorkspace {
 public:
  explicit KinematicsWorkspace(const Model& model);

  JointNumbers<> joints;
  std::vector<double> velocities;  ///< of all joints
  std::vector<Pose<>> X_WL;        ///< pose of each link in the world
  std::vector<Twist<>> A;          ///< acceleration of each link as a twist (dV/dt of its numbers), in its own frame
  TreeMotionMemory<> motion;       ///< poses in the parent, columns and velocities
};

/// Poses, velocities and accelerations of all links at (q, v, vdot). Sizes: q model.nq(), the others model.nv(), else
/// UsageError.  [eq. tree-velocity]
void kinematics(const Model& model, std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
                KinematicsWorkspace& work);

/// X_WF of a place, after `kinematics`; likewise below.
Pose<> pose_of(const KinematicsWorkspace& work, const Place& place);

/// The velocity of a place against the world. In local_world_aligned axes `linear` is the velocity of its origin.
Twist<> velocity_of(KinematicsWorkspace& work, const Place& place, Axes axes);

/// The acceleration of a place against the world, without gravity. `linear` is the true acceleration of its origin (for
/// Axes::world the rate of the twist about the world's origin), `angular` the angular acceleration.
Twist<> acceleration_of(KinematicsWorkspace& work, const Place& place, Axes axes);

/// J, six rows of nv numbers, linear part first: velocity_of(place) = J v. For models with couplings the columns are
/// those of the independent freedoms. Its numbers do not depend on how far the place is from the world's origin, but
/// for Axes::world. [eq. jacobian]
void jacobian(const Model& model, KinematicsWorkspace& work, const Place& place, Axes axes, std::span<double> J);

}  // namespace pintle
