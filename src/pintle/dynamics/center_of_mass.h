// Position and motion of the centre of mass of a mechanism. Bodies welded to the world do not count.
#pragma once

#include <span>

#include "pintle/dynamics/centroidal.h"

namespace pintle {

/// The mass [kg] of all bodies that are not welded to the world.
double moving_mass(const Model& model);

/// The centre of mass of the bodies that can move, in the world, in its axes.
struct CenterOfMass {
  double mass;          ///< [kg]
  Vec3<> position;      ///< c [m]
  Vec3<> velocity;      ///< dc/dt [m/s]
  Vec3<> acceleration;  ///< d^2c/dt^2 [m/s^2] at the vdot of the last `kinematics`; gravity for a body in free fall
  Vec3<> bias_acceleration;  ///< dJ/dt v [m/s^2]: the acceleration at vdot = 0
};

/// The centre of mass at the state of the last `kinematics`. The accuracy of all but `position` does not depend on the
/// distance from the world's origin. Throws UsageError when nothing that moves has mass; likewise below.
/// [eq. center-of-mass]
CenterOfMass center_of_mass(const Model& model, const KinematicsWorkspace& work, CentroidalWorkspace& scratch);

/// J, 3 x nv, row-major: velocity of the centre of mass = J v, in world axes.  [eq. center-of-mass]
void center_of_mass_jacobian(const Model& model, const KinematicsWorkspace& work, CentroidalWorkspace& scratch,
                             std::span<double> J);

}  // namespace pintle
