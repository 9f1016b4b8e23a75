// The contact points of two convex bodies, and single points tracked by their features.
#pragma once

#include "pintle/geometry/collision/convex_separation.h"

namespace pintle {

/// As contact_manifold, for two convex bodies.  [eq. manifold]
void convex_manifold(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB, double margin,
                     ContactManifold& manifold);

/// As contact_point, for two convex bodies.
std::optional<ContactPoint> convex_contact_point(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB,
                                                 std::uint64_t pair);

}  // namespace pintle
