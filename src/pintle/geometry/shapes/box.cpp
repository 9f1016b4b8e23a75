#include "pintle/geometry/shapes/box.h"

#include "pintle/geometry/shapes/check_length.h"
#include "pintle/geometry/shapes/support_direction.h"

namespace pintle {

VolumeProperties volume_properties(const Box& box) {
  const Vec3<> s = box.size;
  const double volume = s.x * s.y * s.z;
  const Vec3<> squares = componentwise_product(s, s);
  const Vec3<> sums{squares.y + squares.z, squares.z + squares.x, squares.x + squares.y};
  return {volume, {0.0, 0.0, 0.0}, diagonal(volume / 12.0 * sums)};
}

Vec3<> support_point(const Box& box, const Vec3<>& direction) {
  const Vec3<> d = support_direction(direction);
  return 0.5 * componentwise_product({support_side(d.x), support_side(d.y), support_side(d.z)}, box.size);
}

BoundingBox bounding_box(const Box& box) {
  return {-0.5 * box.size, 0.5 * box.size};
}

Diagnostics check(const Box& box) {
  Diagnostics problems;
  check_length(problems, "box", "side along x", box.size.x);
  check_length(problems, "box", "side along y", box.size.y);
  check_length(problems, "box", "side along z", box.size.z);
  return problems;
}

}  // namespace pintle
