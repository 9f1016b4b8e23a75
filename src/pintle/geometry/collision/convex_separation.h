// The distance of two convex shapes, with the nearest features: closed forms, or a search by support points that the
// features it found make exact.
#pragma once

#include "pintle/geometry/collision/point_separation.h"

namespace pintle {

/// Returns the nearest points of A and B, in the frame of A, rounding radii included.  [eq. separation]
FeatureSeparation convex_separation(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB);

/// How far A can be moved along the unit normal n before it touches B: min n . b - max n . a [m], negative where they
/// overlap along n. Its maximum over all normals is the distance.
double gap_along(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB, const Vec3<>& n);

/// Whether a point on the line or plane of a feature lies within its bounds, up to `slack` [m]; all in the frame of the
/// shape.
bool within(const ConvexView& view, Feature f, const Vec3<>& p, double slack);

}  // namespace pintle
