// The Coriolis matrix C(q, v) and the time derivative of the mass matrix.
#pragma once

#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// Bytes of memory that the kernel of coriolis_matrix needs.
std::size_t coriolis_matrix_bytes(const Model& model);

/// Memory of coriolis_matrix, and of the plain recursion for any T.
template <class T = double>
class CoriolisMatrixWorkspace {
 public:
  explicit CoriolisMatrixWorkspace(const Model& model)
      : sizes(model),
        joints(model),
        C(model.has_couplings() ? model.dofs().size() * model.dofs().size() : 0),
        memory(std::is_same_v<T, double> ? coriolis_matrix_bytes(model) : 0),
        motion_(model),
        S_rate_(model.dofs().size()),
        I_C_(model.links().size()),
        B_C_(model.links().size()) {}

  CoriolisMatrixBuffers<T> view() { return {motion_.view(), S_rate_.data(), I_C_.data(), B_C_.data()}; }

  ModelSizes sizes;
  JointArrays<T> joints;
  Buffer<T> C;           ///< of all joints, for models with couplings
  AlignedMemory memory;  ///< of the kernel

 private:
  TreeMotionMemory<T> motion_;
  Buffer<Twist<T>> S_rate_;
  Buffer<SpatialInertia<T>> I_C_;
  Buffer<CoriolisOperator<T>> B_C_;
};

/// C(q, v) of the independent dofs, nv x nv, row-major: C_kj is the component along velocity k of the covariant
/// derivative of the unit motion j while the bodies move with v. Of all matrices with C v + g = h it is the one that
/// the kinetic energy of the bodies defines (its Levi-Civita connection), for any choice of velocities, also those of
/// spherical and free joints, whose mass matrix may be constant while C is not zero. dM/dt = C + C', so dM/dt - 2 C is
/// skew. Linear in v and in the inertias. A rotor (armature) adds to M along its joint's own velocities and nothing to
/// C, as in inverse dynamics. Sizes: q model.nq(), v model.nv(), C nv^2, else UsageError.  [eq. coriolis-matrix]
void coriolis_matrix(const Model& model, std::span<const double> q, std::span<const double> v,
                     CoriolisMatrixWorkspace<>& work, std::span<double> C);

/// dM/dt = C + C' at (q, v): the time derivative of mass_matrix while the mechanism moves with v, bitwise symmetric.
/// [eq. mass-matrix-rate]
void mass_matrix_rate(const Model& model, std::span<const double> q, std::span<const double> v,
                      CoriolisMatrixWorkspace<>& work, std::span<double> M_rate);

}  // namespace pintle
