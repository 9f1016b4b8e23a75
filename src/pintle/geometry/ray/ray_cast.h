// Intersection of a ray with a shape: for sensors, picking and tests.
#pragma once

#include <optional>

#include "pintle/geometry/shapes/contact_shape.h"
#include "pintle/spatial/pose.h"

namespace pintle {

/// The point where a ray hits a surface.
struct RayHit {
  double distance;  ///< [m] along the ray
  Vec3<> point;     ///< [m]
  Vec3<> normal;    ///< unit, outwards (to the free side of a mesh or height field)
};

/// Returns the first hit of a ray on the surface of a shape within `longest` [m] (which may be infinite), all in the
/// shape's frame; empty when it misses. `direction` must have the length 1.
///
/// A ray that starts inside a solid hits its surface where it leaves it: then normal . direction > 0. Meshes, height
/// fields and bowls are hit from both sides; the normal of a bowl points to the side of the ray. For a ray that starts
/// on the surface itself, rounding decides whether it hits there. A ray through an edge or a vertex between triangles
/// does not slip through; it hits the triangle with the lower index. [eq. ray-quadric]
std::optional<RayHit> ray_cast(const ContactShape& shape, const Vec3<>& origin, const Vec3<>& direction,
                               double longest);

/// The same for a shape that is placed by X_WS: ray and hit are in W.
std::optional<RayHit> ray_cast(const ContactShape& shape, const Pose<>& X_WS, const Vec3<>& origin,
                               const Vec3<>& direction, double longest);

}  // namespace pintle
