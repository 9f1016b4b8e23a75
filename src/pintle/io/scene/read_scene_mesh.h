// Reads the meshes that a scene names.
#pragma once

#include "pintle/io/scene/scene_reader.h"

namespace pintle {

/// Reads the mesh of a file that a scene names, by its file name extension, scaled by `unit` [m], with equal vertices
/// merged. It must satisfy the requirements of its use (check_mesh.h). `colors` receives those of the materials of an
/// OBJ file.
Result<TriangleMesh> read_scene_mesh(SceneReader& scene, const std::string& name, const Origin& origin, double unit,
                                     MeshUse use, std::vector<MeshColor>* colors = nullptr);

}  // namespace pintle
