// The 6x6 and 6x1 matrix view of every spatial type, linear part (force part) first. For reading, teaching and testing.
#pragma once

#include "pintle/math/matrix.h"
#include "pintle/spatial/articulated_inertia.h"
#include "pintle/spatial/momentum.h"

namespace pintle::inline PINTLE_ISA {

template <class T, std::size_t N>
inline ColumnVector<T, static_cast<int>(N)> to_column(const std::array<T, N>& a) {
  ColumnVector<T, static_cast<int>(N)> column;
  for (std::size_t i = 0; i < N; ++i) column.m[i][0] = a[i];
  return column;
}

/// [linear; angular]
template <class T>
inline ColumnVector<T, 6> to_matrix(const Twist<T>& V) {
  return to_column(to_array(V));
}
/// [force; torque]
template <class T>
inline ColumnVector<T, 6> to_matrix(const Wrench<T>& F) {
  return to_column(to_array(F));
}
/// [p; L]
template <class T>
inline ColumnVector<T, 6> to_matrix(const Momentum<T>& M) {
  return to_column(to_array(M));
}

/// The adjoint of X_AB, V_A = [R, [p x] R; 0, R] V_B.
template <class T>
inline Matrix6<T> to_matrix(const Pose<T>& X) {
  return from_blocks(X.rotation, skew(X.translation) * X.rotation, zero_mat3<T>(), X.rotation);
}

/// The co-adjoint of X_AB, F_A = [R, 0; [p x] R, R] F_B: the inverse transpose of to_matrix(X).
template <class T>
inline Matrix6<T> to_dual_matrix(const Pose<T>& X) {
  return from_blocks(X.rotation, zero_mat3<T>(), skew(X.translation) * X.rotation, X.rotation);
}

/// The matrix of V x on twists: [[w x], [v x]; 0, [w x]].
template <class T>
inline Matrix6<T> cross_matrix(const Twist<T>& V) {
  return from_blocks(skew(V.angular), skew(V.linear), zero_mat3<T>(), skew(V.angular));
}

/// The matrix of V x* on wrenches: [[w x], 0; [v x], [w x]].
template <class T>
inline Matrix6<T> cross_dual_matrix(const Twist<T>& V) {
  return from_blocks(skew(V.angular), zero_mat3<T>(), skew(V.linear), skew(V.angular));
}

/// [linear, coupling; coupling', angular]
template <class T>
inline Matrix6<T> to_matrix(const ArticulatedInertia<T>& I) {
  return from_blocks(full(I.linear), I.coupling, transpose(I.coupling), full(I.angular));
}

/// [m 1, -[h x]; [h x], I_o]
template <class T>
inline Matrix6<T> to_matrix(const SpatialInertia<T>& I) {
  return to_matrix(articulated(I));
}

}  // namespace pintle::inline PINTLE_ISA
