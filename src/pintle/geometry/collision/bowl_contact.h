// Contacts of a bowl with spheres, and of a closed bowl with convex shapes.
#pragma once

#include "pintle/geometry/collision/contact_feature.h"

namespace pintle {

/// As separation, contact_manifold and contact_point; the bowl is A. A sphere touches it from inside, from outside and
/// at the edge of its opening. Other shapes touch a closed bowl from inside, where they are farthest from its centre,
/// or from outside, as they would a sphere; their middle decides which.
/// [eq. bowl-gap]
Separation bowl_separation(const Bowl& a, const ConvexView& b, const Pose<>& X_AB);
void bowl_manifold(const Bowl& a, const ConvexView& b, const Pose<>& X_AB, double margin, ContactManifold& manifold);
std::optional<ContactPoint> bowl_contact_point(const Bowl& a, const ConvexView& b, const Pose<>& X_AB,
                                               std::uint64_t pair);

}  // namespace pintle
