#include "pintle/geometry/shapes/ellipsoid.h"

#include "pintle/geometry/shapes/check_length.h"
#include "pintle/geometry/shapes/support_direction.h"

namespace pintle {

VolumeProperties volume_properties(const Ellipsoid& ellipsoid) {
  const Vec3<> a = ellipsoid.semi_axes;
  const double volume = 4.0 / 3.0 * kPi<double> * a.x * a.y * a.z;
  const Vec3<> squares = componentwise_product(a, a);
  const Vec3<> sums{squares.y + squares.z, squares.z + squares.x, squares.x + squares.y};
  return {volume, {0.0, 0.0, 0.0}, diagonal(0.2 * volume * sums)};
}

Vec3<> support_point(const Ellipsoid& ellipsoid, const Vec3<>& direction) {
  // The image of a unit sphere's support point under the stretching A = diag(a, b, c): A A d / |A d|.
  const Vec3<> stretched = componentwise_product(ellipsoid.semi_axes, support_direction(direction));
  return componentwise_product(ellipsoid.semi_axes, normalized(stretched));
}

BoundingBox bounding_box(const Ellipsoid& ellipsoid) {
  return {-ellipsoid.semi_axes, ellipsoid.semi_axes};
}

Diagnostics check(const Ellipsoid& ellipsoid) {
  Diagnostics problems;
  check_length(problems, "ellipsoid", "semi-axis along x", ellipsoid.semi_axes.x);
  check_length(problems, "ellipsoid", "semi-axis along y", ellipsoid.semi_axes.y);
  check_length(problems, "ellipsoid", "semi-axis along z", ellipsoid.semi_axes.z);
  return problems;
}

}  // namespace pintle
