// Meshes from Collada files (.dae), as robots have them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pintle/base/result.h"
#include "pintle/geometry/shapes/triangle_mesh.h"

namespace pintle {

/// Reads the triangles of a Collada file: all geometries of its scene at their places, in metres by the file's own
/// unit; without a scene all geometries as they are. Polygons are cut into fans. As RViz does, the file's `up_axis` is
/// passed over: what is z in its numbers is z. Colours, textures, normals, lines and splines are passed over too; a
/// skin is taken as it is bound. `file` stands for it in problems.
///
/// Codes: those of parse_xml; dae-syntax, dae-empty, dae-size.
Result<TriangleMesh> read_collada(std::string_view text, const std::string& file, std::size_t max_triangles = 4000000);

}  // namespace pintle
