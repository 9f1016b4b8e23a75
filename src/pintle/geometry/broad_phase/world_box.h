// The axis-aligned box in the world around a placed shape, at rest or moving: the input of the broad phase.
#pragma once

#include "pintle/geometry/shapes/contact_shape.h"
#include "pintle/spatial/pose.h"

namespace pintle {

/// The minimum and maximum coordinate [m] of a shape along a unit direction.
struct Extent {
  double low, high;
};

/// The extent of a shape along a unit direction, both in the shape's frame; exact, infinite for a half-space except
/// along its normal. The time is proportional to the number of vertices of a hull or height field, and to its logarithm
/// for a mesh.  [eq. support-extent]
Extent extent_along(const ContactShape& shape, const Vec3<>& direction);

/// The smallest box along the axes of W that contains the shape, with `margin` [m] more on every side.
BoundingBox world_box(const ContactShape& shape, const Pose<>& X_WS, double margin = 0.0);

/// A box that contains the shape in two poses and on the path between them, with `margin` [m] more on every side: the
/// origin of S moves on a straight line, S rotates about a fixed axis at a constant rate, by at most pi. It is the box
/// of both poses, enlarged where the shape rotates by the height of the arcs that its points describe.  [eq. swept-box]
BoundingBox swept_box(const ContactShape& shape, const Pose<>& X_WS_before, const Pose<>& X_WS_after,
                      double margin = 0.0);

}  // namespace pintle
