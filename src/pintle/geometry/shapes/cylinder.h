// Cylinder: a circular cylinder along z, centred at the origin of its frame.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/shapes/bounding_box.h"
#include "pintle/geometry/shapes/volume_properties.h"

namespace pintle {

/// A cylinder along z from z = -length/2 to z = length/2; both in m.
struct Cylinder {
  double radius;
  double length;
};

/// Volume, centroid and inertia about it.  [eq. solid-cylinder]
VolumeProperties volume_properties(const Cylinder& cylinder);

/// Returns the point of a cylinder that is farthest along a direction of any length. For equally far points it is their
/// middle: for an upright cylinder the centre of a cap, for a lying one the middle of the line it lies on. Throws
/// UsageError when the direction is zero or not finite.
Vec3<> support_point(const Cylinder& cylinder, const Vec3<>& direction);

BoundingBox bounding_box(const Cylinder& cylinder);

/// Returns the problems of the dimensions; empty when all are finite and positive.
Diagnostics check(const Cylinder& cylinder);

}  // namespace pintle
