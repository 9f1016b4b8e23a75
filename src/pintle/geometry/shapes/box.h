// Box: a block with faces along the axes of its frame, centred at the origin.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/shapes/bounding_box.h"
#include "pintle/geometry/shapes/volume_properties.h"

namespace pintle {

/// A block centred at the origin of its frame; `size` holds the full lengths [m] of its sides along x, y, z.
struct Box {
  Vec3<> size;
};

/// Volume, centroid and inertia about it.  [eq. solid-box]
VolumeProperties volume_properties(const Box& box);

/// Returns the point of a box that is farthest along a direction of any length. For equally far points it is their
/// middle: the centre of a face or of an edge. Throws UsageError when the direction is zero or not finite.
Vec3<> support_point(const Box& box, const Vec3<>& direction);

BoundingBox bounding_box(const Box& box);

/// Returns the problems of the dimensions; empty when all are finite and positive.
Diagnostics check(const Box& box);

}  // namespace pintle
