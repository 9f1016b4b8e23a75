// The dynamics of a link on a cylindrical joint of a plan: it rotates about its axis and translates along it,
// independently. Its parent sees no inertia along either dof, except that of rotors.  [eq. plan-cylinder]
#pragma once

#include "pintle/dynamics/plan/planned_screw.h"

namespace pintle::inline PINTLE_ISA {

/// Coordinates, velocities or accelerations of the two dofs of a cylindrical joint.
template <class T>
struct TravelAndTurn {
  T travel, turn;
};

/// The values of a cylindrical joint, or the single value of another joint with an axis.
template <PlanKind kKind, class T>
PINTLE_INLINE auto dofs_at(const T* numbers) {
  if constexpr (is_cylinder(kKind)) {
    return TravelAndTurn<T>{numbers[0], numbers[1]};
  } else {
    return numbers[0];
  }
}

/// A cylindrical joint of a plan: it translates by q_0 and rotates by q_1.
template <class T, PlanKind kKind, class C = base_t<T>>
struct CylinderJoint : TurnAndTravel<T, kKind, C> {
  using TurnAndTravel<T, kKind, C>::link;

  /// Broadcast to all lanes.
  template <class P>
  PINTLE_INLINE CylinderJoint<P, kKind, C> side_by_side() const {
    return {{{link}, {P(this->joint.cos), P(this->joint.sin)}, P(this->travel)}};
  }

