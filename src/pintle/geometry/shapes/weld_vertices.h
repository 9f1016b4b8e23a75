// Merges coincident vertices of a mesh.
#pragma once

#include "pintle/geometry/shapes/triangle_mesh.h"

namespace pintle {

/// Returns the mesh with vertices of exactly equal coordinates merged into the first of them. Drops triangles that lose
/// a corner this way and vertices that no triangle uses; the others keep their order. Throws UsageError when a triangle
/// refers to a vertex the mesh does not have.
TriangleMesh weld_vertices(const TriangleMesh& mesh);

/// The same for vertices within `tolerance` [m] of each other: each is merged into the first kept vertex that is near
/// enough, so no corner moves by more than the tolerance. Throws UsageError also unless the tolerance is finite and
/// positive.
TriangleMesh weld_vertices(const TriangleMesh& mesh, double tolerance);

}  // namespace pintle
