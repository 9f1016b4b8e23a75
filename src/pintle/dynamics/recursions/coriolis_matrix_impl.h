// The Coriolis matrix for any scalar, by composite bodies, in time proportional to the number of links times the depth
// of the tree.
//
// The time derivative of a column S_j of joint j relative to the world is Sdot_j = V_j x S_j + dS_j/dt. With it
//   C_kj = sum over the bodies i outboard of both joints of S_k' (I_i Sdot_j + B_i S_j),
// all in one frame, and I_i and B_i (coriolis_operator.h) of a subtree add up.
#pragma once

#include "pintle/dynamics/recursions/tree_motion.h"

namespace pintle::inline PINTLE_ISA {

/// C(q, v), nv x nv, row-major; entries of dofs on different branches are zero.  [eq. coriolis-matrix]
template <class T, class Number>
inline void coriolis_matrix_kernel(const LinkTreeOf<Number>& tree, const T* q, const T* v,
                                   const CoriolisMatrixBuffers<T>& work, T* C) {
  const auto& [motion, S_rate, I_C, B_C] = work;
  const auto& [X_PL, S, V, c] = motion;
  const int n = tree.nv;
  tree_motion(tree, q, v, motion);
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<Number>& link = tree.links[i];
    I_C[i] = constant<T>(link.inertia);
    B_C[i] = coriolis_operator(I_C[i], V[i]);
    for (int k = link.v; k < link.v + link.nv; ++k)
      S_rate[k] = cross(V[i], S[k]) + column_rate(link, S + link.v, v + link.v, k - link.v);
  }
  for (int k = 0; k < n * n; ++k) C[k] = T(0);
  for (int i = tree.count - 1; i >= 0; --i) {
    const LinkOf<Number>& link = tree.links[i];
    if (link.parent >= 0) {
      I_C[link.parent] = I_C[link.parent] + X_PL[i] * I_C[i];
      B_C[link.parent] = B_C[link.parent] + X_PL[i] * B_C[i];
    }
    for (int k = link.v; k < link.v + link.nv; ++k) {
      Wrench<T> F_rate = I_C[i] * S_rate[k] + B_C[i] * S[k];  // column k of C is S_j' F_rate,
      Wrench<T> F = I_C[i] * S[k];                            // row k is Sdot_j' F + S_j' [0; torque]
      Vec3<T> torque = transpose_times(B_C[i], S[k]);
      for (int j = link.v; j < link.v + link.nv; ++j) C[j * n + k] = dot(S[j], F_rate);
      for (int at = i; tree.links[at].parent >= 0; at = tree.links[at].parent) {
        F_rate = X_PL[at] * F_rate;
        F = X_PL[at] * F;
        torque = X_PL[at].rotation * torque;
        const LinkOf<Number>& ancestor = tree.links[tree.links[at].parent];
        for (int j = ancestor.v; j < ancestor.v + ancestor.nv; ++j) {
          C[j * n + k] = dot(S[j], F_rate);
          C[k * n + j] = dot(S_rate[j], F) + dot(S[j].angular, torque);
        }
      }
    }
  }
}

}  // namespace pintle::inline PINTLE_ISA
