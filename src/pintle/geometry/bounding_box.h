// BoundingBox: the smallest box along the axes of a frame that holds a shape.
#pragma once

#include "pintle/math/vec3.h"

namespace pintle {

/// The points x with min <= x <= max in every coordinate [m].
struct BoundingBox {
  Vec3<> min;
  Vec3<> max;
};

}  // namespace pintle
