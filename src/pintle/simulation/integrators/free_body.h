// A free body in the state of seed 004: the position of a point b of the body, its orientation, its momentum p and its
// angular momentum L_b about b. Momentum is easier to integrate than velocity: in free flight p does not change by a
// bit, and L_b + r_b x p only by rounding. The steps are in free_body_impl.h.
#pragma once

#include "pintle/spatial/momentum.h"

namespace pintle {

/// The inertial parameters of a body: in axes fixed to it, from the point b, which need not be the centre of mass.
template <class T = double>
struct FreeBody {
  T mass;               ///< [kg]
  Vec3<T> center;       ///< the centre of mass from b [m]
  SymMat3<T> inertia;   ///< about the centre of mass [kg m^2]
  SymMat3<T> mobility;  ///< the inverse of `inertia`
};

/// 13 components. All vectors are in world axes.
template <class T = double>
struct FreeBodyState {
  Vec3<T> position;           ///< r_b [m], of b in the world
  Quaternion<T> orientation;  ///< R_WB
  Momentum<T> momentum;       ///< p [kg m/s] and L_b [kg m^2/s] about b
};

/// The time derivative of such a state.
template <class T = double>
struct FreeBodyDerivatives {
  Vec3<T> velocity;    ///< v_b [m/s], world axes
  Vec3<T> turning;     ///< angular velocity [rad/s] in body axes
  Wrench<T> momentum;  ///< dp/dt [N] and dL_b/dt [N m], world axes
};

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

/// A body of a mass [kg] with the centre of mass c [m] from b and the inertia I_c [kg m^2] about the centre of mass.
template <class T>
PINTLE_INLINE FreeBody<T> free_body(const T& mass, const Vec3<T>& c, const SymMat3<T>& I_c) {
  return {mass, c, I_c, inverse(I_c)};
}

/// A body with an inertia in a frame fixed to it, whose origin is b.
template <class T>
PINTLE_INLINE FreeBody<T> free_body(const SpatialInertia<T>& I_b) {
  return free_body(I_b.mass, center_of_mass(I_b), inertia_about_center_of_mass(I_b));
}

/// The motion of a state: v_b [m/s] and w [rad/s], world axes: w = I_c^-1 (L_b - c x p), v_b = p/m + c x w.
/// [eq. momentum-inverse]
template <class T>
PINTLE_INLINE Twist<T> velocity(const FreeBody<T>& body, const FreeBodyState<T>& state) {
  const Mat3<T> R = rotation_matrix(state.orientation);
  const Vec3<T> c = R * body.center;
  const Vec3<T> L_c = state.momentum.angular - cross(c, state.momentum.linear);
  const Vec3<T> w = R * (body.mobility * transpose_times(R, L_c));
  return {state.momentum.linear / body.mass + cross(c, w), w};
}

/// The momentum of a motion V (v_b and w, world axes): p = m (v_b + w x c), L_b = I_c w + c x p.  [eq. momentum]
template <class T>
PINTLE_INLINE Momentum<T> momentum(const FreeBody<T>& body, const Quaternion<T>& orientation, const Twist<T>& V) {
  const Mat3<T> R = rotation_matrix(orientation);
  const Vec3<T> c = R * body.center;
  const Vec3<T> p = body.mass * (V.linear + cross(V.angular, c));
  return {p, R * (body.inertia * transpose_times(R, V.angular)) + cross(c, p)};
}

/// The derivatives under a force and a torque about b, in world axes, given the motion V = velocity(body, state): dp/dt
/// = F, dL_b/dt = tau_b - v_b x p.  [eq. momentum-rate]
template <class T>
PINTLE_INLINE FreeBodyDerivatives<T> free_body_derivatives(const FreeBodyState<T>& state, const Twist<T>& V,
                                                           const Wrench<T>& F_b) {
  return {V.linear, rotate(conjugate(state.orientation), V.angular), momentum_rate(F_b, V.linear, state.momentum)};
}

/// The momentum about the world's origin: p and L_b + r_b x p, which are constant in free flight.  [eq. transfer]
template <class T>
PINTLE_INLINE Momentum<T> momentum_about_origin(const FreeBodyState<T>& state) {
  return transfer(state.momentum, -state.position);
}

/// The kinetic energy [J] of a state: (v_b.p + w.L_b)/2.
template <class T>
PINTLE_INLINE T kinetic_energy(const FreeBody<T>& body, const FreeBodyState<T>& state) {
  return base_t<T>(0.5) * dot(velocity(body, state), state.momentum);
}

}  // namespace pintle::inline PINTLE_ISA
