// Transforms of motions, wrenches and inertias across a revolute joint of a plan: single-axis rotations and shifts, one
// by one, in place of a rotation matrix and a vector.  [eq. plan-hinge]
#pragma once

#include "pintle/dynamics/plan/planned_kinds.h"
#include "pintle/dynamics/plan/planned_memory.h"
#include "pintle/spatial/articulated_inertia.h"

namespace pintle::inline PINTLE_ISA {

/// A rotation about an axis of the frame.
template <class T>
struct Turn {
  T cos, sin;
};

// ---- rotations of vectors: from the rotated axes to the fixed ones, and back

template <class T>
PINTLE_INLINE Vec3<T> turn_z(const Turn<T>& r, const Vec3<T>& a) {
  return {fma(r.cos, a.x, -(r.sin * a.y)), fma(r.sin, a.x, r.cos * a.y), a.z};
}
template <class T>
PINTLE_INLINE Vec3<T> turn_z_back(const Turn<T>& r, const Vec3<T>& a) {
  return {fma(r.cos, a.x, r.sin * a.y), fma(r.cos, a.y, -(r.sin * a.x)), a.z};
}
template <class T>
PINTLE_INLINE Vec3<T> turn_x(const Turn<T>& r, const Vec3<T>& a) {
  return {a.x, fma(r.cos, a.y, -(r.sin * a.z)), fma(r.sin, a.y, r.cos * a.z)};
}
template <class T>
PINTLE_INLINE Vec3<T> turn_x_back(const Turn<T>& r, const Vec3<T>& a) {
  return {a.x, fma(r.cos, a.y, r.sin * a.z), fma(r.cos, a.z, -(r.sin * a.y))};
}

// ---- motions outwards: to a frame that is rotated, or shifted by d along an axis: v + w x p

template <class T>
PINTLE_INLINE void shift_along_z(const T& d, Twist<T>& V) {
  V.linear.x = fma(d, V.angular.y, V.linear.x);
  V.linear.y = fma(-d, V.angular.x, V.linear.y);
}
template <class T>
PINTLE_INLINE void shift_along_x(const T& d, Twist<T>& V) {
  V.linear.y = fma(d, V.angular.z, V.linear.y);
  V.linear.z = fma(-d, V.angular.y, V.linear.z);
}
template <class T>
PINTLE_INLINE Twist<T> turn_z_back(const Turn<T>& r, const Twist<T>& V) {
  return {turn_z_back(r, V.linear), turn_z_back(r, V.angular)};
}
template <class T>
PINTLE_INLINE Twist<T> turn_x_back(const Turn<T>& r, const Twist<T>& V) {
  return {turn_x_back(r, V.linear), turn_x_back(r, V.angular)};
}

// ---- wrenches inwards: n + p x f

template <class T>
PINTLE_INLINE void shift_along_z(const T& d, Wrench<T>& F) {
  F.torque.x = fma(-d, F.force.y, F.torque.x);
  F.torque.y = fma(d, F.force.x, F.torque.y);
}
template <class T>
PINTLE_INLINE void shift_along_x(const T& d, Wrench<T>& F) {
  F.torque.y = fma(-d, F.force.z, F.torque.y);
  F.torque.z = fma(d, F.force.y, F.torque.z);
}
template <class T>
PINTLE_INLINE Wrench<T> turn_z(const Turn<T>& r, const Wrench<T>& F) {
  return {turn_z(r, F.force), turn_z(r, F.torque)};
}
template <class T>
PINTLE_INLINE Wrench<T> turn_x(const Turn<T>& r, const Wrench<T>& F) {
  return {turn_x(r, F.force), turn_x(r, F.torque)};
}

// ---- inertias inwards, in place: g++ would copy whole inertias through memory otherwise

/// The sines and cosines that rotate a tensor: R K R' of a 2x2 block keeps the trace and the skew part of K; the rest
/// rotates by twice the angle.
template <class T>
struct TensorTurn {
  Turn<T> once;
  T sin_sin, cos_sin;
};
template <class T>
PINTLE_INLINE TensorTurn<T> tensor_turn(const Turn<T>& r) {
  return {r, r.sin * r.sin, r.cos * r.sin};
}

/// Rotates the block [xx, xy; yx, yy].
template <class T>
PINTLE_INLINE void turn_block(const TensorTurn<T>& r, T& xx, T& xy, T& yx, T& yy) {
  const T difference = xx - yy, sum = xy + yx;
  const T t = fma(r.sin_sin, difference, r.cos_sin * sum);
  const T u = fma(r.cos_sin, difference, -(r.sin_sin * sum));
  xx = xx - t;
  yy = yy + t;
  xy = xy + u;
  yx = yx + u;
}
/// Rotates the symmetric block [xx, xy; xy, yy].
template <class T>
PINTLE_INLINE void turn_block(const TensorTurn<T>& r, T& xx, T& xy, T& yy) {
  const T difference = xx - yy, sum = xy + xy;
  const T t = fma(r.sin_sin, difference, r.cos_sin * sum);
  const T u = fma(r.cos_sin, difference, -(r.sin_sin * sum));
  xx = xx - t;
  yy = yy + t;
  xy = xy + u;
}
template <class T>
PINTLE_INLINE void turn_pair(const Turn<T>& r, T& x, T& y) {
  const T turned = fma(r.cos, x, -(r.sin * y));
  y = fma(r.sin, x, r.cos * y);
  x = turned;
}

template <class T>
PINTLE_INLINE void turn_z(const TensorTurn<T>& r, SymMat3<T>& S) {
  turn_block(r, S.xx, S.xy, S.yy);
  turn_pair(r.once, S.xz, S.yz);
}
template <class T>
PINTLE_INLINE void turn_x(const TensorTurn<T>& r, SymMat3<T>& S) {
  turn_block(r, S.yy, S.yz, S.zz);
  turn_pair(r.once, S.xy, S.xz);
}
template <class T>
PINTLE_INLINE void turn_z(const TensorTurn<T>& r, Mat3<T>& K) {
  turn_block(r, K.xx, K.xy, K.yx, K.yy);
  turn_pair(r.once, K.xz, K.yz);
  turn_pair(r.once, K.zx, K.zy);
}
template <class T>
PINTLE_INLINE void turn_x(const TensorTurn<T>& r, Mat3<T>& K) {
  turn_block(r, K.yy, K.yz, K.zy, K.zz);
  turn_pair(r.once, K.xy, K.xz);
  turn_pair(r.once, K.yx, K.zx);
}
template <class T>
PINTLE_INLINE void turn_z(const TensorTurn<T>& r, ArticulatedInertia<T>& I) {
  turn_z(r, I.linear);
  turn_z(r, I.coupling);
  turn_z(r, I.angular);
}
template <class T>
PINTLE_INLINE void turn_x(const TensorTurn<T>& r, ArticulatedInertia<T>& I) {
  turn_x(r, I.linear);
  turn_x(r, I.coupling);
  turn_x(r, I.angular);
}

/// About an origin shifted by -p: K - L [p x], A + [p x] K + ([p x] (K - L [p x]))', here with p = (0, 0, d).
template <class T>
PINTLE_INLINE void shift_along_z(const T& d, ArticulatedInertia<T>& I) {
  const SymMat3<T>& L = I.linear;
  Mat3<T>& K = I.coupling;
  SymMat3<T>& A = I.angular;
  const T xx = K.xx, xy = K.xy, yx = K.yx;
  K.xx = fma(-d, L.xy, K.xx);
  K.yx = fma(-d, L.yy, K.yx);
  K.zx = fma(-d, L.yz, K.zx);
  K.xy = fma(d, L.xx, K.xy);
  K.yy = fma(d, L.xy, K.yy);
  K.zy = fma(d, L.xz, K.zy);
  A.xx = fma(-d, yx + K.yx, A.xx);
  A.xy = fma(d, xx - K.yy, A.xy);
  A.yy = fma(d, xy + K.xy, A.yy);
  A.xz = fma(-d, K.yz, A.xz);
  A.yz = fma(d, K.xz, A.yz);
}
/// The same with p = (d, 0, 0).
template <class T>
PINTLE_INLINE void shift_along_x(const T& d, ArticulatedInertia<T>& I) {
  const SymMat3<T>& L = I.linear;
  Mat3<T>& K = I.coupling;
  SymMat3<T>& A = I.angular;
  const T yy = K.yy, yz = K.yz, zy = K.zy;
  K.xy = fma(-d, L.xz, K.xy);
  K.yy = fma(-d, L.yz, K.yy);
  K.zy = fma(-d, L.zz, K.zy);
  K.xz = fma(d, L.xy, K.xz);
  K.yz = fma(d, L.yy, K.yz);
  K.zz = fma(d, L.yz, K.zz);
  A.yy = fma(-d, zy + K.zy, A.yy);
  A.yz = fma(d, yy - K.zz, A.yz);
  A.zz = fma(d, yz + K.yz, A.zz);
  A.xy = fma(-d, K.zx, A.xy);
  A.xz = fma(d, K.yx, A.xz);
}

/// A rigid body: h + m p and I + 2 (h.p) 1 - h p' - p h' + m (|p|^2 1 - p p') with p = (0, 0, d).
template <class T>
PINTLE_INLINE void shift_along_z(const T& d, SpatialInertia<T>& I) {
  Vec3<T>& h = I.first_moment;
  const T moved = fma(I.mass, d, h.z), twice = d * (h.z + moved);
  I.inertia.xx = I.inertia.xx + twice;
  I.inertia.yy = I.inertia.yy + twice;
  I.inertia.xz = fma(-d, h.x, I.inertia.xz);
  I.inertia.yz = fma(-d, h.y, I.inertia.yz);
  h.z = moved;
}
template <class T>
PINTLE_INLINE void shift_along_x(const T& d, SpatialInertia<T>& I) {
  Vec3<T>& h = I.first_moment;
  const T moved = fma(I.mass, d, h.x), twice = d * (h.x + moved);
  I.inertia.yy = I.inertia.yy + twice;
  I.inertia.zz = I.inertia.zz + twice;
  I.inertia.xy = fma(-d, h.y, I.inertia.xy);
  I.inertia.xz = fma(-d, h.z, I.inertia.xz);
  h.x = moved;
}
template <class T>
PINTLE_INLINE void turn_z(const TensorTurn<T>& r, SpatialInertia<T>& I) {
  I.first_moment = turn_z(r.once, I.first_moment);
  turn_z(r, I.inertia);
}
template <class T>
PINTLE_INLINE void turn_x(const TensorTurn<T>& r, SpatialInertia<T>& I) {
  I.first_moment = turn_x(r.once, I.first_moment);
  turn_x(r, I.inertia);
}

// ---- joints about or along an axis

/// The constant transform from the parent's frame to the axis of a joint; C is the type of its parameters: T where
/// every lane has its own joint.
template <class T, PlanKind kKind, class C>
struct WayToAxis {
  const PlanNumbers<C>& link;

