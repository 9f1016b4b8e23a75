// The kernels that work on plans: one table of functions per instruction set (base/kernel_choice.h). All work on packs
// of states: value k of the state in lane l of a pack is entry k * lanes + l. `memory` has `bytes`, at an address that
// is a multiple of 64.
#pragma once

#include <cstddef>

#include "pintle/dynamics/plan/planned_loads.h"
#include "pintle/model/plan/plan.h"

namespace pintle {

/// For scalars B, `lanes` states at a time.
template <class B>
struct PlannedKernels {
  int lanes;
  std::size_t (*bytes)(const PlanView<B>& plan);
  void (*inverse_dynamics)(const PlanView<B>& plan, const B* q, const B* v, const B* vdot, std::byte* memory, B* tau);
  /// False when the inertia that a joint moves is nearly singular in one of the states.
  bool (*forward_dynamics)(const PlanView<B>& plan, const B* q, const B* v, const B* tau, std::byte* memory, B* vdot);
  void (*mass_matrix)(const PlanView<B>& plan, const B* q, std::byte* memory, B* M);
  /// Converts one state per lane, `size` values each, from consecutive rows to packs; and back.
  void (*rows_to_packs)(const B* rows, std::size_t size, B* packs);
  void (*packs_to_rows)(const B* packs, std::size_t size, B* rows);
};

/// Kernels of one state; packs of states are in batch/planned_pack_kernels.h.
struct PlannedKernelTable {
  PlannedKernels<double> one;
  /// The same with loads.
  void (*inverse_dynamics)(const PlanView<double>& plan, const double* q, const double* v, const double* vdot,
                           const PlannedLoads<double>& loads, std::byte* memory, double* tau);
  bool (*forward_dynamics)(const PlanView<double>& plan, const double* q, const double* v, const double* tau,
                           const PlannedLoads<double>& loads, std::byte* memory, double* vdot);
  /// After either of them at q, with the same memory: the wrench of the world on the links, in base parameters, through
  /// all root joints, about the world's origin in world axes; and the first moment of their mass [kg m].
  Wrench<> (*supports)(const PlanView<double>& plan, const double* q, const PlannedCall& call, std::byte* memory);
  Vec3<> (*first_moment)(const PlanView<double>& plan, const double* q, const PlannedCall& call, std::byte* memory);
  /// Copies nq values at q; returns whether these, nv values at v and nv at x are all finite.
  bool (*keep)(const double* q, std::size_t nq, const double* v, const double* x, std::size_t nv, double* to);
};

/// The kernels of the instruction set in use.
const PlannedKernelTable& planned_kernels_in_use();

}  // namespace pintle
