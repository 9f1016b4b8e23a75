#include "pintle/geometry/shapes/plane.h"

#include "pintle/geometry/shapes/support_direction.h"

namespace pintle {

Plane operator*(const Pose<>& X_AB, const Plane& plane_B) {
  return {transform_point(X_AB, plane_B.point), X_AB.rotation * plane_B.normal};
}

Vec3<> nearest_point_to_plane(const Shape& shape, const Plane& plane) {
  return support_point(shape, -support_direction(plane.normal, "nearest_point_to_plane", "plane.normal"));
}

double distance_to_plane(const Vec3<>& point, const Plane& plane) {
  return dot(support_direction(plane.normal, "distance_to_plane", "plane.normal"), point - plane.point);
}

double distance_to_plane(const Shape& shape, const Plane& plane) {
  return distance_to_plane(nearest_point_to_plane(shape, plane), plane);
}

}  // namespace pintle
