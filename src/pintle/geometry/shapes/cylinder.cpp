#include "pintle/geometry/shapes/cylinder.h"

#include "pintle/geometry/shapes/check_length.h"
#include "pintle/geometry/shapes/support_direction.h"

namespace pintle {

VolumeProperties volume_properties(const Cylinder& cylinder) {
  const double r2 = cylinder.radius * cylinder.radius, l2 = cylinder.length * cylinder.length;
  const double volume = kPi<double> * r2 * cylinder.length;
  const double across = volume * (r2 / 4.0 + l2 / 12.0);
  return {volume, {0.0, 0.0, 0.0}, diagonal(Vec3<>{across, across, 0.5 * volume * r2})};
}

Vec3<> support_point(const Cylinder& cylinder, const Vec3<>& direction) {
  const Vec3<> d = support_direction(direction);
  const Vec3<> cap_center{0.0, 0.0, 0.5 * cylinder.length * support_side(d.z)};
  return cap_center + support_point_of_disc(cylinder.radius, d);
}

BoundingBox bounding_box(const Cylinder& cylinder) {
  const Vec3<> corner{cylinder.radius, cylinder.radius, 0.5 * cylinder.length};
  return {-corner, corner};
}

Diagnostics check(const Cylinder& cylinder) {
  Diagnostics problems;
  check_length(problems, "cylinder", "radius", cylinder.radius);
  check_length(problems, "cylinder", "length", cylinder.length);
  return problems;
}

}  // namespace pintle
