// The kernels of this layer: one table of functions per instruction set (base/kernel_choice.h).
#pragma once

#include "pintle/dynamics/recursions/buffers.h"
#include "pintle/model/links/dof_branches.h"
#include "pintle/model/plan/plan.h"
#include "pintle/spatial/axes.h"

namespace pintle {

struct DynamicsKernels {
  void (*inverse_dynamics)(const LinkTree& tree, const double* q, const double* v, const double* vdot,
                           const Wrench<>* external, const InverseDynamicsBuffers<double>& work, double* tau);
  int (*forward_dynamics)(const LinkTree& tree, const double* q, const double* v, const double* tau,
                          const Wrench<>* external, const unsigned char* given,
                          const ForwardDynamicsBuffers<double>& work, double* vdot);
  int (*articulate)(const LinkTree& tree, const double* q, const unsigned char* given,
                    const ArticulatedBuffers<double>& work);
  void (*apply_mass_inverse)(const LinkTree& tree, const ArticulatedBuffers<double>& work, const double* tau,
                             const Wrench<>* external, const unsigned char* given, const unsigned char* needed,
                             const ResponseBuffers<double>& out, double* vdot);
  void (*mass_matrix_inverse)(const LinkTree& tree, const ArticulatedBuffers<double>& work,
                              const ResponseBuffers<double>& scratch, double* inverse);
  /// The same on a plan, with `memory` of mass_matrix_inverse_bytes at an address that is a multiple of 64. False when
  /// the inertia that a joint moves is nearly singular.
  bool (*planned_mass_matrix_inverse)(const PlanView<double>& plan, const double* q, std::byte* memory,
                                      double* inverse);
  std::size_t (*mass_matrix_inverse_bytes)(const PlanView<double>& plan);
  void (*mass_matrix)(const LinkTree& tree, const double* q, const MassMatrixBuffers<double>& work, double* M);
  void (*tree_motion)(const LinkTree& tree, const double* q, const double* v, const TreeMotion<double>& out);
  void (*kinematics)(const LinkTree& tree, const double* q, const double* v, const double* vdot,
                     const TreeMotion<double>& motion, Pose<>* X_WL, Twist<>* A);
  /// Likewise X_WL, and of `motion` only X_PL and V.
  void (*first_order_kinematics)(const LinkTree& tree, const double* q, const double* v,
                                 const TreeMotion<double>& motion, Pose<>* X_WL);
  /// Six rows of tree.nv entries; only the columns of the place's branch are written. With `memory` of jacobian_bytes,
  /// likewise.
  void (*jacobian)(const LinkTree& tree, const double* q, int link, const Pose<>& X_LF, Axes axes, std::byte* memory,
                   double* J);
  void (*jacobian_columns)(const LinkTree& tree, const double* q, std::byte* memory, double* J);
  std::size_t (*jacobian_bytes)(const LinkTree& tree);
  void (*centroidal_matrix)(const LinkTree& tree, const double* q, std::byte* memory, double* A_G, double& mass,
                            Vec3<>& center, SymMat3<>& inertia);
  std::size_t (*centroidal_bytes)(const LinkTree& tree);
  /// Two values: kinetic energy, and potential energy of the links' weights. With `memory` of energies_bytes, likewise.
  void (*energies)(const LinkTree& tree, const double* q, const double* v, std::byte* memory, double* energies);
  std::size_t (*energies_bytes)(const LinkTree& tree);
  /// With `memory` of coriolis_matrix_bytes at an address that is a multiple of 64.
  void (*coriolis_matrix)(const LinkTree& tree, const double* q, const double* v, std::byte* memory, double* C);
  std::size_t (*coriolis_matrix_bytes)(const LinkTree& tree);
  /// Returns the dof whose pivot is not positive, or -1.
  int (*factor_mass_matrix)(const DofBranches& branches, const double* M, double* L);
  void (*solve_mass_matrix)(const DofBranches& branches, const double* L, double* x);
};

/// The kernels of the instruction set in use.
const DynamicsKernels& dynamics_kernels_in_use();

}  // namespace pintle
