// Compiled once per instruction set, separately from the other kernels: src/pintle/CMakeLists.txt sets another g++
// instruction scheduling for them.
#include "pintle/dynamics/kernels/chain_kernels.h"

#include "pintle/dynamics/plan/chain_forward_impl.h"
#include "pintle/dynamics/plan/chain_inverse_impl.h"
#include "pintle/dynamics/plan/chain_mass_impl.h"
#include "pintle/math/elementary_impl.h"

namespace pintle::inline PINTLE_ISA {

#if PINTLE_HAS_FMA

void chain_inverse_dynamics(const PlanChain& chain, const double* q, const double* v, const double* vdot,
                            const ChainMemory& at, double* tau) {
  place_chain(chain, q, at);
  move_chain<true>(chain, v, vdot, at);
  gather_efforts(chain, at, [&](int k, ChainScalar effort) {
    put(fma(parameters_of(chain, k).armature, of_links(vdot, k, chain.links), effort), k, chain.links, tau);
  });
}

// The factorisation, a serial recurrence, comes once the efforts are known, so that the inward solve runs along with
// it.
bool chain_forward_dynamics(const PlanChain& chain, const double* q, const double* v, const double* tau,
                            const ChainMemory& at, double* vdot) {
  place_chain(chain, q, at);
  move_chain<false>(chain, v, nullptr, at);
  compose_chain(chain, at);
  gather_efforts(chain, at,
                 [&](int k, ChainScalar effort) { at.links[k].left = of_links(tau, k, chain.links) - effort; });
  for_blocks(chain, at, [&](int k, int j, const ChainBlock& block) { at.M->blocks[k][j] = block; });
  const bool moves = factor_chain(chain, at);
  solve_outwards(chain, at);
  for (int i = 0; i < chain.links; ++i) vdot[i] = lanes_at(at.links[i / kChainLanes].left)[i % kChainLanes];
  return moves;
}

void chain_mass_matrix(const PlanChain& chain, const double* q, const ChainMemory& at, double* M) {
  place_chain(chain, q, at);
  compose_chain(chain, at);
  for_blocks(chain, at, [&](int k, int j, const ChainBlock& block) { mirror_block(k, j, block, chain.links, M); });
}

#endif

}  // namespace pintle::inline PINTLE_ISA
