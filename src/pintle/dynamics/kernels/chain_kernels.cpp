// Compiled once per instruction set, separately from the other kernels: src/pintle/CMakeLists.txt sets another g++
// instruction scheduling for them.
#include "pintle/dynamics/kernels/chain_kernels.h"

#include "pintle/dynamics/plan/chain_forward_impl.h"
#include "pintle/dynamics/plan/chain_inverse_impl.h"
#include "pintle/dynamics/plan/chain_mass_impl.h"
#include "pintle/math/elementary_impl.h"

namespace pintle::inline PINTLE_ISA {

#if PINTLE_HAS_FMA

namespace {

/// The frame of the root's joint, at the origin of the root.
Pose<> pose_of_root(const PlanLink<double>& root) {
  return {root.rotation, root.translation + root.d * column(root.rotation, 2)};
}

ChainStart start_of(const PlanView<double>& plan, const PlannedLoads<double>& loads) {
  if (loads.world == nullptr) return {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, plan.chain.minus_gravity};
  const Pose<> X_WO = pose_of_root(plan.links[0]);
  const Twist<> V = inverse_times(X_WO, loads.world->V), A = inverse_times(X_WO, loads.world->A);
  return {V.angular, A.angular, A.linear + cross(V.angular, V.linear)};
}

/// The sum over the lanes.
double sum_of(ChainScalar x) {
  const double* const lanes = lanes_at(x);
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}
Vec3<> sum_of(const Vec3<ChainScalar>& a) {
  return {sum_of(a.x), sum_of(a.y), sum_of(a.z)};
}

}  // namespace

void chain_inverse_dynamics(const PlanView<double>& plan, const double* q, const double* v, const double* vdot,
                            const PlannedLoads<double>& loads, const ChainMemory& at, double* tau) {
  const PlanChain& chain = plan.chain;
  place_chain(chain, q, at);
  move_chain<true>(chain, start_of(plan, loads), v, vdot, at);
  if (loads.external != nullptr) subtract_external(chain, loads.external, at);
  gather_efforts(chain, at, [&](int k, ChainScalar effort) {
    put(fma(parameters_of(chain, k).armature, of_links(vdot, k, chain.links), effort), k, chain.links, tau);
  });
}

// The factorisation, a serial recurrence, comes once the efforts are known, so that the inward solve runs along with
// it.
bool chain_forward_dynamics(const PlanView<double>& plan, const double* q, const double* v, const double* tau,
                            const PlannedLoads<double>& loads, const ChainMemory& at, double* vdot) {
  const PlanChain& chain = plan.chain;
  place_chain(chain, q, at);
  move_chain<false>(chain, start_of(plan, loads), v, nullptr, at);
  if (loads.external != nullptr) subtract_external(chain, loads.external, at);
  compose_chain(chain, at);
  gather_efforts(chain, at,
                 [&](int k, ChainScalar effort) { at.links[k].left = of_links(tau, k, chain.links) - effort; });
  for_blocks(chain, at, [&](int k, int j, const ChainBlock& block) { at.M->blocks[k][j] = block; });
  const bool moves = factor_chain(chain, at);
  solve_outwards(chain, at);
  for (int i = 0; i < chain.links; ++i) vdot[i] = lanes_at(at.links[i / kChainLanes].left)[i % kChainLanes];
  return moves;
}

// In forward dynamics U are the wrenches for unit accelerations, about the root's origin, and `left` is vdot.
Wrench<> chain_supports(const PlanView<double>& plan, bool forward, const ChainMemory& at) {
  const ChainScalar zero(0.0);
  Vec3<ChainScalar> f{zero, zero, zero}, n = f;
  for (int k = 0; forward && k < plan.chain.count; ++k) {
    const ChainLinks& here = at.links[k];
    f = fma(here.left, here.U.force, f);
    n = fma(here.left, here.U.torque, n);
  }
  const auto first = [](const Vec3<ChainScalar>& a) { return Vec3<>{a.x[0], a.y[0], a.z[0]}; };
  const Wrench<> F{first(at.root->force) + sum_of(f), first(at.root->torque) + sum_of(n)};
  return pose_of_root(plan.links[0]) * F;
}

// No link has mass: in base parameters the ground has it.
Vec3<> chain_first_moment(const PlanView<double>& plan, const ChainMemory& at) {
  const ChainScalar zero(0.0);
  Vec3<ChainScalar> h{zero, zero, zero};
  for (int k = 0; k < plan.chain.count; ++k) h += at.links[k].h;
  return plan.links[0].rotation * sum_of(h);
}

void chain_mass_matrix(const PlanChain& chain, const double* q, const ChainMemory& at, double* M) {
  place_chain(chain, q, at);
  compose_chain(chain, at);
  for_blocks(chain, at, [&](int k, int j, const ChainBlock& block) { mirror_block(k, j, block, chain.links, M); });
}

#endif

}  // namespace pintle::inline PINTLE_ISA
