// Links in aligned axes: the axes of the world, but about the origin of each link. From link to link motions, wrenches
// and inertias are only shifted, never rotated, and nothing depends on the distance from the world's origin. Link
// parameters have the type C: double, or T where every lane has its own model.
#pragma once

#include "pintle/base/arena.h"
#include "pintle/dynamics/lanes/side_by_side.h"
#include "pintle/dynamics/recursions/tree_motion.h"

namespace pintle::inline PINTLE_ISA {

/// Pose of a link.
template <class T>
struct AlignedLink {
  Mat3<T> R;  ///< R_WL
  Vec3<T> d;  ///< from the origin of the parent link (of the world, for a root) to its own
};

/// Poses of all links, and the unit motions of their joints.
template <class T>
struct AlignedTree {
  AlignedLink<T>* links;
  Twist<T>* S;  ///< per dof: in aligned axes
  T* sines;     ///< of the angles of revolute joints, contiguous, in whole packs
  T* cosines;
};

template <class T>
PINTLE_INLINE AlignedTree<T> take_aligned_tree(const LinkTree& tree, Arena& memory) {
  const int angles = (tree.count + 15) / 16 * 16;
  return {memory.take<AlignedLink<T>>(tree.count), memory.take<Twist<T>>(tree.nv), memory.take<T>(angles),
          memory.take<T>(angles)};
}

/// Some links of a tree, from the roots outwards: all, or those of a list.
struct LinkList {
  int count;
  const int* links = nullptr;

  PINTLE_INLINE int operator[](int n) const { return links == nullptr ? n : links[n]; }
};

/// Sines and cosines of the angles of the revolute joints, several at a time.
template <class T, class C>
inline void find_turns(const LinkTreeOf<C>& tree, const LinkList& list, const T* q, T* sines, T* cosines) {
  constexpr int kLanes = kSideBySide<T>;
  int count = 0;
  for (int n = 0; n < list.count; ++n) {
    const LinkOf<C>& link = tree.links[list[n]];
    if (link.kind == JointKind::revolute) cosines[count++] = q[link.q];
  }
  for (int k = count; k % kLanes != 0; ++k) cosines[k] = T(0);
  for (int k = 0; k < count; k += kLanes) {
    const SinCos<SideBySide<T>> f = sincos(load_columns(cosines + k));
    store_columns(f.sin, sines + k);
    store_columns(f.cos, cosines + k);
  }
}

/// R_WL and d of every link of the list and the columns of its joint.  [eq. joint-motion]
template <class T, class C>
inline void aligned_poses(const LinkTreeOf<C>& tree, const LinkList& list, const T* q, const AlignedTree<T>& out) {
  find_turns(tree, list, q, out.sines, out.cosines);
  const T zero(0);
  const Vec3<T> nil{zero, zero, zero};
  int angle = 0;
  for (int n = 0; n < list.count; ++n) {
    const int i = list[n];
    const LinkOf<C>& link = tree.links[i];
    AlignedLink<T>& here = out.links[i];
    Mat3<T> R_WJ = constant<T>(link.X_PJ.rotation);
    Vec3<T> d = constant<T>(link.X_PJ.translation);
    if (link.parent >= 0) {
      const Mat3<T>& R_WP = out.links[link.parent].R;
      R_WJ = R_WP * R_WJ;
      d = R_WP * d;
    }
    if (link.kind == JointKind::revolute) {
      const T s = out.sines[angle], c = out.cosines[angle];
      ++angle;
      const Vec3<T> x = column(R_WJ, 0), y = column(R_WJ, 1), z = column(R_WJ, 2);
      here.R = from_columns(fma(s, y, c * x), fma(-s, x, c * y), z);
      here.d = d;
      out.S[link.v] = {nil, z};
    } else if (link.kind == JointKind::prismatic) {
      const Vec3<T> z = column(R_WJ, 2);
      here.R = R_WJ;
      here.d = d + q[link.q] * z;
      out.S[link.v] = {z, nil};
    } else if (link.kind == JointKind::free) {
      const T* const Q = q + link.q;
      here.R = R_WJ * rotation_matrix(Quaternion<T>{Q[3], Q[4], Q[5], Q[6]});
      here.d = d + R_WJ * Vec3<T>{Q[0], Q[1], Q[2]};
      for (int k = 0; k < 3; ++k) {
        out.S[link.v + k] = {column(here.R, k), nil};
        out.S[link.v + 3 + k] = {nil, column(here.R, k)};
      }
    } else {
      Twist<T>* const S = out.S + link.v;
      const Pose<T> X_JL = joint_motion(link, q + link.q, S);
      here.R = R_WJ * X_JL.rotation;
      here.d = d + R_WJ * X_JL.translation;
      for (int k = 0; k < link.nv; ++k) S[k] = {here.R * S[k].linear, here.R * S[k].angular};
    }
  }
}

/// The velocities of the links' origins and their angular velocities, for a world at rest.  [eq. tree-velocity]
template <class T, class C>
inline void aligned_velocities(const LinkTreeOf<C>& tree, const T* v, const AlignedTree<T>& at, Twist<T>* V) {
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<C>& link = tree.links[i];
    Twist<T> sum = zero_twist<T>();
    if (link.parent >= 0) {
      const Twist<T>& V_P = V[link.parent];
      sum = {V_P.linear + cross(V_P.angular, at.links[i].d), V_P.angular};
    }
    if (link.kind == JointKind::revolute) {
      sum.angular = fma(v[link.v], at.S[link.v].angular, sum.angular);
    } else if (link.kind == JointKind::prismatic) {
      sum.linear += at.S[link.v].linear * v[link.v];
    } else {
      sum += combine(at.S + link.v, v + link.v, link.nv);
    }
    V[i] = sum;
  }
}

