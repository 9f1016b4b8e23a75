// M^-1 and the factors of M on packs of states: one table of functions per instruction set. The templates are those of
// one state (planned_mass_inverse_impl.h, mass_matrix_factor_impl.h), so each lane is bitwise equal to them. Arrays as
// in planned_kernels.h.
#pragma once

#include <cstddef>

#include "pintle/model/links/dof_branches.h"
#include "pintle/model/plan/plan.h"

namespace pintle {

/// For packs of B.
template <class B>
struct PackMatrixKernels {
  /// With `memory` of inverse_bytes at an address that is a multiple of 64. False when the inertia that a joint moves
  /// is nearly singular in one of the states.
  bool (*mass_matrix_inverse)(const PlanView<B>& plan, const B* q, std::byte* memory, B* inverse);
  std::size_t (*inverse_bytes)(const PlanView<B>& plan);
  /// L: per dof a row of branches.row entries. Returns the lanes, one bit each, in which a pivot is not positive.
  unsigned (*factor)(const DofBranches& branches, const B* M, B* L);
  void (*solve)(const DofBranches& branches, const B* L, B* x);
};

struct PackMatrixKernelTable {
  PackMatrixKernels<double> pack;
  PackMatrixKernels<float> pack_float;
};

/// The kernels of the instruction set in use, of double or float.
template <class B>
const PackMatrixKernels<B>& pack_matrix_kernels();
template <>
const PackMatrixKernels<double>& pack_matrix_kernels<double>();
template <>
const PackMatrixKernels<float>& pack_matrix_kernels<float>();

}  // namespace pintle