  PINTLE_INLINE Turn<T> alpha() const { return {T(link.cos_alpha), T(link.sin_alpha)}; }
  PINTLE_INLINE Turn<T> gamma() const { return {T(link.cos_gamma), T(link.sin_gamma)}; }
  PINTLE_INLINE Pose<T> pose() const {
    const auto& R = link.rotation;
    const auto& p = link.translation;
    return {{T(R.xx), T(R.xy), T(R.xz), T(R.yx), T(R.yy), T(R.yz), T(R.zx), T(R.zy), T(R.zz)},
            {T(p.x), T(p.y), T(p.z)}};
  }

  PINTLE_INLINE Twist<T> to_axis(Twist<T> V) const {
    if constexpr (is_turned(kKind)) {
      shift_along_z(T(link.b), V);
      V = turn_z_back(gamma(), V);
    }
    if constexpr (is_posed(kKind)) {
      V = inverse_times(pose(), V);
    } else {
      shift_along_x(T(link.a), V);
      V = turn_x_back(alpha(), V);
    }
    return V;
  }

  PINTLE_INLINE Wrench<T> from_axis(Wrench<T> F) const {
    if constexpr (is_posed(kKind)) {
      F = pose() * F;
    } else {
      F = turn_x(alpha(), F);
      shift_along_x(T(link.a), F);
    }
    if constexpr (is_turned(kKind)) {
      F = turn_z(gamma(), F);
      shift_along_z(T(link.b), F);
    }
    return F;
  }

