// Meshes from files: STL, binary and ASCII, and OBJ.
#pragma once

#include <string>
#include <string_view>

#include "pintle/base/result.h"
#include "pintle/geometry/shapes/triangle_mesh.h"

namespace pintle {

/// Reads an STL file, binary or ASCII; which of the two its size tells, for a binary one may begin with "solid" too.
/// Every corner becomes a vertex of its own; numbers are as in the file. `file` stands for it in problems.
Result<TriangleMesh> read_stl(std::string_view bytes, const std::string& file);

/// Reads the triangles of an OBJ file: `v` and `f` lines (polygons are cut into fans; vertex numbers may be negative).
/// Everything that does not change the surface (normals, texture, groups, materials) is passed over; curves and free
/// forms are refused.
Result<TriangleMesh> read_obj(std::string_view text, const std::string& file);

}  // namespace pintle
