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

/// The point of a box that is farthest along a direction of any length. Of equally far points it is the middle: the
/// centre of a face or of an edge. Throws UsageError when the direction is zero or not finite.
Vec3<> support_point(const Box& box, const Vec3<>& direction);

BoundingBox bounding_box(const Box& box);

/// What is wrong with the sizes; empty when every one is finite and positive.
Diagnostics check(const Box& box);

}  // namespace pintle
