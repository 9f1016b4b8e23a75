// BoundingBox: the smallest axis-aligned box of a frame that contains a shape.
#pragma once

#include "pintle/math/vec3.h"

namespace pintle {

/// The points x with min <= x <= max in every coordinate [m].
struct BoundingBox {
  Vec3<> min;
  Vec3<> max;
};

inline Vec3<> center(const BoundingBox& box) {
  return box.min + 0.5 * (box.max - box.min);
}

/// The smallest box that contains both.
inline BoundingBox enclosing(const BoundingBox& a, const BoundingBox& b) {
  return {{b.min.x < a.min.x ? b.min.x : a.min.x, b.min.y < a.min.y ? b.min.y : a.min.y,
           b.min.z < a.min.z ? b.min.z : a.min.z},
          {b.max.x > a.max.x ? b.max.x : a.max.x, b.max.y > a.max.y ? b.max.y : a.max.y,
           b.max.z > a.max.z ? b.max.z : a.max.z}};
}

/// The box enlarged by `margin` [m] on every side.
inline BoundingBox inflated(const BoundingBox& box, double margin) {
  return {{box.min.x - margin, box.min.y - margin, box.min.z - margin},
          {box.max.x + margin, box.max.y + margin, box.max.z + margin}};
}

}  // namespace pintle
