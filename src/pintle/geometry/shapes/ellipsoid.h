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

/// The point of an ellipsoid that is farthest along a direction of any length.
/// Throws UsageError when the direction is zero or not finite.
Vec3<> support_point(const Ellipsoid& ellipsoid, const Vec3<>& direction);

BoundingBox bounding_box(const Ellipsoid& ellipsoid);

/// What is wrong with the sizes; empty when every one is finite and positive.
Diagnostics check(const Ellipsoid& ellipsoid);

}  // namespace pintle
