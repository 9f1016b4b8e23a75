// Cylinder: a round bar along z, centred at the origin of its frame.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/shapes/bounding_box.h"
#include "pintle/geometry/shapes/volume_properties.h"

namespace pintle {

/// A cylinder along z from z = -length/2 to z = length/2; both numbers in m.
struct Cylinder {
  double radius;
  double length;
};

/// Volume, centroid and inertia about it.  [eq. solid-cylinder]
VolumeProperties volume_properties(const Cylinder& cylinder);

/// The point of a cylinder that is farthest along a direction of any length. Of equally far points it is the middle:
/// upright the centre of a cap, lying the middle of the line it lies on. Throws UsageError when the direction is zero
/// or not finite.
Vec3<> support_point(const Cylinder& cylinder, const Vec3<>& direction);

BoundingBox bounding_box(const Cylinder& cylinder);

/// What is wrong with the sizes; empty when every one is finite and positive.
Diagnostics check(const Cylinder& cylinder);

}  // namespace pintle
