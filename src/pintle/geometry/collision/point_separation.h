// The nearest point of a convex shape to a point, inside or outside, in closed form.
#pragma once

#include "pintle/geometry/collision/contact_feature.h"

namespace pintle {

/// The nearest points of two shapes, with their features.
struct FeatureSeparation {
  Separation at;
  Feature a, b;
};

/// Computes the distance of a point q [m] from the core of a shape, both in the frame of the shape, which is A; the
/// normal points from the surface to the free side. Returns false for triangles, and for hulls unless q is inside.
/// [eq. point-distance]
bool point_separation(const ConvexView& a, const Vec3<>& q, FeatureSeparation& nearest);

}  // namespace pintle
