// The recursive Newton-Euler algorithm for any scalar (Featherstone 2008, table 5.1).
#pragma once

#include "pintle/dynamics/recursions/tree_motion.h"

namespace pintle::inline PINTLE_ISA {

/// tau that gives vdot at (q, v) under gravity and the external wrenches (per link, in its frame; null for none).
/// Leaves the joint wrenches in F.  [eq. rnea]
template <class T>
inline void inverse_dynamics_kernel(const LinkTree& tree, const T* q, const T* v, const T* vdot,
                                    const Wrench<T>* external, const InverseDynamicsBuffers<T>& work, T* tau) {
  const auto& [X_PL, S, V, c] = work.motion;
  tree_motion(tree, q, v, work.motion);
  const Twist<T> A_W = root_acceleration<T>(tree);
  for (int i = 0; i < tree.count; ++i) {
    const Link& link = tree.links[i];
    const SpatialInertia<T> I = constant<T>(link.inertia);
    const Twist<T>& A_P = link.parent < 0 ? A_W : work.A[link.parent];
    work.A[i] = inverse_times(X_PL[i], A_P) + c[i] + combine(S + link.v, vdot + link.v, link.nv);
    work.F[i] = I * work.A[i] + cross_dual(V[i], I * V[i]);
    if (external != nullptr) work.F[i] -= external[i];
  }
  for (int i = tree.count - 1; i >= 0; --i) {
    const Link& link = tree.links[i];
    for (int k = link.v; k < link.v + link.nv; ++k)
      tau[k] = fma(constant<T>(tree.armature[k]), vdot[k], dot(S[k], work.F[i]));
    if (link.parent >= 0) work.F[link.parent] += X_PL[i] * work.F[i];
  }
}

}  // namespace pintle::inline PINTLE_ISA
