// Kernels of one state of a chain, with its links in SIMD lanes.
#pragma once

#include "pintle/dynamics/plan/chain_memory.h"

namespace pintle::inline PINTLE_ISA {

/// tau that gives vdot at (q, v) under gravity.  [eq. rnea]
void chain_inverse_dynamics(const PlanChain& chain, const double* q, const double* v, const double* vdot,
                            const ChainMemory& at, double* tau);

/// vdot of (q, v) under tau and gravity. False when the inertia that a joint moves is nearly singular.
bool chain_forward_dynamics(const PlanChain& chain, const double* q, const double* v, const double* tau,
                            const ChainMemory& at, double* vdot);

/// M(q), nv x nv, row-major.  [eq. crba]
void chain_mass_matrix(const PlanChain& chain, const double* q, const ChainMemory& at, double* M);

}  // namespace pintle::inline PINTLE_ISA
