// The articulated-body algorithm for any scalar (seeds 000, 001; Featherstone 2008, table 7.1).
#pragma once

#include "pintle/dynamics/joint_block.h"
#include "pintle/dynamics/tree_motion.h"

namespace pintle::inline PINTLE_ISA {

/// The square of a length [m^2] by which a turn compares with a travel: rotational over translational inertia. 1 where
/// one of them vanishes.
template <class T>
PINTLE_INLINE T length_squared(const ArticulatedInertia<T>& I) {
  const T m = trace(I.linear), J = trace(I.angular);
  return select(m > T(0) && J > T(0), J / m, T(1));
}

/// Takes out of I what rounding has left along the motions S[k], where I S[k] = expected[k] holds exactly: I becomes
/// the symmetric operator nearest to it with that property, turns being compared with travels by length2 (with plain
/// numbers, a screw's answer would depend on the unit of length). Overwrites both arrays.
///
/// Why: seen through its joint a heavy body has (almost) no inertia along the joint's freedoms. That nothing is a
/// difference of large terms, and its rounding error would move a light body inboard of it: without this step the
/// balance of efforts is lost by up to 4000 n eps for mass ratios of 1e6, with it by 2 n eps
/// (docs/decisions/0004-projected-articulated-inertia.md); by more, up to 400 n eps seen, in one tree of a thousand,
/// where several light links in a row carry a heavy one.
template <class T>
inline void take_out_residue(ArticulatedInertia<T>& I, const T& length2, Twist<T>* S, Wrench<T>* expected, int nv) {
  const auto product = [&length2](const Twist<T>& a, const Twist<T>& b) {
    return fma(length2, dot(a.angular, b.angular), dot(a.linear, b.linear));
  };
  for (int k = 0; k < nv; ++k) {
    for (int j = 0; j < k; ++j) {  // Gram-Schmidt
      const T along = product(S[j], S[k]) / product(S[j], S[j]);
      S[k] -= S[j] * along;
      expected[k] -= expected[j] * along;
    }
    const Wrench<T> W = Wrench<T>{S[k].linear, length2 * S[k].angular} / product(S[k], S[k]);  // S'W = 1
    const Wrench<T> residue = I * S[k] - expected[k];
    I = I - (symmetric_outer(residue, W) + symmetric_outer(W, residue)) + symmetric_outer(W, W * dot(S[k], residue));
  }
}

/// The articulated inertia and bias force that a link shows to its parent, once its own joint is taken into account:
/// I_a = I_A - U D^-1 U', p_a = p_A + I_a c + U D^-1 u. Since D = S'U + armature, I_a S = U D^-1 armature.
/// [eq. aba-inertia]
template <class T>
inline void project_through_joint(const Link& link, const double* armature, const Twist<T>* S, const Wrench<T>* U,
                                  const JointBlock<T>& D, const T* u, const Twist<T>& c, ArticulatedInertia<T>& I,
                                  Wrench<T>& p) {
  const T length2 = length_squared(I);
  T accelerations[kMostFreedoms];
  Twist<T> freedoms[kMostFreedoms];
  Wrench<T> along_freedoms[kMostFreedoms];
  solve_block(D, link.nv, u, accelerations);
  for (int k = 0; k < link.nv; ++k) {
    T column[kMostFreedoms];  // of D^-1
    for (int j = 0; j < link.nv; ++j) column[j] = T(j == k ? 1 : 0);
    solve_block(D, link.nv, column, column);
    Wrench<T> UD = zero_wrench<T>();
    for (int j = 0; j < link.nv; ++j) UD += U[j] * column[j];
    I = I - symmetric_outer(U[k], UD);
    p += U[k] * accelerations[k];
    freedoms[k] = S[k];
    along_freedoms[k] = UD * constant<T>(armature[k]);
  }
  take_out_residue(I, length2, freedoms, along_freedoms, link.nv);
  p += I * c;
}

/// vdot of (q, v) under tau, gravity and the external wrenches (per link, in its frame; null for none). Gives the
/// number of the first link (from the tips) whose joint has no inertia to move, -1 when all have.  [eq. aba]
template <class T>
inline int forward_dynamics_kernel(const LinkTree& tree, const T* q, const T* v, const T* tau,
                                   const Wrench<T>* external, const ForwardDynamicsBuffers<T>& work, T* vdot) {
  const auto& [X_PL, S, V, c] = work.motion;
  tree_motion(tree, q, v, work.motion);
  for (int i = 0; i < tree.count; ++i) {
    const SpatialInertia<T> I = constant<T>(tree.links[i].inertia);
    work.I_A[i] = articulated(I);
    work.p_A[i] = cross_dual(V[i], I * V[i]);
    if (external != nullptr) work.p_A[i] -= external[i];
  }
  int singular = -1;
  for (int i = tree.count - 1; i >= 0; --i) {
    const Link& link = tree.links[i];
    Wrench<T>* const U = work.U + link.v;
    T* const u = work.u + link.v;
    for (int k = 0; k < link.nv; ++k) {
      U[k] = work.I_A[i] * S[link.v + k];
      u[k] = tau[link.v + k] - dot(S[link.v + k], work.p_A[i]);
    }
    for (int k = 0; k < link.nv; ++k)
      for (int j = 0; j <= k; ++j) work.D[i].m[k][j] = dot(S[link.v + k], U[j]);
    for (int k = 0; k < link.nv; ++k) work.D[i].m[k][k] += constant<T>(tree.armature[link.v + k]);
    if (!factor_block(work.D[i], link.nv)) singular = i;
    if (link.parent >= 0) {
      project_through_joint(link, tree.armature + link.v, S + link.v, U, work.D[i], u, c[i], work.I_A[i], work.p_A[i]);
      work.I_A[link.parent] += X_PL[i] * work.I_A[i];
      work.p_A[link.parent] += X_PL[i] * work.p_A[i];
    }
  }
  const Twist<T> A_W = translation(-constant<T>(tree.gravity));
  for (int i = 0; i < tree.count; ++i) {
    const Link& link = tree.links[i];
    const Twist<T>& A_P = link.parent < 0 ? A_W : work.A[link.parent];
    const Twist<T> A = inverse_times(X_PL[i], A_P) + c[i];
    T rest[kMostFreedoms];
    for (int k = 0; k < link.nv; ++k) rest[k] = work.u[link.v + k] - dot(A, work.U[link.v + k]);
    solve_block(work.D[i], link.nv, rest, vdot + link.v);
    work.A[i] = A + combine(S + link.v, vdot + link.v, link.nv);
  }
  return singular;
}

}  // namespace pintle::inline PINTLE_ISA
