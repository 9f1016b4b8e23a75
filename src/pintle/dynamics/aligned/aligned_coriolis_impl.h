// The Coriolis matrix of coriolis_matrix_impl.h in aligned axes (aligned_motion.h): the wrenches for unit motions of
// the outer dofs are shifted from link to link, many columns side by side in packs.
#pragma once

#include "pintle/dynamics/aligned/aligned_motion.h"

namespace pintle::inline PINTLE_ISA {

/// Rows with one entry per dof, in aligned axes of the current link. Packs may begin up to kBefore entries before the
/// first dof.
template <class T>
struct CoriolisColumns {
  static constexpr int kBefore = 16, kRows = 17;
  /// The first of three rows (x, y, z) of a vector, or a row.
  static constexpr int kForce = 0, kTorque = 3;          // I S
  static constexpr int kRateForce = 6, kRateTorque = 9;  // I Sdot + B S
  static constexpr int kTurn = 12;                       // the torque B' S
  static constexpr int kAbove = 15, kBelow = 16;         // of one dof: its row of C and its column

  T* first;
  std::ptrdiff_t stride;

  PINTLE_INLINE T* row(int number) const { return first + number * stride; }

  PINTLE_INLINE Vec3<SideBySide<T>> load_vector(int number, int k) const {
    return {load_columns(row(number) + k), load_columns(row(number + 1) + k), load_columns(row(number + 2) + k)};
  }
  PINTLE_INLINE void store_vector(const Vec3<SideBySide<T>>& a, int number, int k) const {
    store_columns(a.x, row(number) + k);
    store_columns(a.y, row(number + 1) + k);
    store_columns(a.z, row(number + 2) + k);
  }
  PINTLE_INLINE void put(const Vec3<T>& a, int number, int k) const {
    row(number)[k] = a.x;
    row(number + 1)[k] = a.y;
    row(number + 2)[k] = a.z;
  }
};

template <class T>
struct AlignedCoriolisMemory {
  AlignedTree<T> tree;
  Twist<T>* V;
  Twist<T>* S_rate;  ///< per dof: V x S + dS/dt
  SpatialInertia<T>* I_C;
  CoriolisOperator<T>* B_C;
  int* end_v;  ///< per link: one past the last dof of its subtree
  CoriolisColumns<T> columns;
};

template <class T>
inline AlignedCoriolisMemory<T> take_coriolis_memory(const LinkTree& tree, Arena& memory) {
  using Columns = CoriolisColumns<T>;
  const int stride = Columns::kBefore + (tree.nv + 7) / 8 * 8;
  return {take_aligned_tree<T>(tree, memory),
          memory.take<Twist<T>>(tree.count),
          memory.take<Twist<T>>(tree.nv),
          memory.take<SpatialInertia<T>>(tree.count),
          memory.take<CoriolisOperator<T>>(tree.count),
          memory.take<int>(tree.count),
          {memory.take<T>(Columns::kRows * stride) + Columns::kBefore, stride}};
}

template <class P, class T>
PINTLE_INLINE Vec3<P> in_all_lanes_of(const Vec3<T>& a) {
  return {P(a.x), P(a.y), P(a.z)};
}

/// Entries of C for a revolute joint, whose unit motion about its own origin has no linear part. The same pass shifts
/// the columns to the parent.
template <class T>
PINTLE_INLINE void meet_revolute(const CoriolisColumns<T>& c, const Vec3<T>& axis, const Twist<T>& axis_rate,
                                 const Vec3<T>& to_here, int first, int end) {
  using P = SideBySide<T>;
  using C = CoriolisColumns<T>;
  const Vec3<P> a = in_all_lanes_of<P>(axis), d = in_all_lanes_of<P>(to_here);
  const Vec3<P> rate_linear = in_all_lanes_of<P>(axis_rate.linear), rate = in_all_lanes_of<P>(axis_rate.angular);
  for (int k = end - kSideBySide<T>; k > first - kSideBySide<T>; k -= kSideBySide<T>) {
    const Vec3<P> f = c.load_vector(C::kForce, k), n = c.load_vector(C::kTorque, k);
    store_columns(dot(rate_linear, f) + (dot(rate, n) + dot(a, c.load_vector(C::kTurn, k))), c.row(C::kBelow) + k);
    c.store_vector(n + cross(d, f), C::kTorque, k);
    const Vec3<P> f_rate = c.load_vector(C::kRateForce, k);
    const Vec3<P> n_rate = c.load_vector(C::kRateTorque, k);
    store_columns(dot(a, n_rate), c.row(C::kAbove) + k);
    c.store_vector(n_rate + cross(d, f_rate), C::kRateTorque, k);
  }
}

/// Entries of C for one dof of any joint; nothing is shifted.
template <class T>
PINTLE_INLINE void meet_any(const CoriolisColumns<T>& c, const Twist<T>& S, const Twist<T>& S_rate, int first,
                            int end) {
  using P = SideBySide<T>;
  using C = CoriolisColumns<T>;
  const Vec3<P> linear = in_all_lanes_of<P>(S.linear), angular = in_all_lanes_of<P>(S.angular);
  const Vec3<P> rate_linear = in_all_lanes_of<P>(S_rate.linear), rate = in_all_lanes_of<P>(S_rate.angular);
  for (int k = end - kSideBySide<T>; k > first - kSideBySide<T>; k -= kSideBySide<T>) {
    store_columns(dot(linear, c.load_vector(C::kRateForce, k)) + dot(angular, c.load_vector(C::kRateTorque, k)),
                  c.row(C::kAbove) + k);
    store_columns(dot(rate_linear, c.load_vector(C::kForce, k)) +
                      (dot(rate, c.load_vector(C::kTorque, k)) + dot(angular, c.load_vector(C::kTurn, k))),
                  c.row(C::kBelow) + k);
  }
}

/// Shifts the columns of a link's subtree to the origin of its parent.
template <class T>
PINTLE_INLINE void shift_columns(const CoriolisColumns<T>& c, const Vec3<T>& to_here, int first, int end) {
  using P = SideBySide<T>;
  using C = CoriolisColumns<T>;
  const Vec3<P> d = in_all_lanes_of<P>(to_here);
  for (int k = end - kSideBySide<T>; k > first - kSideBySide<T>; k -= kSideBySide<T>) {
    for (const int force : {C::kForce, C::kRateForce}) {
      const Vec3<P> moved = c.load_vector(force + 3, k) + cross(d, c.load_vector(force, k));
      c.store_vector(moved, force + 3, k);
    }
  }
}

/// The entries of C between a link's dofs and all dofs outboard of them, and the columns of those shifted to the
/// parent.
template <class T, class Number>
inline void meet_columns(const LinkTreeOf<Number>& tree, int i, const AlignedCoriolisMemory<T>& at, T* C) {
  const LinkOf<Number>& link = tree.links[i];
  const CoriolisColumns<T> c = at.columns;
  const int n = tree.nv, first = link.v + link.nv, end = at.end_v[i];
  if (first == end) return;
  const Vec3<T> d = at.tree.links[i].d;
  for (int j = link.v; j < first; ++j) {
    if (link.kind == JointKind::revolute) {
      meet_revolute(c, at.tree.S[j].angular, at.S_rate[j], d, first, end);
    } else {
      meet_any(c, at.tree.S[j], at.S_rate[j], first, end);
    }
    const T *const above = c.row(CoriolisColumns<T>::kAbove), *const below = c.row(CoriolisColumns<T>::kBelow);
    for (int k = first; k < end; ++k) {
      C[j * n + k] = above[k];
      C[k * n + j] = below[k];
    }
  }
  if (link.kind != JointKind::revolute && link.parent >= 0) shift_columns(c, d, first, end);
}

/// The own columns of a link's dofs, at the origin of its parent; and the entries of C among them.
template <class T, class Number>
PINTLE_INLINE void put_own_columns(const LinkTreeOf<Number>& tree, int i, const AlignedCoriolisMemory<T>& at, T* C) {
  using Columns = CoriolisColumns<T>;
  const LinkOf<Number>& link = tree.links[i];
  const Twist<T>* const S = at.tree.S + link.v;
  const Vec3<T>& d = at.tree.links[i].d;
  for (int k = link.v; k < link.v + link.nv; ++k) {
    const Twist<T>& S_k = at.tree.S[k];
    const Wrench<T> F_rate = at.I_C[i] * at.S_rate[k] + at.B_C[i] * S_k, F = at.I_C[i] * S_k;
    for (int j = 0; j < link.nv; ++j) C[(link.v + j) * tree.nv + k] = dot(S[j], F_rate);
    at.columns.put(F.force, Columns::kForce, k);
    at.columns.put(F.torque + cross(d, F.force), Columns::kTorque, k);
    at.columns.put(F_rate.force, Columns::kRateForce, k);
    at.columns.put(F_rate.torque + cross(d, F_rate.force), Columns::kRateTorque, k);
    at.columns.put(transpose_times(at.B_C[i], S_k), Columns::kTurn, k);
  }
}

/// Velocities of the links and time derivatives of the columns; inertia and Coriolis operator of each link alone.
template <class T, class Number>
inline void begin_coriolis(const LinkTreeOf<Number>& tree, const T* q, const T* v, const AlignedCoriolisMemory<T>& at) {
  aligned_poses(tree, {tree.count}, q, at.tree);
  aligned_velocities(tree, v, at.tree, at.V);
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<Number>& link = tree.links[i];
    const Twist<T>* const S = at.tree.S + link.v;
    at.I_C[i] = aligned_inertia<T>(link, at.tree.links[i].R);
    at.B_C[i] = coriolis_operator(at.I_C[i], at.V[i]);
    at.end_v[i] = link.v + link.nv;
    if (link.kind == JointKind::revolute) {
      at.S_rate[link.v] = {cross(at.V[i].linear, S->angular), cross(at.V[i].angular, S->angular)};
      continue;
    }
    for (int k = 0; k < link.nv; ++k)
      at.S_rate[link.v + k] = cross(at.V[i], S[k]) + column_rate(link, S, v + link.v, k);
  }
}

/// C(q, v), nv x nv, row-major; entries of dofs on different branches are zero.  [eq. coriolis-matrix]
template <class T, class Number>
inline void aligned_coriolis_matrix(const LinkTreeOf<Number>& tree, const T* q, const T* v,
                                    const AlignedCoriolisMemory<T>& at, T* C) {
  begin_coriolis(tree, q, v, at);
  for (int k = 0; k < tree.nv * tree.nv; ++k) C[k] = T(0);
  for (int i = tree.count - 1; i >= 0; --i) {
    meet_columns(tree, i, at, C);
    put_own_columns(tree, i, at, C);
    const int parent = tree.links[i].parent;
    if (parent < 0) continue;
    const Vec3<T>& d = at.tree.links[i].d;
    const CoriolisOperator<T>& B = at.B_C[i];
    CoriolisOperator<T>& sum = at.B_C[parent];
    add_shifted(at.I_C[parent], at.I_C[i], d);
    sum.momentum += B.momentum;
    sum.flow = sum.flow + (B.flow + outer(B.momentum, d));
    if (at.end_v[i] > at.end_v[parent]) at.end_v[parent] = at.end_v[i];
  }
}

}  // namespace pintle::inline PINTLE_ISA
