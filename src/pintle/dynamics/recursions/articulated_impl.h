// Articulated inertias: the inertia that a joint moves, with the outboard joints free (Featherstone 2008, chapter 7).
#pragma once

#include "pintle/dynamics/recursions/joint_block.h"
#include "pintle/dynamics/recursions/tree_motion.h"

namespace pintle::inline PINTLE_ISA {

/// The square of a length [m^2] that weighs rotation against translation: rotational over translational inertia. 1
/// where one of them vanishes.
template <class T>
PINTLE_INLINE T length_squared(const ArticulatedInertia<T>& I) {
  const T m = trace(I.linear), J = trace(I.angular);
  return select(m > T(0) && J > T(0), J / m, T(1));
}

/// Projects out of I the rounding error along the motions S[k], where I S[k] = expected[k] holds exactly: I becomes the
/// nearest symmetric operator with that property, in a metric that weighs rotation against translation by length2
/// (without it, the result for a screw would depend on the unit of length). Overwrites both arrays.
///
/// Why: the projected inertia of a heavy body is (almost) zero along its joint's dofs. That zero is a difference of
/// large terms, and its rounding error would act on a light body inboard of it: without this step the residual of the
/// efforts is up to 4000 n eps for mass ratios of 1e6, with it 2 n eps
/// (docs/decisions/0004-projected-articulated-inertia.md); more, up to 400 n eps observed, in one tree of a thousand,
/// where several light links in a row carry a heavy one.
template <class T>
inline void project_out(ArticulatedInertia<T>& I, const T& length2, Twist<T>* S, Wrench<T>* expected, int nv) {
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

/// U = I_A S and the factors of D = S'U + armature of a link's joint. A dof with a prescribed acceleration (`given` per
/// dof of the joint, null for none) is locked here: its U is zero and its D is 1. False when the joint moves a singular
/// inertia.  [eq. aba]
template <class T, class C>
inline bool articulate_joint(const LinkOf<C>& link, const C* armature, const unsigned char* given, const Twist<T>* S,
                             const ArticulatedInertia<T>& I_A, Wrench<T>* U, JointBlock<T>& D) {
  const auto is_given = [given](int k) { return given != nullptr && given[k] != 0; };
  for (int k = 0; k < link.nv; ++k) U[k] = is_given(k) ? zero_wrench<T>() : I_A * S[k];
  for (int k = 0; k < link.nv; ++k) {
    for (int j = 0; j <= k; ++j) D.m[k][j] = is_given(k) ? T(0) : dot(S[k], U[j]);
    D.m[k][k] += is_given(k) ? T(1) : constant<T>(armature[k]);
  }
  bool moves = factor_block(D, link.nv);
  // Upper bound of the inertia that the joint moves; a small part of it is rounding (D holds reciprocals now).
  const T mass = trace(I_A.linear), inertia = trace(I_A.angular);
  for (int k = 0; k < link.nv; ++k) {
    if (is_given(k)) continue;
    const T max_inertia = fma(mass, norm_squared(S[k].linear), inertia * norm_squared(S[k].angular));
    const T min_pivot = (base_t<T>(64) * kEpsilon<T>)*(max_inertia + constant<T>(armature[k]));
    moves = moves && all(D.m[k][k] * min_pivot < T(1));
  }
  return moves;
}

/// The projected articulated inertia of a link, as its parent sees it through the link's joint: I_a = I_A - U D^-1 U'.
/// Since D = S'U + armature, I_a S = U D^-1 armature.  [eq. aba-inertia]
template <class T, class C>
inline ArticulatedInertia<T> projected_inertia(const LinkOf<C>& link, const C* armature, const unsigned char* given,
                                               const Twist<T>* S, const ArticulatedInertia<T>& I_A, const Wrench<T>* U,
                                               const JointBlock<T>& D) {
  ArticulatedInertia<T> I_a = I_A;
  Twist<T> dofs[kMaxDofs];
  Wrench<T> along_dofs[kMaxDofs];
  int count = 0;
  for (int k = 0; k < link.nv; ++k) {
    if (given != nullptr && given[k] != 0) continue;
    T column[kMaxDofs];  // of D^-1
    for (int j = 0; j < link.nv; ++j) column[j] = T(j == k ? 1 : 0);
    solve_block(D, link.nv, column, column);
    Wrench<T> UD = zero_wrench<T>();
    for (int j = 0; j < link.nv; ++j) UD += U[j] * column[j];
    I_a = I_a - symmetric_outer(U[k], UD);
    dofs[count] = S[k];
    along_dofs[count++] = UD * constant<T>(armature[k]);
  }
  project_out(I_a, length_squared(I_A), dofs, along_dofs, count);
  return I_a;
}

/// Articulated inertias of all links at q, for `apply_mass_inverse_kernel`. Dofs flagged in `given` (null: none) are
/// locked. Returns the index of the first link (from the tips) whose joint moves a singular inertia, -1 when all have.
/// [eq. aba-inertia]
template <class T>
inline int articulate_kernel(const LinkTree& tree, const T* q, const unsigned char* given,
                             const ArticulatedBuffers<T>& work) {
  const auto& [X_PL, S, I_A, U, D] = work;
  tree_poses(tree, q, X_PL, S);
  for (int i = 0; i < tree.count; ++i) I_A[i] = articulated(constant<T>(tree.links[i].inertia));
  int singular = -1;
  for (int i = tree.count - 1; i >= 0; --i) {
    const Link& link = tree.links[i];
    const double* const armature = tree.armature + link.v;
    const unsigned char* const given_here = given == nullptr ? nullptr : given + link.v;
    const bool moves = articulate_joint<T>(link, armature, given_here, S + link.v, I_A[i], U + link.v, D[i]);
    if (!moves && singular < 0) singular = i;
    if (link.parent < 0) continue;
    I_A[link.parent] +=
        X_PL[i] * projected_inertia<T>(link, armature, given_here, S + link.v, I_A[i], U + link.v, D[i]);
  }
  return singular;
}

/// Applies M^-1 to efforts (per dof, null for none) and wrenches (per link, in its frame, null for none): vdot = M^-1
/// (tau + sum J'F), by the articulated inertias in `work`. Impulses give velocity jumps in the same way. Dofs flagged
/// in `given` (null: none) are locked; `work` must have been prepared so. Links not flagged in `needed` (null: all are
/// needed) are skipped; the parent of a needed link must be needed, and efforts and wrenches must act on needed links.
/// [eq. response]
template <class T>
inline void apply_mass_inverse_kernel(const LinkTree& tree, const ArticulatedBuffers<T>& work, const T* tau,
                                      const Wrench<T>* external, const unsigned char* given,
                                      const unsigned char* needed, const ResponseBuffers<T>& out, T* vdot) {
  const auto left_out = [needed](int i) { return needed != nullptr && needed[i] == 0; };
  for (int i = 0; i < tree.count; ++i) out.p[i] = external == nullptr ? zero_wrench<T>() : -external[i];
  for (int i = tree.count - 1; i >= 0; --i) {
    if (left_out(i)) continue;
    const Link& link = tree.links[i];
    T* const u = out.u + link.v;
    for (int k = 0; k < link.nv; ++k) {
      const bool accelerates = given == nullptr || given[link.v + k] == 0;
      const T effort = tau == nullptr ? T(0) : tau[link.v + k];
      u[k] = accelerates ? effort - dot(work.S[link.v + k], out.p[i]) : T(0);
    }
    if (link.parent < 0) continue;
    T accelerations[kMaxDofs];
    solve_block(work.D[i], link.nv, u, accelerations);
    Wrench<T> p_a = out.p[i];
    for (int k = 0; k < link.nv; ++k) p_a += work.U[link.v + k] * accelerations[k];
    out.p[link.parent] += work.X_PL[i] * p_a;
  }
  for (int i = 0; i < tree.count; ++i) {
    if (left_out(i)) continue;
    const Link& link = tree.links[i];
    const Twist<T> A = link.parent < 0 ? zero_twist<T>() : inverse_times(work.X_PL[i], out.A[link.parent]);
    T rest[kMaxDofs];
    for (int k = 0; k < link.nv; ++k) rest[k] = out.u[link.v + k] - dot(A, work.U[link.v + k]);
    solve_block(work.D[i], link.nv, rest, vdot + link.v);
    out.A[i] = A + combine(work.S + link.v, vdot + link.v, link.nv);
  }
}

/// M^-1, nv x nv, row-major: the accelerations for unit efforts, column by column; of each only the part up to its own
/// dof is computed, the rest follows by symmetry.  [eq. response]
template <class T>
inline void mass_matrix_inverse_kernel(const LinkTree& tree, const ArticulatedBuffers<T>& work,
                                       const ResponseBuffers<T>& scratch, T* inverse) {
  const int n = tree.nv;
  for (int k = 0; k < n; ++k) scratch.u[k] = T(0);
  for (int tip = 0; tip < tree.count; ++tip) {
    for (int column = tree.links[tip].v; column < tree.links[tip].v + tree.links[tip].nv; ++column) {
      // Inwards along the branch: the effort at every joint on it.
      Wrench<T> p = zero_wrench<T>();
      for (int i = tip; i >= 0; i = tree.links[i].parent) {
        const Link& link = tree.links[i];
        T* const u = scratch.u + link.v;
        for (int k = 0; k < link.nv; ++k) u[k] = -dot(work.S[link.v + k], p);
        if (i == tip) u[column - link.v] = T(1);
        T accelerations[kMaxDofs];
        solve_block(work.D[i], link.nv, u, accelerations);
        for (int k = 0; k < link.nv; ++k) p += work.U[link.v + k] * accelerations[k];
        p = work.X_PL[i] * p;
      }
      // Outwards over all links up to its own.
      for (int i = 0; i <= tip; ++i) {
        const Link& link = tree.links[i];
        const Twist<T> A = link.parent < 0 ? zero_twist<T>() : inverse_times(work.X_PL[i], scratch.A[link.parent]);
        T vdot[kMaxDofs];
        for (int k = 0; k < link.nv; ++k) vdot[k] = scratch.u[link.v + k] - dot(A, work.U[link.v + k]);
        solve_block(work.D[i], link.nv, vdot, vdot);
        scratch.A[i] = A + combine(work.S + link.v, vdot, link.nv);
        for (int k = 0; k < link.nv && link.v + k <= column; ++k) {
          inverse[(link.v + k) * n + column] = inverse[column * n + link.v + k] = vdot[k];
        }
      }
      for (int i = tip; i >= 0; i = tree.links[i].parent) {
        for (int k = tree.links[i].v; k < tree.links[i].v + tree.links[i].nv; ++k) scratch.u[k] = T(0);
      }
    }
  }
}

}  // namespace pintle::inline PINTLE_ISA
