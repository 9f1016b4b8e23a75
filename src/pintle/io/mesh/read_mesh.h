// Reads meshes from STL (binary and ASCII) and OBJ files.
#pragma once

#include <string>
#include <string_view>

#include "pintle/base/result.h"
#include "pintle/geometry/shapes/triangle_mesh.h"

namespace pintle {

/// Reads an STL file, binary or ASCII. The size decides which, because a binary file may also begin with "solid". Every
/// corner becomes a separate vertex; coordinates are as in the file. `file` names the file in problems.
Result<TriangleMesh> read_stl(std::string_view bytes, const std::string& file);

/// What an OBJ file says of the materials of its faces.
struct ObjMaterials {
  struct Name {
    std::string name{};
    Origin origin{};
  };
  struct Part {
    int first = 0;  ///< index of its first triangle
    Name material{};
  };
  std::vector<Name> libraries{};  ///< `mtllib`: files, relative to that of the mesh
  std::vector<Part> parts{};      ///< `usemtl`, in the order of triangles; empty ones are left out
};

/// Reads the triangles of an OBJ file: `v` and `f` lines (polygons are split into triangle fans; vertex indices may be
/// negative). Everything that does not change the surface (normals, textures, groups, and materials, unless
/// `materials` asks for them) is ignored; curves and free-form surfaces are refused.
Result<TriangleMesh> read_obj(std::string_view text, const std::string& file, ObjMaterials* materials = nullptr);

}  // namespace pintle