/// Stores a column of six values into rows of `stride` entries.
template <class T>
PINTLE_INLINE void put_column(const Vec3<T>& upper, const Vec3<T>& lower, T* first, int stride) {
  first[0] = upper.x;
  first[stride] = upper.y;
  first[2 * stride] = upper.z;
  first[3 * stride] = lower.x;
  first[4 * stride] = lower.y;
  first[5 * stride] = lower.z;
}

/// The inertia of a link's bodies in aligned axes.
template <class T, class C>
PINTLE_INLINE SpatialInertia<T> aligned_inertia(const LinkOf<C>& link, const Mat3<T>& R) {
  const SpatialInertia<T> I = constant<T>(link.inertia);
  return {I.mass, R * I.first_moment, congruence(R, I.inertia)};
}

/// Adds to the inertia of a parent that of a link at d from it: h + m d and I + 2 (h.d) 1 - h d' - d h' + m (|d|^2 1 -
/// d d').
template <class T>
PINTLE_INLINE void add_shifted(SpatialInertia<T>& sum, const SpatialInertia<T>& I, const Vec3<T>& d) {
  const Vec3<T> k = fma(base_t<T>(0.5) * I.mass, d, I.first_moment);  // h + m d / 2
  const T x = k.x * d.x, y = k.y * d.y, z = k.z * d.z;
  const T xx = y + z, yy = x + z, zz = x + y;
  sum.mass = sum.mass + I.mass;
  sum.first_moment = fma(I.mass, d, sum.first_moment + I.first_moment);
  sum.inertia.xx = sum.inertia.xx + (I.inertia.xx + (xx + xx));
  sum.inertia.yy = sum.inertia.yy + (I.inertia.yy + (yy + yy));
  sum.inertia.zz = sum.inertia.zz + (I.inertia.zz + (zz + zz));
  sum.inertia.xy = sum.inertia.xy + fma(-k.x, d.y, fma(-k.y, d.x, I.inertia.xy));
  sum.inertia.xz = sum.inertia.xz + fma(-k.x, d.z, fma(-k.z, d.x, I.inertia.xz));
  sum.inertia.yz = sum.inertia.yz + fma(-k.y, d.z, fma(-k.z, d.y, I.inertia.yz));
}

}  // namespace pintle::inline PINTLE_ISA
