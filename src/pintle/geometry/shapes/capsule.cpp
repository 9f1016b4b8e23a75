#include "pintle/geometry/shapes/capsule.h"

#include "pintle/geometry/shapes/check_length.h"
#include "pintle/geometry/shapes/support_direction.h"

namespace pintle {

VolumeProperties volume_properties(const Capsule& capsule) {
  const double r = capsule.radius, l = capsule.length, r2 = r * r, l2 = l * l;
  const double cylinder = kPi<double> * r2 * l, ball = 4.0 / 3.0 * kPi<double> * r2 * r;
  // The centroid of a hemisphere is 3r/8 from the cut; that determines the mixed term of the two hemispheres.
  const double across = cylinder * (r2 / 4.0 + l2 / 12.0) + ball * (0.4 * r2 + l2 / 4.0 + 0.375 * r * l);
  const double along = (0.5 * cylinder + 0.4 * ball) * r2;
  return {cylinder + ball, {0.0, 0.0, 0.0}, diagonal(Vec3<>{across, across, along})};
}

Vec3<> support_point(const Capsule& capsule, const Vec3<>& direction) {
  const Vec3<> d = support_direction(direction);
  const Vec3<> ball_center{0.0, 0.0, 0.5 * capsule.length * support_side(d.z)};
  return fma(capsule.radius, d, ball_center);
}

BoundingBox bounding_box(const Capsule& capsule) {
  const Vec3<> corner{capsule.radius, capsule.radius, 0.5 * capsule.length + capsule.radius};
  return {-corner, corner};
}

Diagnostics check(const Capsule& capsule) {
  Diagnostics problems;
  check_length(problems, "capsule", "radius", capsule.radius);
  check_length(problems, "capsule", "length", capsule.length);
  return problems;
}

}  // namespace pintle
