// Capsule: a cylinder along z with a hemisphere on each end, centred at the origin of its frame.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/shapes/bounding_box.h"
#include "pintle/geometry/shapes/volume_properties.h"

namespace pintle {

/// The points within `radius` of the segment from z = -length/2 to z = length/2: `length` is that of the cylindrical
/// part, the whole capsule is length + 2 radius long. Both in m.
struct Capsule {
  double radius;
  double length;
};

/// Volume, centroid and inertia about it.  [eq. solid-capsule]
VolumeProperties volume_properties(const Capsule& capsule);

/// Returns the point of a capsule that is farthest along a direction of any length. For a lying capsule it is the
/// middle of the line it lies on. Throws UsageError when the direction is zero or not finite.
Vec3<> support_point(const Capsule& capsule, const Vec3<>& direction);

BoundingBox bounding_box(const Capsule& capsule);

/// Returns the problems of the dimensions; empty when all are finite and positive.
Diagnostics check(const Capsule& capsule);

}  // namespace pintle
