// Contacts of a half-space with any convex shape, all in closed form.
#pragma once

#include "pintle/geometry/collision/contact_feature.h"

namespace pintle {

/// As separation, contact_manifold and contact_point; the half-space is A.  [eq. half-space-gap]
Separation half_space_separation(const ConvexView& b, const Pose<>& X_AB);
void half_space_manifold(const ConvexView& b, const Pose<>& X_AB, double margin, ContactManifold& manifold);
std::optional<ContactPoint> half_space_contact_point(const ConvexView& b, const Pose<>& X_AB, std::uint64_t pair);

}  // namespace pintle
