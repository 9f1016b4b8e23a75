// Inverse dynamics of a chain with its links side by side: the recursive Newton-Euler algorithm as sums along the
// chain.
#pragma once

#include "pintle/dynamics/plan/chain_motion.h"

namespace pintle::inline PINTLE_ISA {

/// Calls give(k, z' N) for every pack from the tip inwards, where N is the torque that the joints transmit: that of the
/// outboard links, and that of their forces f about the origin, d x f. Stores f and N of the root.  [eq. rnea]
template <class Give>
PINTLE_INLINE void gather_efforts(const PlanChain& chain, const ChainMemory& at, const Give& give) {
  const ChainScalar zero(0.0);
  Vec3<ChainScalar> f_out{zero, zero, zero}, n_out = f_out, arm_out = f_out;
  for (int k = chain.count - 1; k >= 0; --k) {
    const ChainLinks& here = at.links[k];
    const Vec3<ChainScalar> f = sums_inwards(here.F.force, f_out), arm = cross(here.d, f);
    const Vec3<ChainScalar> n = sums_inwards(here.F.torque + of_children(arm, arm_out), n_out);
    arm_out = arm;
    give(k, dot(here.z, n));
  }
  *at.root = {f_out, n_out};
}

}  // namespace pintle::inline PINTLE_ISA
