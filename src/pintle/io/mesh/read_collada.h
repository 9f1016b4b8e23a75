// Reads meshes from Collada files (.dae), as used by robots.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pintle/base/result.h"
#include "pintle/geometry/shapes/triangle_mesh.h"

namespace pintle {

/// Reads the triangles of a Collada file: all geometries of its scene with their transforms, in metres by the file's
/// own unit; without a scene, all geometries as they are. Polygons are split into triangle fans. As in RViz, the file's
/// `up_axis` is ignored: a z coordinate in the file stays z. Colours, textures, normals, lines and splines are ignored
/// too; a skin is read in its bind pose. `file` names the file in problems.
///
/// Codes: those of parse_xml; dae-syntax, dae-empty, dae-size.
Result<TriangleMesh> read_collada(std::string_view text, const std::string& file, std::size_t max_triangles = 4000000);

}  // namespace pintle
