#include "pintle/geometry/shapes/sphere.h"

#include "pintle/geometry/shapes/check_length.h"
#include "pintle/geometry/shapes/support_direction.h"

namespace pintle {

VolumeProperties volume_properties(const Sphere& sphere) {
  const double r2 = sphere.radius * sphere.radius;
  const double volume = 4.0 / 3.0 * kPi<double> * r2 * sphere.radius;
  const double moment = 0.4 * volume * r2;
  return {volume, {0.0, 0.0, 0.0}, diagonal(Vec3<>{moment, moment, moment})};
}

Vec3<> support_point(const Sphere& sphere, const Vec3<>& direction) {
  return sphere.radius * support_direction(direction);
}

BoundingBox bounding_box(const Sphere& sphere) {
  const Vec3<> corner{sphere.radius, sphere.radius, sphere.radius};
  return {-corner, corner};
}

Diagnostics check(const Sphere& sphere) {
  Diagnostics problems;
  check_length(problems, "sphere", "radius", sphere.radius);
  return problems;
}

}  // namespace pintle
