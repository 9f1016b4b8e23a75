#include "pintle/model/plan/common_normal.h"

#include <cmath>

#include "pintle/math/elementary.h"

namespace pintle {

double Seat::angle() const {
  return atan2(sin, cos);
}

Pose<> Seat::pose() const {
  return {rotation_z(cos, sin), {aside[0], aside[1], height}};
}

Seat relative(const Seat& from, const Seat& to) {
  return {from.cos * to.cos + from.sin * to.sin, from.cos * to.sin - from.sin * to.cos, to.height - from.height};
}

CommonNormal common_normal(const Pose<>& X) {
  // Below this angle between two axes their common normal is ill-conditioned; for axes that are parallel up to rounding
  // its position is free.
  constexpr double kMinSine = 0.01, kRounding = 1e-15;
  // Moving a frame by many times the size of the link would lose digits of its inertia.
  constexpr double kMaxDistance = 4.0;
  const Vec3<> u = column(X.rotation, 2), p = X.translation;
  const double sine = std::sqrt(u.x * u.x + u.y * u.y);
  CommonNormal normal{};
  double t = 0.0;  // from p to the foot on the other axis
  if (sine < kRounding) {
    normal.a = std::sqrt(p.x * p.x + p.y * p.y);
    if (normal.a > 0.0) normal.foot = {p.x / normal.a, p.y / normal.a, 0.0};
    normal.cos_alpha = u.z > 0.0 ? 1.0 : -1.0;
    t = -p.z * normal.cos_alpha;
    normal.well_conditioned = true;
  } else {
    t = -(p.x * u.x + p.y * u.y) / (sine * sine);
    normal.foot = {-u.y / sine, u.x / sine, p.z + t * u.z};
    normal.a = (p.y * u.x - p.x * u.y) / sine;
    normal.cos_alpha = u.z;
    normal.sin_alpha = sine;
    const double max_distance = kMaxDistance * norm(p);
    normal.well_conditioned = sine >= kMinSine && abs(t) <= max_distance && abs(normal.foot.height) <= max_distance;
  }
  const Vec3<> x{normal.foot.cos, normal.foot.sin, 0.0};
  const Vec3<> y{-normal.cos_alpha * x.y, normal.cos_alpha * x.x, normal.sin_alpha};
  const Vec3<> x_L = column(X.rotation, 0);
  normal.offset = atan2(dot(x_L, y), dot(x_L, x));
  normal.d = -t;
  return normal;
}

}  // namespace pintle
