// Plane: a flat boundary, and how near a shape is to it.
#pragma once

#include "pintle/geometry/shapes/shape.h"
#include "pintle/spatial/pose.h"

namespace pintle {

/// The plane through `point` [m] at right angles to `normal`, which points to its free side and has any length but 0.
struct Plane {
  Vec3<> point;
  Vec3<> normal;
};

/// The plane given in B, in A.
Plane operator*(const Pose<>& X_AB, const Plane& plane_B);

/// The point of the shape nearest to the plane: the lowest one along its normal, also where the shape reaches through
/// it. Ties as in support_point. The plane is given in the shape's frame, so is the answer [m].
Vec3<> nearest_point_to_plane(const Shape& shape, const Plane& plane);

/// The distance [m] of a point from the plane; negative behind it. Throws UsageError, as the others do, when the normal
/// is zero or not finite.
double distance_to_plane(const Vec3<>& point, const Plane& plane);

/// The distance [m] of the shape's nearest point from the plane; negative is how deep the shape reaches through it.
double distance_to_plane(const Shape& shape, const Plane& plane);

}  // namespace pintle
