// Kinematics: where the links of a model are and how they move, and the Jacobian of any place on them.
#pragma once

#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/workspace.h"
#include "pintle/model/compiled/place.h"
#include "pintle/spatial/axes.h"

namespace pintle {

/// Memory and result of `kinematics`.
class KinematicsWorkspace {
 public:
  explicit KinematicsWorkspace(const Model& model);

  ModelSizes sizes;
  JointNumbers<> joints;
  Buffer<double> positions, velocities, accelerations;  ///< of all joints
  Buffer<double> efforts;                               ///< room for those of all joints
  Buffer<Pose<>> X_WL;                                  ///< pose of each link in the world
  Buffer<Twist<>> A;          ///< acceleration of each link as a twist (dV/dt of its numbers), in its own frame
  TreeMotionMemory<> motion;  ///< poses in the parent, columns and velocities
  RootMotion root;            ///< of the world's frame itself
};

/// Poses, velocities and accelerations of all links at (q, v, vdot), against the world or, when that moves itself as
/// `root` says, poses against the world and velocities and accelerations against the inertial frame. Sizes: q
/// model.nq(), the others model.nv(), else UsageError.  [eq. tree-velocity]
void kinematics(const Model& model, std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
                KinematicsWorkspace& work, const RootMotion& root = {});

/// X_WF of a place, after `kinematics`; likewise below.
Pose<> pose_of(const KinematicsWorkspace& work, const Place& place);

/// X_RF: the pose of a place as seen from a reference place. As good far from the world's origin as near it.
Pose<> relative_pose(const Model& model, const KinematicsWorkspace& work, const Place& place, const Place& reference);

/// The velocity of a place. In local_world_aligned axes `linear` is the velocity of its origin.
Twist<> velocity_of(const KinematicsWorkspace& work, const Place& place, Axes axes);

/// The acceleration of a place, without gravity. `linear` is the true acceleration of its origin (for
/// Axes::world the rate of the twist about the world's origin), `angular` the angular acceleration.
Twist<> acceleration_of(const KinematicsWorkspace& work, const Place& place, Axes axes);

/// J, six rows of nv numbers, linear part first: velocity_of(place) = J v. For models with couplings the columns are
/// those of the independent dofs. Its numbers do not depend on how far the place is from the world's origin, but
/// for Axes::world. [eq. jacobian]
void jacobian(const Model& model, const KinematicsWorkspace& work, const Place& place, Axes axes, std::span<double> J);

/// The branched one, six rows of nv numbers: the velocity of `place` as seen from `reference`, in the axes of `place`
/// (velocity_of(place) - velocity_of(reference) of the same moving frame). Only the joints between the two count: the
/// part of the branches that they share has no entries, not even rounding.  [eq. jacobian]
void relative_jacobian(const Model& model, const KinematicsWorkspace& work, const Place& place, const Place& reference,
                       Axes axes, std::span<double> J);

/// (dJ/dt) v of a place's Jacobian at the state of the last `kinematics`, whatever its vdot was; for a world at rest.
/// J vdot + this is acceleration_of(place); in local axes it is the plain rate of the numbers of velocity_of(place),
/// which lacks w x v.  [eq. jacobian-rate]
Twist<> jacobian_rate_times_v(const Model& model, const KinematicsWorkspace& work, const Place& place, Axes axes);

}  // namespace pintle
