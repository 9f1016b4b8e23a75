// Plane: a flat boundary, and the distance of a shape from it.
#pragma once

#include "pintle/geometry/shapes/shape.h"
#include "pintle/spatial/pose.h"

namespace pintle {

/// The plane through `point` [m] perpendicular to `normal`, which points to its free side and has any length but 0.
struct Plane {
  Vec3<> point;
  Vec3<> normal;
};

/// The plane in B, expressed in A.
Plane operator*(const Pose<>& X_AB, const Plane& plane_B);

/// Returns the point of the shape nearest to the plane: the lowest one along its normal, also where the shape
/// penetrates it. Ties as in support_point. The plane and the result [m] are in the shape's frame.
Vec3<> nearest_point_to_plane(const Shape& shape, const Plane& plane);

/// The distance [m] of a point from the plane; negative behind it. Throws UsageError, as the others do, when the normal
/// is zero or not finite.
double distance_to_plane(const Vec3<>& point, const Plane& plane);

/// The distance [m] of the shape's nearest point from the plane; negative where the shape penetrates it.
double distance_to_plane(const Shape& shape, const Plane& plane);

}  // namespace pintle
