// Joining the vertices of a mesh that lie at the same place.
#pragma once

#include "pintle/geometry/shapes/triangle_mesh.h"

namespace pintle {

/// The mesh with one vertex for all that have exactly the same coordinates; of these the first stays. Triangles that
/// lose a corner this way and vertices that no triangle uses are left out, the order of the others stays. Throws
/// UsageError when a triangle refers to a vertex the mesh does not have.
TriangleMesh weld_vertices(const TriangleMesh& mesh);

/// The same for vertices within `tolerance` [m] of each other: each joins the first vertex kept so far that is near
/// enough, so no corner moves by more than the tolerance. Throws UsageError also unless the tolerance is finite and
/// positive.
TriangleMesh weld_vertices(const TriangleMesh& mesh, double tolerance);

}  // namespace pintle
