// MeshSource: the file that a mesh of a scene was read from, and the colours of its parts.
#pragma once

#include <string>
#include <vector>

#include "pintle/math/vec3.h"

namespace pintle {

/// The colour of the triangles of a mesh from one on, until the next entry.
struct MeshColor {
  int first = 0;        ///< index of the triangle
  std::string color{};  ///< "#rrggbb", or empty: none of its own
};

struct MeshSource {
  std::string file{};               ///< a path that can be opened; empty: the mesh is from no file
  Vec3<> scale{1.0, 1.0, 1.0};      ///< metres per unit of the file, along its axes; negative: mirrored
  std::vector<MeshColor> colors{};  ///< of its materials, in the order of triangles; empty: none
};

}  // namespace pintle
