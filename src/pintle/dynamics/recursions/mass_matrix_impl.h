// The composite-rigid-body algorithm for any scalar (Featherstone 2008, table 6.2).
#pragma once

#include "pintle/dynamics/recursions/tree_motion.h"

namespace pintle::inline PINTLE_ISA {

/// M(q), nv x nv, row-major; entries of dofs on different branches are zero.  [eq. crba]
template <class T>
inline void mass_matrix_kernel(const LinkTree& tree, const T* q, const MassMatrixBuffers<T>& work, T* M) {
  const auto& [X_PL, S, I_C] = work;
  const int n = tree.nv;
  tree_poses(tree, q, X_PL, S);
  for (int i = 0; i < tree.count; ++i) I_C[i] = constant<T>(tree.links[i].inertia);
  for (int k = 0; k < n * n; ++k) M[k] = T(0);
  for (int i = tree.count - 1; i >= 0; --i) {
    const Link& link = tree.links[i];
    if (link.parent >= 0) I_C[link.parent] = I_C[link.parent] + X_PL[i] * I_C[i];
    for (int k = link.v; k < link.v + link.nv; ++k) {
      Wrench<T> F = I_C[i] * S[k];
      for (int j = link.v; j <= k; ++j) M[k * n + j] = M[j * n + k] = dot(S[j], F);
      M[k * n + k] += constant<T>(tree.armature[k]);
      for (int at = i; tree.links[at].parent >= 0; at = tree.links[at].parent) {
        F = X_PL[at] * F;
        const Link& ancestor = tree.links[tree.links[at].parent];
        for (int j = ancestor.v; j < ancestor.v + ancestor.nv; ++j) M[k * n + j] = M[j * n + k] = dot(S[j], F);
      }
    }
  }
}

}  // namespace pintle::inline PINTLE_ISA
