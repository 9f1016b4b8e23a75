// MeshSource: the file that a mesh of a scene was read from.
#pragma once

#include <string>

#include "pintle/math/vec3.h"

namespace pintle {

struct MeshSource {
  std::string file{};           ///< a path that can be opened; empty: the mesh is from no file
  Vec3<> scale{1.0, 1.0, 1.0};  ///< metres per unit of the file, along its axes; negative: mirrored
};

}  // namespace pintle
