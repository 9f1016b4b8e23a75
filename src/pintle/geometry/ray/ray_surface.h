// Intersection of a ray with a triangle surface: a mesh through its tree, a height field by a walk over its cells.
#pragma once

#include "pintle/geometry/ray/ray_cast.h"

namespace pintle {

/// A ray from `origin` [m] along the unit vector `direction`, `longest` [m] long.
struct Ray {
  Vec3<> origin;
  Vec3<> direction;
  double longest;
};

std::optional<RayHit> ray_surface(const SurfaceMesh& mesh, const Ray& ray);
std::optional<RayHit> ray_surface(const HeightField& field, const Ray& ray);

}  // namespace pintle
