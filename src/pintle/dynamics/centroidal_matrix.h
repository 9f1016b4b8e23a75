// The centroidal momentum matrix straight from a configuration, for callers that need nothing else of the kinematics.
#pragma once

#include <span>

#include "pintle/dynamics/workspace.h"

namespace pintle {

/// Memory of the function below.
class CentroidalMatrixWorkspace {
 public:
  explicit CentroidalMatrixWorkspace(const Model& model);

  ModelSizes sizes;
  JointNumbers<> joints;
  Buffer<double> A_G;  ///< of all joints, for models with couplings
  AlignedMemory memory;
};

/// The bodies that can move, as if all joints were locked, in world axes.
struct LockedBodies {
  double mass;        ///< [kg]
  Vec3<> center;      ///< of mass [m], in the world
  SymMat3<> inertia;  ///< [kg m^2] about it
};

/// A_G at q, six rows of nv numbers, linear part first: the same as centroidal_momentum_matrix after `kinematics`
/// (centroidal_momentum.h), with the centre of mass it is about. UsageError when nothing that moves has mass or sizes
/// do not fit.  [eq. centroidal-momentum]
LockedBodies centroidal_momentum_matrix(const Model& model, std::span<const double> q, CentroidalMatrixWorkspace& work,
                                        std::span<double> A_G);

}  // namespace pintle
