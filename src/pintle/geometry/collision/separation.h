// The distance of two shapes, or their penetration depth.
#pragma once

#include "pintle/geometry/shapes/contact_shape.h"
#include "pintle/spatial/pose.h"

namespace pintle {

/// The nearest points of two shapes, in the frame of the first, A: on_b - on_a = distance * normal. Where the shapes
/// overlap, the distance is minus the depth: the length of the shortest translation that separates them, along the
/// normal.
struct Separation {
  double distance;    ///< [m]; negative = depth of penetration
  Vec3<> normal;      ///< unit, from A towards B
  Vec3<> on_a, on_b;  ///< [m] nearest, or deepest, points
};

/// Returns the separation of A and B; X_AB is the pose of B's frame in A's. When several points are equally near, it
/// returns one pair of them. Throws UsageError when the pair is not supported (can_touch).  [eq. separation]
Separation separation(const ContactShape& a, const ContactShape& b, const Pose<>& X_AB);

}  // namespace pintle