  /// S v.
  PINTLE_INLINE Twist<T> motion(const TravelAndTurn<T>& derivatives) const {
    return {{T(0), T(0), derivatives.travel}, {T(0), T(0), derivatives.turn}};
  }
  /// V + S v.
  PINTLE_INLINE void add_motion(const TravelAndTurn<T>& derivatives, Twist<T>& V) const {
    V.linear.z = V.linear.z + derivatives.travel;
    V.angular.z = V.angular.z + derivatives.turn;
  }
};

/// Adds V x S v to A, for a link with velocity V and joint velocity S v.
template <PlanKind kKind, class T, class C>
PINTLE_INLINE void add_bias(const CylinderJoint<T, kKind, C>&, const Twist<T>& V, const TravelAndTurn<T>& derivatives,
                            Twist<T>& A) {
  A.angular.x = fma(V.angular.y, derivatives.turn, A.angular.x);
  A.angular.y = fma(-V.angular.x, derivatives.turn, A.angular.y);
  A.linear.x = fma(V.angular.y, derivatives.travel, fma(V.linear.y, derivatives.turn, A.linear.x));
  A.linear.y = fma(-V.angular.x, derivatives.travel, fma(-V.linear.x, derivatives.turn, A.linear.y));
}

/// U = I_A S, with the projected inertia `outer` of the children.
template <PlanKind kKind, class T, class C>
PINTLE_INLINE void find_columns(const CylinderJoint<T, kKind, C>& across, const ArticulatedInertia<T>& outer,
                                Wrench<T>* U) {
  const SymMat3<T>&L = outer.linear, &A = outer.angular;
  const Mat3<T>& K = outer.coupling;
  const auto& h = across.link.inertia.first_moment;
  const auto& J = across.link.inertia.inertia;
  const T hx(h.x), hy(h.y);
  U[0] = {{L.xz, L.yz, L.zz + T(across.link.inertia.mass)}, {K.zx + hy, K.zy - hx, K.zz}};
  U[1] = {{K.xz - hy, K.yz + hx, K.zz}, {A.xz + T(J.xz), A.yz + T(J.yz), A.zz + T(J.zz)}};
}

/// The factors of D = S' U + armature, as those of a block of a general joint. `margin` becomes negative where D is
/// nearly singular.
template <PlanKind kKind, class T, class C>
PINTLE_INLINE void factor_cylinder(const CylinderJoint<T, kKind, C>& across, const ArticulatedInertia<T>& outer,
                                   const Wrench<T>* U, const TravelAndTurn<T>& armature, JointBlock<T>& D, T& margin) {
  const SymMat3<T>&L = outer.linear, &A = outer.angular;
  const T travel = U[0].force.z + armature.travel, both = U[1].force.z;
  D.m[0][0] = T(1) / travel;
  D.m[1][0] = both * D.m[0][0];
  const T turn = fma(-D.m[1][0], both, U[1].torque.z + armature.turn);
  D.m[1][1] = T(1) / turn;
  const T rounding(-64 * kEpsilon<T>), m(across.link.inertia.mass);
  const T max_travel = L.xx + L.yy + L.zz + fma(T(3), m, armature.travel);
  const T max_turn = A.xx + A.yy + A.zz + T(across.link.whole_trace) + armature.turn;
  margin = min(fma(rounding, max_travel, travel), min(fma(rounding, max_turn, turn), margin));
}

/// D^-1 b.
template <class T>
PINTLE_INLINE TravelAndTurn<T> solve_cylinder(const JointBlock<T>& D, const TravelAndTurn<T>& b) {
  const T turn = fma(-D.m[1][0], b.travel, b.turn) * D.m[1][1];
  return {fma(-D.m[1][0], turn, b.travel * D.m[0][0]), turn};
}

/// I_A - U D^-1 U'. Along S it is U D^-1 armature, which is set, not computed
/// (docs/decisions/0004-projected-articulated-inertia.md).  [eq. plan-cylinder]
template <PlanKind kKind, class T, class C>
PINTLE_INLINE ArticulatedInertia<T> projected_inertia(const CylinderJoint<T, kKind, C>& across,
                                                      const ArticulatedInertia<T>& outer, const Wrench<T>* U,
                                                      const JointBlock<T>& D, const TravelAndTurn<T>& armature) {
  const SymMat3<T>&L = outer.linear, &A = outer.angular;
  const Mat3<T>& K = outer.coupling;
  const auto& J = across.link.inertia.inertia;
  const T m(across.link.inertia.mass), hz(across.link.inertia.first_moment.z), part = D.m[1][0];
  // U D^-1 U' = f d_0 f' + g d_1 g' with g the rotation's column minus its part along the translation's.
  const Wrench<T>& f = U[0];
  const Wrench<T> g = U[1] - f * part;
  const Wrench<T> fd = f * D.m[0][0], gd = g * D.m[1][1];
  const auto less = [&](const T& whole, const T& f_i, const T& f_j, const T& g_i, const T& g_j) {
    return fma(-g_i, g_j, fma(-f_i, f_j, whole));
  };
  const Vec3<T>&p = fd.force, &r = fd.torque, &s = gd.force, &t = gd.torque;
  ArticulatedInertia<T> I;
  I.linear.xx = less(L.xx + m, p.x, f.force.x, s.x, g.force.x);
  I.linear.xy = less(L.xy, p.x, f.force.y, s.x, g.force.y);
  I.linear.yy = less(L.yy + m, p.y, f.force.y, s.y, g.force.y);
  I.coupling.xx = less(K.xx, p.x, f.torque.x, s.x, g.torque.x);
  I.coupling.xy = less(K.xy + hz, p.x, f.torque.y, s.x, g.torque.y);
  I.coupling.yx = less(K.yx - hz, p.y, f.torque.x, s.y, g.torque.x);
  I.coupling.yy = less(K.yy, p.y, f.torque.y, s.y, g.torque.y);
  I.angular.xx = less(A.xx + T(J.xx), r.x, f.torque.x, t.x, g.torque.x);
  I.angular.xy = less(A.xy + T(J.xy), r.x, f.torque.y, t.x, g.torque.y);
  I.angular.yy = less(A.yy + T(J.yy), r.y, f.torque.y, t.y, g.torque.y);

  const Wrench<T> turn = gd * armature.turn, travel = (fd - gd * part) * armature.travel;
  I.linear.xz = travel.force.x;
  I.linear.yz = travel.force.y;
  I.linear.zz = travel.force.z;
  I.coupling.zx = travel.torque.x;
  I.coupling.zy = travel.torque.y;
  I.coupling.zz = D.m[1][1] * part * armature.travel * armature.turn;
  I.coupling.xz = turn.force.x;
  I.coupling.yz = turn.force.y;
  I.angular.xz = turn.torque.x;
  I.angular.yz = turn.torque.y;
  I.angular.zz = turn.torque.z;
  return I;
}

/// A cylindrical joint with the projected inertia `outer` of the children and the bias p: computes U, the factors of D
/// and u, and calls add(I, p) with the projected inertia and bias for the parent, if there is one.  [eq. aba]
template <PlanKind kKind, class T, class C, class Add>
PINTLE_INLINE void articulate_cylinder(const CylinderJoint<T, kKind, C>& across, const ArticulatedInertia<T>& outer,
                                       Wrench<T> p, const TravelAndTurn<T>& efforts, const TravelAndTurn<T>& armature,
                                       PlannedGeneral<T>& own, T& margin, const Add& add) {
  find_columns(across, outer, own.U);
  factor_cylinder(across, outer, own.U, armature, own.D, margin);
  const TravelAndTurn<T> u{efforts.travel - p.force.z, efforts.turn - p.torque.z};
  own.u[0] = u.travel;
  own.u[1] = u.turn;
  if constexpr (!is_root(kKind)) {
    const TravelAndTurn<T> gained = solve_cylinder(own.D, u);
    p += own.U[0] * gained.travel + own.U[1] * gained.turn;
    p.force.z = fma(-armature.travel, gained.travel, efforts.travel);
    p.torque.z = fma(-armature.turn, gained.turn, efforts.turn);
    ArticulatedInertia<T> I_a = projected_inertia(across, outer, own.U, own.D, armature);
    across.take_inwards(I_a);
    add(I_a, across.inwards(p));
  }
}

/// Adds the accelerations due to the remaining efforts to the link, and to vdot.  [eq. aba]
template <PlanKind kKind, class T, class C>
PINTLE_INLINE void answer_on_cylinder(const CylinderJoint<T, kKind, C>& across, const PlannedLink<T>* parent,
                                      const PlannedGeneral<T>& own, PlannedLink<T>& here, T* vdot) {
  Twist<T> A = zero_twist<T>();
  TravelAndTurn<T> left{own.u[0], own.u[1]};
  if constexpr (!is_root(kKind)) {
    A = across.outwards(parent->A);
    left = {left.travel - dot(A, own.U[0]), left.turn - dot(A, own.U[1])};
  }
  const TravelAndTurn<T> found = solve_cylinder(own.D, left);
  across.add_motion(found, A);
  here.A = A;
  vdot[0] = found.travel;
  vdot[1] = found.turn;
}

}  // namespace pintle::inline PINTLE_ISA
