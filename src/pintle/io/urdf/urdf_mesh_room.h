// UrdfMeshRoom: the size of a mesh that a URDF names.
#pragma once

#include <string>

#include "pintle/geometry/mass/inertia_warnings.h"

namespace pintle {

/// The size of a mesh, in the units of its file.
struct UrdfMeshRoom {
  std::string file;  ///< as written in the URDF
  BodyRoom room{};   ///< its volume is 0 if not known: the mesh is not closed, or very fine
};

}  // namespace pintle
