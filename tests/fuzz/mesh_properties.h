// What must hold for any mesh that was read.
#pragma once

#include <cmath>

#include "fuzz/properties.h"
#include "pintle/geometry/shapes/check_mesh.h"
#include "pintle/geometry/shapes/weld_vertices.h"

namespace pintle::fuzz {

inline void require_good(const TriangleMesh& mesh) {
  require(indices_in_range(mesh), "triangles have the vertices they name");
  for (const Vec3<>& x : mesh.vertices)
    require(std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z), "vertices are finite");
  const TriangleMesh welded = weld_vertices(mesh);
  require(indices_in_range(welded), "so do welded ones");
  require(welded.vertices.size() <= mesh.vertices.size(), "welding makes no vertices");
  const Diagnostics problems = check(welded);
  for (const Diagnostic& problem : problems)
    require(!problem.code.empty() && !problem.what.empty(), "a problem of a mesh says what it is", format(problem));
  if (has_errors(problems)) return;
  const VolumeProperties solid = volume_properties(welded);
  require(std::isfinite(solid.volume) && solid.volume > 0.0, "a mesh without errors has a volume");
}

}  // namespace pintle::fuzz
