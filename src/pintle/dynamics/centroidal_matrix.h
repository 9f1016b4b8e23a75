// The centroidal momentum matrix directly from a configuration, without a call of `kinematics`.
#pragma once

#include <span>

#include "pintle/dynamics/workspace.h"

namespace pintle {

/// Memory of the function below.
class CentroidalMatrixWorkspace {
 public:
  explicit CentroidalMatrixWorkspace(const Model& model);

  ModelSizes sizes;
  JointArrays<> joints;
  Buffer<double> A_G;  ///< of all joints, for models with couplings
  AlignedMemory memory;
};

/// All moving bodies as one rigid body with all joints locked, in world axes.
struct LockedBodies {
  double mass;        ///< [kg]
  Vec3<> center;      ///< of mass [m], in the world
  SymMat3<> inertia;  ///< [kg m^2] about it
};

/// A_G at q, 6 x nv, row-major, linear part first: the same as centroidal_momentum_matrix after `kinematics`
/// (centroidal_momentum.h). Returns the centre of mass that it refers to. Throws UsageError when no moving body has
/// mass, or on a size mismatch.  [eq. centroidal-momentum]
LockedBodies centroidal_momentum_matrix(const Model& model, std::span<const double> q, CentroidalMatrixWorkspace& work,
                                        std::span<double> A_G);

}  // namespace pintle