  template <class Inertia>
  PINTLE_INLINE void take_from_axis(Inertia& I) const {
    if constexpr (is_posed(kKind)) {
      I = pose() * I;
    } else {
      turn_x(tensor_turn(alpha()), I);
      shift_along_x(T(link.a), I);
    }
    if constexpr (is_turned(kKind)) {
      turn_z(tensor_turn(gamma()), I);
      shift_along_z(T(link.b), I);
    }
  }
};

/// A revolute joint of a plan at an angle; C as in WayToAxis.
template <class T, PlanKind kKind, class C = base_t<T>>
struct Hinge : WayToAxis<T, kKind, C> {
  using WayToAxis<T, kKind, C>::link;
  Turn<T> joint;

  /// Broadcast to all lanes.
  template <class P>
  PINTLE_INLINE Hinge<P, kKind, C> side_by_side() const {
    return {{link}, {P(joint.cos), P(joint.sin)}};
  }

  /// A vector in the axes of the joint's frame, in those of the link's.
  PINTLE_INLINE Vec3<T> turn_outwards(const Vec3<T>& a) const { return turn_z_back(joint, a); }

  /// A motion of the parent's frame, in the link's frame.
  PINTLE_INLINE Twist<T> outwards(Twist<T> V) const {
    V = this->to_axis(V);
    shift_along_z(T(link.d), V);
    return turn_z_back(joint, V);
  }

