// Meshes that a scene names.
#pragma once

#include "pintle/io/scene/scene_reader.h"

namespace pintle {

/// The mesh of a file that a scene names, by the ending of its name, times `unit` [m], with equal corners made one. It
/// must be as its use asks for (check_mesh.h).
Result<TriangleMesh> read_scene_mesh(SceneReader& scene, const std::string& name, const Origin& origin, double unit,
                                     MeshUse use);

}  // namespace pintle
