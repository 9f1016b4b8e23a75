#include "pintle/geometry/shapes/support_direction.h"

#include <algorithm>
#include <cmath>

#include "pintle/base/usage_error.h"

namespace pintle {

Vec3<> support_direction(const Vec3<>& direction, const char* function, const char* argument) {
  const bool finite = std::isfinite(direction.x) && std::isfinite(direction.y) && std::isfinite(direction.z);
  require(finite, function, argument, "a component is not finite");
  const double largest = std::max({abs(direction.x), abs(direction.y), abs(direction.z)});
  require(largest > 0.0, function, argument, "the zero vector has no direction");
  return normalized(direction / largest);  // no square overflows or vanishes
}

double support_side(double component) {
  return abs(component) <= kTieAngle ? 0.0 : copysign(1.0, component);
}

Vec3<> support_point_of_disc(double radius, const Vec3<>& unit_direction) {
  const Vec3<> in_plane{unit_direction.x, unit_direction.y, 0.0};
  const double length = norm(in_plane);
  if (length <= kTieAngle) return {0.0, 0.0, 0.0};
  return (radius / length) * in_plane;
}

}  // namespace pintle
