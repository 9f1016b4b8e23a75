// The surface of a solid with holes, as triangles for pictures.
#pragma once

#include <span>

#include "pintle/geometry/shapes/hole.h"

namespace pintle {

/// The triangles of a shape without its holes, facing outwards. Round surfaces have 96 segments around. The triangles
/// close up, but vertices may lie on edges of their neighbours. A mesh, which has no holes, is returned as it is. The
/// holes must be valid (check_holes).
TriangleMesh holed_surface(const Shape& shape, std::span<const Hole> holes);

}  // namespace pintle
