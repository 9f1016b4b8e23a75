// SurfaceMesh: a static surface of triangles to collide with; it need not be closed.
#pragma once

#include <array>
#include <vector>

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/bounding_box.h"

namespace pintle {

/// Triangles by the indices of their vertices [m], counter-clockwise seen from their free side.
struct SurfaceMesh {
  std::vector<Vec3<>> vertices;
  std::vector<std::array<int, 3>> triangles;
};

BoundingBox bounding_box(const SurfaceMesh& mesh);

/// What is wrong with the mesh; empty when it can be collided with.
Diagnostics check(const SurfaceMesh& mesh);

}  // namespace pintle
