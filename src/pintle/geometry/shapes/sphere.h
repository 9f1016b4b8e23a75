// Sphere: a solid sphere centred at the origin of its frame.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/shapes/bounding_box.h"
#include "pintle/geometry/shapes/volume_properties.h"

namespace pintle {

/// A solid sphere centred at the origin of its frame, of this radius [m].
struct Sphere {
  double radius;
};

/// Volume, centroid and inertia about it.  [eq. solid-ellipsoid]
VolumeProperties volume_properties(const Sphere& sphere);

/// Returns the point of a sphere that is farthest along a direction of any length.
/// Throws UsageError when the direction is zero or not finite.
Vec3<> support_point(const Sphere& sphere, const Vec3<>& direction);

BoundingBox bounding_box(const Sphere& sphere);

/// Returns the problems of the dimensions; empty when all are finite and positive.
Diagnostics check(const Sphere& sphere);

}  // namespace pintle
