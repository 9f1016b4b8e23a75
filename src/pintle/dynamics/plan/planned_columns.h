// Wrenches and motions of many dofs, one column per dof, several columns at a time.
#pragma once

#include "pintle/dynamics/lanes/side_by_side.h"
#include "pintle/dynamics/plan/planned_memory.h"

namespace pintle::inline PINTLE_ISA {

/// Accelerations, one per dof that has a unit effort: the linear ones along x, those along y, ...
template <class T>
struct TwistColumns {
  T *vx, *vy, *vz, *wx, *wy, *wz;
};

template <class P, class T>
PINTLE_INLINE Vec3<P> in_all_lanes(const Vec3<T>& a) {
  return {P(a.x), P(a.y), P(a.z)};
}
template <class P, class T>
PINTLE_INLINE Wrench<P> in_all_lanes(const Wrench<T>& F) {
  return {in_all_lanes<P>(F.force), in_all_lanes<P>(F.torque)};
}
template <class P, class T>
PINTLE_INLINE Twist<P> in_all_lanes(const Twist<T>& V) {
  return {in_all_lanes<P>(V.linear), in_all_lanes<P>(V.angular)};
}
template <class P, class T>
PINTLE_INLINE Pose<P> in_all_lanes(const Pose<T>& X) {
  const Mat3<T>& R = X.rotation;
  return {{P(R.xx), P(R.xy), P(R.xz), P(R.yx), P(R.yy), P(R.yz), P(R.zx), P(R.zy), P(R.zz)},
          in_all_lanes<P>(X.translation)};
}
template <class P, class T>
PINTLE_INLINE void in_all_lanes(const JointBlock<T>& D, int n, JointBlock<P>& out) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) out.m[i][j] = P(D.m[i][j]);
}

/// The address of component j (of six) of column k: in its row, or within its column where columns go one by one.
template <class T>
PINTLE_INLINE T* component_at(T* row, T* first_row, int j, int k) {
  return kSideBySide<T> == 1 ? first_row + (6 * k + j) : row + k;
}

template <class T>
PINTLE_INLINE Wrench<SideBySide<T>> load_wrench(const WrenchColumns<T>& c, int k) {
  const auto component = [&c, k](T* row, int j) { return load_columns(component_at(row, c.fx, j, k)); };
  return {{component(c.fx, 0), component(c.fy, 1), component(c.fz, 2)},
          {component(c.nx, 3), component(c.ny, 4), component(c.nz, 5)}};
}
template <class T>
PINTLE_INLINE void store_wrench(const Wrench<SideBySide<T>>& F, const WrenchColumns<T>& c, int k) {
  store_columns(F.force.x, component_at(c.fx, c.fx, 0, k));
  store_columns(F.force.y, component_at(c.fy, c.fx, 1, k));
  store_columns(F.force.z, component_at(c.fz, c.fx, 2, k));
  store_columns(F.torque.x, component_at(c.nx, c.fx, 3, k));
  store_columns(F.torque.y, component_at(c.ny, c.fx, 4, k));
  store_columns(F.torque.z, component_at(c.nz, c.fx, 5, k));
}
template <class T>
PINTLE_INLINE Twist<SideBySide<T>> load_twist(const TwistColumns<T>& c, int k) {
  const auto component = [&c, k](T* row, int j) { return load_columns(component_at(row, c.vx, j, k)); };
  return {{component(c.vx, 0), component(c.vy, 1), component(c.vz, 2)},
          {component(c.wx, 3), component(c.wy, 4), component(c.wz, 5)}};
}
template <class T>
PINTLE_INLINE void store_twist(const Twist<SideBySide<T>>& A, const TwistColumns<T>& c, int k) {
  store_columns(A.linear.x, component_at(c.vx, c.vx, 0, k));
  store_columns(A.linear.y, component_at(c.vy, c.vx, 1, k));
  store_columns(A.linear.z, component_at(c.vz, c.vx, 2, k));
  store_columns(A.angular.x, component_at(c.wx, c.vx, 3, k));
  store_columns(A.angular.y, component_at(c.wy, c.vx, 4, k));
  store_columns(A.angular.z, component_at(c.wz, c.vx, 5, k));
}

/// One for column `own` among those at k and after it, zero for the others.
template <class T>
PINTLE_INLINE SideBySide<T> unit_effort(int own, int k) {
  using P = SideBySide<T>;
  if constexpr (kSideBySide<T> == 1) {
    return T(static_cast<base_t<T>>(own == k ? 1 : 0));
  } else {
    static constexpr T kPlaces[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return select(load<P>(kPlaces) == P(static_cast<T>(own - k)), P(T(1)), P(T(0)));
  }
}

}  // namespace pintle::inline PINTLE_ISA
