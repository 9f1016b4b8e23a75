// The screw view: every twist, wrench and displacement has an axis, a pitch and a magnitude (Mozzi, Chasles, Poinsot).
// The bodies are in screw_impl.h.
#pragma once

#include "pintle/spatial/pose.h"

namespace pintle {

/// A line in space with a pitch and a magnitude. `point` [m] is the point of the axis nearest to the frame's origin,
/// `direction` a unit vector.
///
/// |            | magnitude      | pitch [m]                  | infinite pitch: magnitude is |
/// |------------|----------------|----------------------------|------------------------------|
/// | twist      | rad/s          | advance per radian         | the speed [m/s]              |
/// | wrench     | N              | torque along axis / force  | the couple [N m]             |
/// | displacement | angle [rad]  | advance per radian         | the distance [m]             |
///
/// With an infinite pitch the axis has a direction only and `point` is zero. A zero screw has magnitude 0, pitch 0 and
/// the direction z.
template <class T = double>
struct Screw {
  Vec3<T> point;
  Vec3<T> direction;
  T pitch;
  T magnitude;
};

template <class T>
Screw(Vec3<T>, Vec3<T>, T, T) -> Screw<T>;

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

/// The instantaneous screw axis of a motion.  [eq. screw-of-twist]
template <class T>
Screw<T> screw_of(const Twist<T>& V);

/// The central axis of a system of forces (Poinsot).  [eq. screw-of-wrench]
template <class T>
Screw<T> screw_of(const Wrench<T>& F);

/// The screw displacement that carries frame A onto frame B (Mozzi-Chasles), with an angle in [0, pi].
/// [eq. screw-of-pose]
template <class T>
Screw<T> screw_of(const Pose<T>& X_AB);

/// The twist of a screw; inverse of screw_of.
template <class T>
Twist<T> twist_of(const Screw<T>& screw);

/// The wrench of a screw; inverse of screw_of.
template <class T>
Wrench<T> wrench_of(const Screw<T>& screw);

/// The displacement along a screw; inverse of screw_of for angles up to pi.
template <class T>
Pose<T> displacement_of(const Screw<T>& screw);

/// The power of a unit wrench on the screw `b` against a unit twist on the screw `a`, both of finite pitch:
/// (pitch_a + pitch_b) cos(alpha) - d sin(alpha), with d the distance and alpha the angle between the axes. Zero when
/// the screws are reciprocal. [m]  [eq. reciprocal]
template <class T>
T reciprocal_product(const Screw<T>& a, const Screw<T>& b);

#ifndef PINTLE_KERNELS
#define PINTLE_SCREW_INSTANCES(keyword, T)                   \
  keyword template Screw<T> screw_of(const Twist<T>&);       \
  keyword template Screw<T> screw_of(const Wrench<T>&);      \
  keyword template Screw<T> screw_of(const Pose<T>&);        \
  keyword template Twist<T> twist_of(const Screw<T>&);       \
  keyword template Wrench<T> wrench_of(const Screw<T>&);     \
  keyword template Pose<T> displacement_of(const Screw<T>&); \
  keyword template T reciprocal_product(const Screw<T>&, const Screw<T>&);
PINTLE_SCREW_INSTANCES(extern, double)
PINTLE_SCREW_INSTANCES(extern, float)
#endif

}  // namespace pintle::inline PINTLE_ISA
