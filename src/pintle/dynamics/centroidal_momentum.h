// The momentum of a mechanism as a whole, about its centre of mass or any point. Bodies welded to the world do not
// count. Rotors (armature) have inertia along their joint's own velocity, but no momentum.
#pragma once

#include <span>

#include "pintle/dynamics/centroidal.h"

namespace pintle {

/// Momentum about the centre of mass, in world axes.
struct CentroidalMomentum {
  double mass;          ///< [kg] of the moving bodies
  Vec3<> center;        ///< their centre of mass [m], in the world
  SymMat3<> inertia;    ///< [kg m^2] about it, with all joints locked
  Momentum<> momentum;  ///< p [kg m/s], L [kg m^2/s]
  Wrench<> rate;  ///< d/dt of it [N, N m], at the vdot of the last `kinematics`: all external wrenches, weight included
  Wrench<> bias;  ///< dA_G/dt v: the rate at vdot = 0
};

/// The momentum of all bodies at the state of the last `kinematics`. The accuracy of all but `center` does not depend
/// on the distance from the world's origin. Throws UsageError when no moving body has mass; likewise below.
/// [eq. centroidal-momentum]
CentroidalMomentum centroidal_momentum(const Model& model, const KinematicsWorkspace& work,
                                       CentroidalWorkspace& scratch);

/// A_G, 6 x nv, row-major, linear part first: momentum = A_G v, and its time derivative is A_G vdot + dA_G/dt v; about
/// the centre of mass, in world axes.  [eq. centroidal-momentum]
void centroidal_momentum_matrix(const Model& model, const KinematicsWorkspace& work, CentroidalWorkspace& scratch,
                                std::span<double> A_G);

/// The same momentum about a point [m] in the world: L + (c - point) x p.  [eq. transfer]
Momentum<> momentum_about(const CentroidalMomentum& whole, const Vec3<>& point);

}  // namespace pintle
