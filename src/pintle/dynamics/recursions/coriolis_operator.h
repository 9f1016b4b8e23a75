// CoriolisOperator: the velocity-dependent counterpart of the inertia of a rigid body, or of several, in the Coriolis
// matrix.
#pragma once

#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// An operator from motions to wrenches, B U = sum over the body's points of the force m w_U x dx/dt, with its torque
/// about the frame's origin. All it needs of the points: `momentum` p = sum m dx/dt [kg m/s] and `flow` Q = sum m dx/dt
/// x' [kg m^2/s], both relative to the world and about the frame's origin, in its axes. Operators of several bodies in
/// one frame add.
template <class T = double>
struct CoriolisOperator {
  Vec3<T> momentum;
  Mat3<T> flow;
};

template <class T>
CoriolisOperator(Vec3<T>, Mat3<T>) -> CoriolisOperator<T>;

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

/// Operator of a rigid body that moves with V: dx/dt = v + w x x, so Q = v h' + [w x] sum m x x', and sum m x x' is
/// tr(I_o)/2 - I_o.  [eq. coriolis-operator]
template <class T>
PINTLE_INLINE CoriolisOperator<T> coriolis_operator(const SpatialInertia<T>& I, const Twist<T>& V) {
  const T half_trace = base_t<T>(0.5) * trace(I.inertia);
  const SymMat3<T> second_moment = diagonal(Vec3<T>{half_trace, half_trace, half_trace}) - I.inertia;
  return {fma(I.mass, V.linear, cross(V.angular, I.first_moment)),
          outer(V.linear, I.first_moment) + skew(V.angular) * full(second_moment)};
}

/// Sum of two bodies, in one frame.
template <class T>
PINTLE_INLINE CoriolisOperator<T> operator+(const CoriolisOperator<T>& a, const CoriolisOperator<T>& b) {
  return {a.momentum + b.momentum, a.flow + b.flow};
}

/// B U = [w x p; (tr(Q) - Q) w]: only the angular part w of U counts.  [eq. coriolis-operator]
template <class T>
PINTLE_INLINE Wrench<T> operator*(const CoriolisOperator<T>& B, const Twist<T>& U) {
  return {cross(U.angular, B.momentum), trace(B.flow) * U.angular - B.flow * U.angular};
}

/// B' U = [0; p x v + (tr(Q) - Q') w]: a pure torque, which is returned.  [eq. coriolis-operator]
template <class T>
PINTLE_INLINE Vec3<T> transpose_times(const CoriolisOperator<T>& B, const Twist<T>& U) {
  return cross(B.momentum, U.linear) + (trace(B.flow) * U.angular - transpose_times(B.flow, U.angular));
}

/// The same operator expressed in A instead of B: points are x_A = R x_B + r, so Q gains R p r'.
template <class T>
PINTLE_INLINE CoriolisOperator<T> operator*(const Pose<T>& X_AB, const CoriolisOperator<T>& B) {
  const Mat3<T> R = X_AB.rotation;
  const Vec3<T> p = R * B.momentum;
  return {p, R * B.flow * transpose(R) + outer(p, X_AB.translation)};
}

}  // namespace pintle::inline PINTLE_ISA
