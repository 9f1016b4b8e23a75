// Cone: a right circular cone on the plane z = 0 of its frame.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/shapes/bounding_box.h"
#include "pintle/geometry/shapes/volume_properties.h"

namespace pintle {

/// A cone with its base disc at z = 0, centred at the origin, and its apex at z = height; both in m. Its centroid lies
/// at z = height/4.
struct Cone {
  double radius;
  double height;
};

/// Volume, centroid and inertia about it.  [eq. solid-cone]
VolumeProperties volume_properties(const Cone& cone);

/// Returns the point of a cone that is farthest along a direction of any length. For equally far points it is their
/// middle: the centre of the base, or the midpoint between apex and edge. Throws UsageError when the direction is zero
/// or not finite.
Vec3<> support_point(const Cone& cone, const Vec3<>& direction);

BoundingBox bounding_box(const Cone& cone);

/// Returns the problems of the dimensions; empty when all are finite and positive.
Diagnostics check(const Cone& cone);

}  // namespace pintle
