// UrdfMeshRoom: how large a mesh is that a URDF names.
#pragma once

#include <string>

#include "pintle/geometry/mass/inertia_warnings.h"

namespace pintle {

/// The size of a mesh, in the units of its file.
struct UrdfMeshRoom {
  std::string file;  ///< as the URDF writes it
  BodyRoom room{};   ///< its volume is 0 where it is not known: of a mesh that is not closed, or a very fine one
};

}  // namespace pintle
