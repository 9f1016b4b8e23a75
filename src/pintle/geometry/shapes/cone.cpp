#include "pintle/geometry/shapes/cone.h"

#include "pintle/geometry/shapes/check_length.h"
#include "pintle/geometry/shapes/support_direction.h"

namespace pintle {

VolumeProperties volume_properties(const Cone& cone) {
  const double r2 = cone.radius * cone.radius, h2 = cone.height * cone.height;
  const double volume = kPi<double> * r2 * cone.height / 3.0;
  const double across = volume * (0.15 * r2 + 0.0375 * h2);
  return {volume, {0.0, 0.0, 0.25 * cone.height}, diagonal(Vec3<>{across, across, 0.3 * volume * r2})};
}

Vec3<> support_point(const Cone& cone, const Vec3<>& direction) {
  const Vec3<> d = support_direction(direction);
  const Vec3<> apex{0.0, 0.0, cone.height};
  const Vec3<> rim = support_point_of_disc(cone.radius, d);
  // The sine of the angle between the direction and the normal of the generating line from apex to edge.
  const double tilt = dot(d, apex - rim) / sqrt(cone.radius * cone.radius + cone.height * cone.height);
  if (abs(tilt) <= kTieAngle) return 0.5 * (apex + rim);
  return tilt > 0.0 ? apex : rim;
}

BoundingBox bounding_box(const Cone& cone) {
  return {{-cone.radius, -cone.radius, 0.0}, {cone.radius, cone.radius, cone.height}};
}

Diagnostics check(const Cone& cone) {
  Diagnostics problems;
  check_length(problems, "cone", "radius", cone.radius);
  check_length(problems, "cone", "height", cone.height);
  return problems;
}

}  // namespace pintle
