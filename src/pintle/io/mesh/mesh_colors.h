// The colours of an OBJ mesh, from its MTL files.
#pragma once

#include <map>
#include <vector>

#include "pintle/geometry/shapes/mesh_source.h"
#include "pintle/io/mesh/read_mesh.h"

namespace pintle {

/// Reads the diffuse colours (`newmtl`, `Kd r g b`) of an MTL file as "#rrggbb", by the names of the materials; all other
/// lines are ignored. A material whose Kd is not three numbers (`Kd spectral`, `Kd xyz`) has none. Code: mtl-syntax, for
/// a Kd before any newmtl, or with numbers that are none.
using MaterialColors = std::map<std::string, std::string>;
Result<MaterialColors> read_mtl(std::string_view text, const std::string& file);

/// The colours of the parts of a mesh; `mesh` is as read, before vertices are merged, and triangles without area by
/// equal corners do not count (weld_vertices drops them). `libraries` are those of `materials`, in their order. Empty if no part has a colour. What is missing or cannot be
/// read is a warning at the line of the OBJ file that names it. Code: mesh-material.
std::vector<MeshColor> mesh_colors(const TriangleMesh& mesh, const ObjMaterials& materials,
                                   const std::vector<Result<MaterialColors>>& libraries, Diagnostics& warnings);

}  // namespace pintle