  /// A wrench on the link, in the parent's frame.
  PINTLE_INLINE Wrench<T> inwards(Wrench<T> F) const {
    F = turn_z(joint, F);
    shift_along_z(T(link.d), F);
    return this->from_axis(F);
  }

  /// An inertia, articulated or rigid, from the link's frame to the parent's.
  template <class Inertia>
  PINTLE_INLINE void take_inwards(Inertia& I) const {
    turn_z(tensor_turn(joint), I);
    shift_along_z(T(link.d), I);
    this->take_from_axis(I);
  }

  // ---- the dof of the joint, S: rotation about z

  /// S v.
  PINTLE_INLINE Twist<T> motion(const T& rate) const { return {{T(0), T(0), T(0)}, {T(0), T(0), rate}}; }
  /// V + S v.
  PINTLE_INLINE void add_motion(const T& rate, Twist<T>& V) const { V.angular.z = V.angular.z + rate; }
  /// S'F.
  PINTLE_INLINE T along(const Wrench<T>& F) const { return F.torque.z; }
  PINTLE_INLINE T along(const WrenchColumns<T>& F, int k) const { return F.nz[k]; }
  /// Sets S'F to its known value.
  PINTLE_INLINE void put_along(const T& effort, Wrench<T>& F) const { F.torque.z = effort; }

  /// Upper bound of its inertia, with the projected inertia `outer` of the children.
  PINTLE_INLINE T most(const ArticulatedInertia<T>& outer) const {
    return outer.angular.xx + outer.angular.yy + outer.angular.zz + T(link.whole_trace);
  }
};

}  // namespace pintle::inline PINTLE_ISA
