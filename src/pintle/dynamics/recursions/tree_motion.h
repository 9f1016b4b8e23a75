// The outward pass that most algorithms start with: pose and velocity of every link, in its own frame.
#pragma once

#include "pintle/dynamics/recursions/buffers.h"
#include "pintle/model/links/joint_motion.h"

namespace pintle::inline PINTLE_ISA {

/// sum_k S[k] v[k]
template <class T>
PINTLE_INLINE Twist<T> combine(const Twist<T>* S, const T* v, int nv) {
  Twist<T> sum = zero_twist<T>();
  for (int k = 0; k < nv; ++k) sum += S[k] * v[k];
  return sum;
}

/// v_i = v_p(i) + S_i qd_i, from the roots outwards; every quantity in the link's own frame.  [eq. tree-velocity]
template <class T, class C>
inline void tree_motion(const LinkTreeOf<C>& tree, const T* q, const T* v, const TreeMotion<T>& out) {
  const Twist<T> V_W = constant<T>(tree.root.velocity);
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<C>& link = tree.links[i];
    const Twist<T>& V_P = link.parent < 0 ? V_W : out.V[link.parent];
    Twist<T>* const S = out.S + link.v;
    out.X_PL[i] = constant<T>(link.X_PJ) * joint_motion(link, q + link.q, S);
    const Twist<T> V_PL = combine(S, v + link.v, link.nv);
    out.V[i] = inverse_times(out.X_PL[i], V_P) + V_PL;
    out.c[i] = cross(out.V[i], V_PL) + joint_bias(link, S, v + link.v);
  }
}

/// The acceleration of the roots' frame as a twist (component-wise time derivative), minus gravity: weight is modelled
/// as inertia in a world that accelerates upwards.
template <class T, class C>
PINTLE_INLINE Twist<T> root_acceleration(const LinkTreeOf<C>& tree) {
  const RootMotion& root = tree.root;
  const Vec3<> of_root = root.acceleration.linear - cross(root.velocity.angular, root.velocity.linear);
  return {constant<T>(constant<C>(of_root) - tree.gravity), constant<T>(root.acceleration.angular)};
}

/// Poses and columns alone.
template <class T>
inline void tree_poses(const LinkTree& tree, const T* q, Pose<T>* X_PL, Twist<T>* S) {
  for (int i = 0; i < tree.count; ++i) {
    const Link& link = tree.links[i];
    X_PL[i] = constant<T>(link.X_PJ) * joint_motion(link, q + link.q, S + link.v);
  }
}

}  // namespace pintle::inline PINTLE_ISA
