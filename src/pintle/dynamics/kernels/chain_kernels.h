// Kernels of one state of a chain, with its links in SIMD lanes.
#pragma once

#include "pintle/dynamics/plan/chain_memory.h"
#include "pintle/dynamics/plan/planned_loads.h"

namespace pintle::inline PINTLE_ISA {

/// tau that gives vdot at (q, v) under gravity and the loads.  [eq. rnea]
void chain_inverse_dynamics(const PlanView<double>& plan, const double* q, const double* v, const double* vdot,
                            const PlannedLoads<double>& loads, const ChainMemory& at, double* tau);

/// vdot of (q, v) under tau, gravity and the loads, of which none is prescribed. False when the inertia that a joint
/// moves is nearly singular.
bool chain_forward_dynamics(const PlanView<double>& plan, const double* q, const double* v, const double* tau,
                            const PlannedLoads<double>& loads, const ChainMemory& at, double* vdot);

/// After either of them with this memory, as in PlannedKernelTable.  [eq. root-wrench]
Wrench<> chain_supports(const PlanView<double>& plan, bool forward, const ChainMemory& at);
Vec3<> chain_first_moment(const PlanView<double>& plan, const ChainMemory& at);

/// M(q), nv x nv, row-major.  [eq. crba]
void chain_mass_matrix(const PlanChain& chain, const double* q, const ChainMemory& at, double* M);

}  // namespace pintle::inline PINTLE_ISA
