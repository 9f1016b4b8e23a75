// Jacobians directly from q, in aligned axes (aligned_motion.h).
#pragma once

#include "pintle/dynamics/aligned/aligned_motion.h"
#include "pintle/spatial/axes.h"

namespace pintle::inline PINTLE_ISA {

template <class T>
struct AlignedJacobianMemory {
  AlignedTree<T> tree;
  int* branch;  ///< scratch: the links between the world and a place
};

template <class T>
inline AlignedJacobianMemory<T> take_jacobian_memory(const LinkTree& tree, Arena& memory) {
  return {take_aligned_tree<T>(tree, memory), memory.take<int>(tree.count)};
}

/// The links from the world outwards to this one.
template <class T, class C>
PINTLE_INLINE LinkList branch_of(const LinkTreeOf<C>& tree, int link, const AlignedJacobianMemory<T>& at) {
  int depth = 0;
  for (int i = link; i >= 0; i = tree.links[i].parent) ++depth;
  for (int i = link, n = depth; i >= 0; i = tree.links[i].parent) at.branch[--n] = i;
  return {depth, at.branch};
}

/// The nonzero columns of the Jacobian of a place, in six rows with one entry per dof; all other entries are left
/// unchanged. Levers are summed from the place inwards, so that, except for Axes::world, nothing depends on the
/// distance from the world's origin.  [eq. jacobian]
template <class T, class C, class Number>
inline void aligned_jacobian(const LinkTreeOf<C>& tree, const T* q, int link, const Pose<Number>& X_LF, Axes axes,
                             const AlignedJacobianMemory<T>& at, T* J) {
  const LinkList branch = branch_of(tree, link, at);
  aligned_poses(tree, branch, q, at.tree);
  const Mat3<T>& R_WL = at.tree.links[link].R;
  const Mat3<T> R_WF = R_WL * constant<T>(X_LF.rotation);
  Vec3<T> lever = R_WL * constant<T>(X_LF.translation);  // from the current link to the place
  if (axes == Axes::world) {                             // to the world's origin instead
    const T zero(0);
    lever = {zero, zero, zero};
    for (int n = 0; n < branch.count; ++n) lever -= at.tree.links[branch[n]].d;
  }
  for (int n = branch.count - 1; n >= 0; --n) {
    const LinkOf<C>& here = tree.links[branch[n]];
    for (int k = here.v; k < here.v + here.nv; ++k) {
      const Twist<T>& S = at.tree.S[k];
      const Vec3<T> linear = S.linear + cross(S.angular, lever);
      if (axes == Axes::local) {
        put_column(transpose_times(R_WF, linear), transpose_times(R_WF, S.angular), J + k, tree.nv);
      } else {
        put_column(linear, S.angular, J + k, tree.nv);
      }
    }
    lever += at.tree.links[branch[n]].d;
  }
}

/// The unit motions of all dofs, in six rows, in world axes and about the world's origin.  [eq. jacobian]
template <class T, class C>
inline void aligned_columns(const LinkTreeOf<C>& tree, const T* q, const AlignedJacobianMemory<T>& at, T* J) {
  aligned_poses(tree, {tree.count}, q, at.tree);
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<C>& link = tree.links[i];
    Vec3<T>& p = at.tree.links[i].d;  // from the world's origin, from here on
    if (link.parent >= 0) p += at.tree.links[link.parent].d;
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const Twist<T>& S = at.tree.S[k];
      put_column(S.linear + cross(p, S.angular), S.angular, J + k, tree.nv);
    }
  }
}

}  // namespace pintle::inline PINTLE_ISA
