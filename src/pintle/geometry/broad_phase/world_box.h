// The box along the axes of the world around a shape that is placed there, at rest or moving: what the broad phase
// takes.
#pragma once

#include "pintle/geometry/shapes/contact_shape.h"
#include "pintle/spatial/pose.h"

namespace pintle {

/// From the lowest to the highest place [m] of a shape along a unit direction.
struct Extent {
  double low, high;
};

/// The extent of a shape along a unit direction, both in the shape's frame; exact, infinite for a half-space except
/// along its normal. Takes time in proportion to the vertices of a hull or height field, and to the logarithm of those
/// of a mesh.  [eq. support-extent]
Extent extent_along(const ContactShape& shape, const Vec3<>& direction);

/// The smallest box along the axes of W that holds the shape, with `margin` [m] more on every side.
BoundingBox world_box(const ContactShape& shape, const Pose<>& X_WS, double margin = 0.0);

/// A box that holds the shape in two poses and on the way between them, with `margin` [m] more on every side: the
/// origin of S moves straight, S turns about a fixed axis at a constant rate, by no more than half a turn. It is the
/// box of both poses and, where the shape turns, of the height of the arcs its points run through.  [eq. swept-box]
BoundingBox swept_box(const ContactShape& shape, const Pose<>& X_WS_before, const Pose<>& X_WS_after,
                      double margin = 0.0);

}  // namespace pintle
