// The articulated-body algorithm for any scalar (Featherstone 2008, tables 7.1 and 9.1).
#pragma once

#include "pintle/dynamics/recursions/articulated_impl.h"

namespace pintle::inline PINTLE_ISA {

/// vdot of (q, v) under tau, gravity and the external wrenches (per link, in its frame; null for none). For the dofs
/// flagged in `given` (null: none) vdot is an input and tau is ignored. Returns the index of the first link (from the
/// tips) whose joint moves a singular inertia, -1 when all have.  [eq. aba]
template <class T>
inline int forward_dynamics_kernel(const LinkTree& tree, const T* q, const T* v, const T* tau,
                                   const Wrench<T>* external, const unsigned char* given,
                                   const ForwardDynamicsBuffers<T>& work, T* vdot) {
  const auto& [X_PL, S, V, c] = work.motion;
  const auto is_given = [given](int k) { return given != nullptr && given[k] != 0; };
  tree_motion(tree, q, v, work.motion);
  for (int i = 0; i < tree.count; ++i) {
    const Link& link = tree.links[i];
    const SpatialInertia<T> I = constant<T>(link.inertia);
    work.I_A[i] = articulated(I);
    work.p_A[i] = cross_dual(V[i], I * V[i]);
    if (external != nullptr) work.p_A[i] -= external[i];
    for (int k = link.v; k < link.v + link.nv; ++k)
      if (is_given(k)) c[i] += S[k] * vdot[k];
  }
  int singular = -1;
  for (int i = tree.count - 1; i >= 0; --i) {
    const Link& link = tree.links[i];
    const double* const armature = tree.armature + link.v;
    const unsigned char* const given_here = given == nullptr ? nullptr : given + link.v;
    Wrench<T>* const U = work.U + link.v;
    T* const u = work.u + link.v;
    const bool moves = articulate_joint(link, armature, given_here, S + link.v, work.I_A[i], U, work.D[i]);
    if (!moves && singular < 0) singular = i;
    for (int k = 0; k < link.nv; ++k) {
      u[k] = is_given(link.v + k) ? T(0) : tau[link.v + k] - dot(S[link.v + k], work.p_A[i]);
    }
    if (link.parent < 0) continue;
    const ArticulatedInertia<T> I_a =
        projected_inertia(link, armature, given_here, S + link.v, work.I_A[i], U, work.D[i]);
    T accelerations[kMaxDofs];
    solve_block(work.D[i], link.nv, u, accelerations);
    Wrench<T> p_a = work.p_A[i];
    for (int k = 0; k < link.nv; ++k) p_a += U[k] * accelerations[k];
    p_a += I_a * c[i];
    work.I_A[link.parent] += X_PL[i] * I_a;
    work.p_A[link.parent] += X_PL[i] * p_a;
  }
  const Twist<T> A_W = root_acceleration<T>(tree);
  for (int i = 0; i < tree.count; ++i) {
    const Link& link = tree.links[i];
    const Twist<T>& A_P = link.parent < 0 ? A_W : work.A[link.parent];
    const Twist<T> A = inverse_times(X_PL[i], A_P) + c[i];
    T found[kMaxDofs];
    for (int k = 0; k < link.nv; ++k) found[k] = work.u[link.v + k] - dot(A, work.U[link.v + k]);
    solve_block(work.D[i], link.nv, found, found);
    work.A[i] = A + combine(S + link.v, found, link.nv);
    for (int k = 0; k < link.nv; ++k)
      if (!is_given(link.v + k)) vdot[link.v + k] = found[k];
  }
  return singular;
}

}  // namespace pintle::inline PINTLE_ISA
