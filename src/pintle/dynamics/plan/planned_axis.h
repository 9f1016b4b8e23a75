// Transforms of motions, wrenches and inertias across a joint of a plan about or along an axis: single-axis rotations
// and shifts, one by one, in place of a rotation matrix and a vector.  [eq. plan-revolute]
#pragma once

#include "pintle/dynamics/plan/planned_memory.h"
#include "pintle/spatial/articulated_inertia.h"

namespace pintle::inline PINTLE_ISA {

/// A rotation about an axis of the frame.
template <class T>
struct AxisRotation {
  T cos, sin;
};

// ---- rotations of vectors: from the rotated axes to the fixed ones, and back

template <class T>
PINTLE_INLINE Vec3<T> rotate_z(const AxisRotation<T>& r, const Vec3<T>& a) {
  return {fma(r.cos, a.x, -(r.sin * a.y)), fma(r.sin, a.x, r.cos * a.y), a.z};
}
template <class T>
PINTLE_INLINE Vec3<T> rotate_z_back(const AxisRotation<T>& r, const Vec3<T>& a) {
  return {fma(r.cos, a.x, r.sin * a.y), fma(r.cos, a.y, -(r.sin * a.x)), a.z};
}
template <class T>
PINTLE_INLINE Vec3<T> rotate_x(const AxisRotation<T>& r, const Vec3<T>& a) {
  return {a.x, fma(r.cos, a.y, -(r.sin * a.z)), fma(r.sin, a.y, r.cos * a.z)};
}
template <class T>
PINTLE_INLINE Vec3<T> rotate_x_back(const AxisRotation<T>& r, const Vec3<T>& a) {
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
PINTLE_INLINE Twist<T> rotate_z_back(const AxisRotation<T>& r, const Twist<T>& V) {
  return {rotate_z_back(r, V.linear), rotate_z_back(r, V.angular)};
}
template <class T>
PINTLE_INLINE Twist<T> rotate_x_back(const AxisRotation<T>& r, const Twist<T>& V) {
  return {rotate_x_back(r, V.linear), rotate_x_back(r, V.angular)};
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
PINTLE_INLINE Wrench<T> rotate_z(const AxisRotation<T>& r, const Wrench<T>& F) {
  return {rotate_z(r, F.force), rotate_z(r, F.torque)};
}
template <class T>
PINTLE_INLINE Wrench<T> rotate_x(const AxisRotation<T>& r, const Wrench<T>& F) {
  return {rotate_x(r, F.force), rotate_x(r, F.torque)};
}

// ---- inertias inwards, in place: g++ would copy whole inertias through memory otherwise

/// The sines and cosines that rotate a tensor: R K R' of a 2x2 block keeps the trace and the skew part of K; the rest
/// rotates by twice the angle.
template <class T>
struct TensorRotation {
  AxisRotation<T> once;
  T sin_sin, cos_sin;
};
template <class T>
PINTLE_INLINE TensorRotation<T> tensor_rotation(const AxisRotation<T>& r) {
  return {r, r.sin * r.sin, r.cos * r.sin};
}

/// Rotates the block [xx, xy; yx, yy].
template <class T>
PINTLE_INLINE void rotate_block(const TensorRotation<T>& r, T& xx, T& xy, T& yx, T& yy) {
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
PINTLE_INLINE void rotate_block(const TensorRotation<T>& r, T& xx, T& xy, T& yy) {
  const T difference = xx - yy, sum = xy + xy;
  const T t = fma(r.sin_sin, difference, r.cos_sin * sum);
  const T u = fma(r.cos_sin, difference, -(r.sin_sin * sum));
  xx = xx - t;
  yy = yy + t;
  xy = xy + u;
}
template <class T>
PINTLE_INLINE void rotate_pair(const AxisRotation<T>& r, T& x, T& y) {
  const T rotated = fma(r.cos, x, -(r.sin * y));
  y = fma(r.sin, x, r.cos * y);
  x = rotated;
}

template <class T>
PINTLE_INLINE void rotate_z(const TensorRotation<T>& r, SymMat3<T>& S) {
  rotate_block(r, S.xx, S.xy, S.yy);
  rotate_pair(r.once, S.xz, S.yz);
}
template <class T>
PINTLE_INLINE void rotate_x(const TensorRotation<T>& r, SymMat3<T>& S) {
  rotate_block(r, S.yy, S.yz, S.zz);
  rotate_pair(r.once, S.xy, S.xz);
}
template <class T>
PINTLE_INLINE void rotate_z(const TensorRotation<T>& r, Mat3<T>& K) {
  rotate_block(r, K.xx, K.xy, K.yx, K.yy);
  rotate_pair(r.once, K.xz, K.yz);
  rotate_pair(r.once, K.zx, K.zy);
}
template <class T>
PINTLE_INLINE void rotate_x(const TensorRotation<T>& r, Mat3<T>& K) {
  rotate_block(r, K.yy, K.yz, K.zy, K.zz);
  rotate_pair(r.once, K.xy, K.xz);
  rotate_pair(r.once, K.yx, K.zx);
}
template <class T>
PINTLE_INLINE void rotate_z(const TensorRotation<T>& r, ArticulatedInertia<T>& I) {
  rotate_z(r, I.linear);
  rotate_z(r, I.coupling);
  rotate_z(r, I.angular);
}
template <class T>
PINTLE_INLINE void rotate_x(const TensorRotation<T>& r, ArticulatedInertia<T>& I) {
  rotate_x(r, I.linear);
  rotate_x(r, I.coupling);
  rotate_x(r, I.angular);
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
PINTLE_INLINE void rotate_z(const TensorRotation<T>& r, SpatialInertia<T>& I) {
  I.first_moment = rotate_z(r.once, I.first_moment);
  rotate_z(r, I.inertia);
}
template <class T>
PINTLE_INLINE void rotate_x(const TensorRotation<T>& r, SpatialInertia<T>& I) {
  I.first_moment = rotate_x(r.once, I.first_moment);
  rotate_x(r, I.inertia);
}

/// A mass moment: h + m p.
template <class T>
PINTLE_INLINE void shift_along_z(const T& d, MassMoment<T>& I) {
  I.first_moment.z = fma(I.mass, d, I.first_moment.z);
}
template <class T>
PINTLE_INLINE void shift_along_x(const T& d, MassMoment<T>& I) {
  I.first_moment.x = fma(I.mass, d, I.first_moment.x);
}
template <class T>
PINTLE_INLINE void rotate_z(const TensorRotation<T>& r, MassMoment<T>& I) {
  I.first_moment = rotate_z(r.once, I.first_moment);
}
template <class T>
PINTLE_INLINE void rotate_x(const TensorRotation<T>& r, MassMoment<T>& I) {
  I.first_moment = rotate_x(r.once, I.first_moment);
}
template <class T>
PINTLE_INLINE MassMoment<T> operator*(const Pose<T>& X, const MassMoment<T>& I) {
  return {I.mass, fma(I.mass, X.translation, X.rotation * I.first_moment)};
}

// ---- joints about or along an axis

/// The constant transform from the parent's frame to the axis of a joint; C is the type of its parameters: T where
/// every lane has its own joint.
template <class T, PlanPlacement kPlacement, class C>
struct AxisPlacement {
  /// A root in the world, and an axis without a common normal.
  static constexpr bool kHasPose = kPlacement == PlanPlacement::posed || kPlacement == PlanPlacement::root;
  const PlanParameters<C>& link;

  PINTLE_INLINE AxisRotation<T> alpha() const { return {T(link.cos_alpha), T(link.sin_alpha)}; }
  PINTLE_INLINE AxisRotation<T> gamma() const { return {T(link.cos_gamma), T(link.sin_gamma)}; }
  PINTLE_INLINE Pose<T> pose() const {
    const auto& R = link.rotation;
    const auto& p = link.translation;
    return {{T(R.xx), T(R.xy), T(R.xz), T(R.yx), T(R.yy), T(R.yz), T(R.zx), T(R.zy), T(R.zz)},
            {T(p.x), T(p.y), T(p.z)}};
  }

  PINTLE_INLINE Twist<T> to_axis(Twist<T> V) const {
    if constexpr (kPlacement == PlanPlacement::turned) {
      shift_along_z(T(link.b), V);
      V = rotate_z_back(gamma(), V);
    }
    if constexpr (kHasPose) {
      V = inverse_times(pose(), V);
    } else {
      shift_along_x(T(link.a), V);
      V = rotate_x_back(alpha(), V);
    }
    return V;
  }

  PINTLE_INLINE Wrench<T> from_axis(Wrench<T> F) const {
    if constexpr (kHasPose) {
      F = pose() * F;
    } else {
      F = rotate_x(alpha(), F);
      shift_along_x(T(link.a), F);
    }
    if constexpr (kPlacement == PlanPlacement::turned) {
      F = rotate_z(gamma(), F);
      shift_along_z(T(link.b), F);
    }
    return F;
  }

  template <class Inertia>
  PINTLE_INLINE void take_from_axis(Inertia& I) const {
    if constexpr (kHasPose) {
      I = pose() * I;
    } else {
      rotate_x(tensor_rotation(alpha()), I);
      shift_along_x(T(link.a), I);
    }
    if constexpr (kPlacement == PlanPlacement::turned) {
      rotate_z(tensor_rotation(gamma()), I);
      shift_along_z(T(link.b), I);
    }
  }
};

/// The rotation of a joint that only translates, and the translation of one that only rotates.
struct NoMotion {};

/// A joint that rotates about its axis, translates along it, or both: Rotation is an AxisRotation<T> or NoMotion,
/// Translation is T, with d, or NoMotion. C as in AxisPlacement.
template <class T, PlanPlacement kPlacement, class C, class Rotation = AxisRotation<T>, class Translation = T>
struct AxisJoint : AxisPlacement<T, kPlacement, C> {
  using TranslationType = Translation;
  static constexpr bool kRotates = !std::is_same_v<Rotation, NoMotion>;
  Rotation rotation;
  Translation translation;

  /// How far the link is along its axis.
  PINTLE_INLINE T shift() const {
    if constexpr (std::is_same_v<Translation, NoMotion>) {
      return T(this->link.d);
    } else {
      return translation;
    }
  }

  /// A vector in the axes of the joint's frame, in those of the link's.
  PINTLE_INLINE Vec3<T> rotate_outwards(Vec3<T> a) const {
    if constexpr (kRotates) a = rotate_z_back(rotation, a);
    return a;
  }

  /// A motion of the parent's frame, in the link's frame.
  PINTLE_INLINE Twist<T> outwards(Twist<T> V) const {
    V = this->to_axis(V);
    shift_along_z(shift(), V);
    if constexpr (kRotates) V = rotate_z_back(rotation, V);
    return V;
  }

  /// A wrench on the link, in the parent's frame.
  PINTLE_INLINE Wrench<T> inwards(Wrench<T> F) const {
    if constexpr (kRotates) F = rotate_z(rotation, F);
    shift_along_z(shift(), F);
    return this->from_axis(F);
  }

  /// An inertia, articulated or rigid, from the link's frame to the parent's.
  template <class Inertia>
  PINTLE_INLINE void take_inwards(Inertia& I) const {
    if constexpr (kRotates) rotate_z(tensor_rotation(rotation), I);
    shift_along_z(shift(), I);
    this->take_from_axis(I);
  }
};

// ---- the same joint in all lanes of P

template <class P, class T>
PINTLE_INLINE AxisRotation<P> in_all_lanes(const AxisRotation<T>& r) {
  return {P(r.cos), P(r.sin)};
}
template <class P>
PINTLE_INLINE NoMotion in_all_lanes(const NoMotion& none) {
  return none;
}
template <class P, template <class, PlanPlacement, class> class Joint, class T, PlanPlacement kPlacement, class C>
PINTLE_INLINE Joint<P, kPlacement, C> in_all_lanes(const Joint<T, kPlacement, C>& across) {
  using TranslationType = typename Joint<P, kPlacement, C>::TranslationType;
  return {{{across.link}, in_all_lanes<P>(across.rotation), TranslationType(across.translation)}};
}

}  // namespace pintle::inline PINTLE_ISA
