// Kinematics: poses, velocities and accelerations of the links, and the Jacobian of any place on them.
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
  JointArrays<> joints;
  Buffer<double> positions, velocities, accelerations;  ///< of all joints
  Buffer<double> efforts;                               ///< scratch: those of all joints
  Buffer<Pose<>> X_WL;                                  ///< pose of each link in the world
  Buffer<Twist<>> A;          ///< acceleration of each link as a twist (dV/dt of its components), in its own frame
  TreeMotionMemory<> motion;  ///< poses in the parent, columns and velocities
  RootMotion root;            ///< of the world's frame itself
};

/// Poses, velocities and accelerations of all links at (q, v, vdot), relative to the world. If the world itself moves
/// (`root`), poses are relative to the world, velocities and accelerations to the inertial frame. Sizes: q model.nq(),
/// the others model.nv(), else UsageError.  [eq. tree-velocity]
void kinematics(const Model& model, std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
                KinematicsWorkspace& work, const RootMotion& root = {});

/// Poses and velocities alone, in a world at rest: what pose_of, relative_pose and velocity_of read. Accelerations and
/// columns stay as they were.  [eq. tree-velocity]
void first_order_kinematics(const Model& model, std::span<const double> q, std::span<const double> v,
                            KinematicsWorkspace& work);

/// X_WF of a place, after `kinematics`; likewise below.
Pose<> pose_of(const KinematicsWorkspace& work, const Place& place);

/// X_RF: the pose of a place relative to a reference place. Its accuracy does not depend on the distance from the
/// world's origin.
Pose<> relative_pose(const Model& model, const KinematicsWorkspace& work, const Place& place, const Place& reference);

/// The velocity of a place. In local_world_aligned axes `linear` is the velocity of its origin.
Twist<> velocity_of(const KinematicsWorkspace& work, const Place& place, Axes axes);

/// The acceleration of a place, not including gravity. `linear` is the true acceleration of its origin (for Axes::world
/// the time derivative of the twist about the world's origin), `angular` the angular acceleration.
Twist<> acceleration_of(const KinematicsWorkspace& work, const Place& place, Axes axes);

/// J, 6 x nv, row-major, linear part first: velocity_of(place) = J v. For models with couplings the columns are those
/// of the independent dofs. Except for Axes::world, its accuracy does not depend on the distance from the world's
/// origin. [eq. jacobian]
void jacobian(const Model& model, const KinematicsWorkspace& work, const Place& place, Axes axes, std::span<double> J);

/// The relative Jacobian, 6 x nv, row-major: it gives the velocity of `place` relative to `reference`, in the axes of
/// `place` (velocity_of(place) - velocity_of(reference) of the same moving frame). Only the joints between the two
/// contribute: those that carry both have exactly zero columns.  [eq. jacobian]
void relative_jacobian(const Model& model, const KinematicsWorkspace& work, const Place& place, const Place& reference,
                       Axes axes, std::span<double> J);

/// (dJ/dt) v of a place's Jacobian at the state of the last `kinematics`, whatever its vdot was; for a world at rest. J
/// vdot + this is acceleration_of(place); in local axes it is the component-wise time derivative of velocity_of(place),
/// which lacks w x v.  [eq. jacobian-rate]
Twist<> jacobian_rate_times_v(const Model& model, const KinematicsWorkspace& work, const Place& place, Axes axes);

}  // namespace pintle
