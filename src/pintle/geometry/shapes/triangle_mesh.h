// TriangleMesh: a solid given by the triangles of its surface.
#pragma once

#include <array>
#include <vector>

#include "pintle/geometry/shapes/bounding_box.h"
#include "pintle/geometry/shapes/volume_properties.h"

namespace pintle {

/// A closed surface: `vertices` [m], and for each triangle the indices of its three vertices, counter-clockwise seen
/// from outside. `check` (check_mesh.h) defines closed; weld a mesh whose triangles share no vertices, as in an STL
/// file, by weld_vertices (weld_vertices.h) first.
struct TriangleMesh {
  std::vector<Vec3<>> vertices;
  std::vector<std::array<int, 3>> triangles;
};

/// Volume, centroid and inertia about it, by the divergence theorem: the sum over the triangles of the tetrahedra they
/// span with the middle of the bounding box, so that the precision does not depend on the distance to the origin. The
/// volume is negative when the triangles face inwards. The mesh must be closed for this to mean anything; throws
/// UsageError when it has no vertices or a triangle refers to one it does not have.  [eq. mesh-moments]
VolumeProperties volume_properties(const TriangleMesh& mesh);

/// Returns the point of the convex hull of the mesh that is farthest along a direction of any length. For equally far
/// points it is their centroid: for an edge its midpoint, for a face a point that does not depend on its triangulation.
/// Throws UsageError when the direction is zero or not finite, or the mesh has no vertices.
Vec3<> support_point(const TriangleMesh& mesh, const Vec3<>& direction);

/// The box around all vertices. Throws UsageError when the mesh has none.
BoundingBox bounding_box(const TriangleMesh& mesh);

/// The same mesh with every triangle facing the other way.
TriangleMesh flipped(TriangleMesh mesh);

/// Whether every triangle refers to vertices the mesh has.
bool indices_in_range(const TriangleMesh& mesh);

}  // namespace pintle
