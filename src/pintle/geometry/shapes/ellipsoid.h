// Ellipsoid: a solid with three principal axes along those of its frame.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/shapes/bounding_box.h"
#include "pintle/geometry/shapes/volume_properties.h"

namespace pintle {

/// The points with (x/a)^2 + (y/b)^2 + (z/c)^2 <= 1; `semi_axes` holds a, b, c [m].
struct Ellipsoid {
  Vec3<> semi_axes;
};

/// Volume, centroid and inertia about it.  [eq. solid-ellipsoid]
VolumeProperties volume_properties(const Ellipsoid& ellipsoid);

/// Returns the point of an ellipsoid that is farthest along a direction of any length.
/// Throws UsageError when the direction is zero or not finite.
Vec3<> support_point(const Ellipsoid& ellipsoid, const Vec3<>& direction);

BoundingBox bounding_box(const Ellipsoid& ellipsoid);

/// Returns the problems of the dimensions; empty when all are finite and positive.
Diagnostics check(const Ellipsoid& ellipsoid);

}  // namespace pintle
