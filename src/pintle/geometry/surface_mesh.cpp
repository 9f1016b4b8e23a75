#include "pintle/geometry/surface_mesh.h"

#include "pintle/base/usage_error.h"

namespace pintle {

BoundingBox bounding_box(const SurfaceMesh& mesh) {
  require(!mesh.vertices.empty(), "bounding_box", "mesh", "has no vertices");
  BoundingBox box{mesh.vertices.front(), mesh.vertices.front()};
  for (const Vec3<>& p : mesh.vertices) {
    box.min = {min(box.min.x, p.x), min(box.min.y, p.y), min(box.min.z, p.z)};
    box.max = {max(box.max.x, p.x), max(box.max.y, p.y), max(box.max.z, p.z)};
  }
  return box;
}

Diagnostics check(const SurfaceMesh&) {
  return {};
}

}  // namespace pintle
