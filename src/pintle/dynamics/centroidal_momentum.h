// The momentum of a mechanism as a whole, about its centre of mass or any point. Bodies welded to the world do not
// count; rotors (armature) carry inertia along their joint's own velocity and no momentum.
#pragma once

#include <span>

#include "pintle/dynamics/centroidal.h"

namespace pintle {

/// Momentum about the centre of mass, in world axes.
struct CentroidalMomentum {
  double mass;          ///< [kg] of the bodies that can move
  Vec3<> center;        ///< their centre of mass [m], in the world
  SymMat3<> inertia;    ///< [kg m^2] about it, as if all joints were locked
  Momentum<> momentum;  ///< p [kg m/s], L [kg m^2/s]
  Wrench<> rate;  ///< d/dt of it [N, N m], at the vdot of the last `kinematics`: all wrenches from outside, weight too
  Wrench<> bias;  ///< dA_G/dt v: the rate without any vdot
};

/// The momentum of all bodies at the state of the last `kinematics`. The precision of all but `center` does not depend
/// on the distance from the world's origin. UsageError when nothing that moves has mass; likewise below.
/// [eq. centroidal-momentum]
CentroidalMomentum centroidal_momentum(const Model& model, const KinematicsWorkspace& work,
                                       CentroidalWorkspace& scratch);

/// A_G, six rows of nv numbers, linear part first: momentum = A_G v, and its rate is A_G vdot + dA_G/dt v; about the
/// centre of mass, in world axes.  [eq. centroidal-momentum]
void centroidal_momentum_matrix(const Model& model, const KinematicsWorkspace& work, CentroidalWorkspace& scratch,
                                std::span<double> A_G);

/// The same momentum about a point [m] in the world: L + (c - point) x p.  [eq. transfer]
Momentum<> momentum_about(const CentroidalMomentum& whole, const Vec3<>& point);

}  // namespace pintle
