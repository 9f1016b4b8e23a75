// The nearest point of a convex shape to a point, inside or outside, in closed form.
#pragma once

#include "pintle/geometry/collision/contact_feature.h"

namespace pintle {

/// Where two shapes are nearest, with the features that are.
struct FeatureSeparation {
  Separation at;
  Feature a, b;
};

/// How far a point q [m] is from the core of a shape, both in the frame of the shape, which is A; the normal points
/// from the surface to the free side. Not for triangles, and for hulls only where q is inside: false otherwise.
/// [eq. point-distance]
bool point_separation(const ConvexView& a, const Vec3<>& q, FeatureSeparation& nearest);

}  // namespace pintle
