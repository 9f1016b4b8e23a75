// SurfaceMesh: a static triangle surface for collisions; it need not be closed.
#pragma once

#include <array>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/geometry/shapes/box_tree.h"
#include "pintle/geometry/shapes/triangle_mesh.h"

namespace pintle {

/// The kind of an edge between two triangles, seen from their free side.
enum class EdgeKind : unsigned char {
  convex,   ///< a ridge: objects may touch it
  flat,     ///< the two triangles lie in one plane up to kFlatEdgeAngle: the edge is not a feature of the surface
  concave,  ///< a valley: objects touch the triangles beside it
  open      ///< it belongs to one triangle: the border of the surface
};

/// Triangles whose normals differ by no more than this angle [rad] lie in one plane.
inline constexpr double kFlatEdgeAngle = 1e-9;

/// An edge of a surface. The triangle `left` traverses it from `from` to `to`, the triangle `right` in the opposite
/// direction; `right` is -1 at the border.
struct SurfaceEdge {
  int from, to;
  int left, right;
  EdgeKind kind;
};

/// Triangles by the indices of their vertices [m], counter-clockwise seen from their free side, with the adjacency that
/// contact queries need. Made by surface_mesh. The surface is one-sided: what is behind a triangle is inside.
struct SurfaceMesh {
  std::vector<Vec3<>> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<Vec3<>> normals;                     ///< unit, one per triangle
  std::vector<std::array<int, 3>> triangle_edges;  ///< parallel to `triangles`: the edge from that corner to the next
  std::vector<SurfaceEdge> edges;
  std::vector<int> first_edge;    ///< the edges at vertex i: vertex_edges[first_edge[i]] to before [first_edge[i + 1]]
  std::vector<int> vertex_edges;  ///< see first_edge
  std::vector<int> faces;         ///< one per triangle: the first triangle of the flat face it is a part of
  std::vector<unsigned char> pointed;  ///< one per vertex: 1 where an object may touch it and nothing beside it
  BoxTree tree;                        ///< over the triangles
};

/// Makes the surface of these triangles. It first merges coincident vertices (weld_vertices) and drops triangles that
/// lose a corner this way.
///
/// Codes: mesh-empty, mesh-vertex-not-finite, mesh-index, mesh-degenerate-triangle (a triangle without area),
/// mesh-edge-orientation (two triangles face opposite ways), mesh-crowded-edge (an edge of more than two triangles).
Result<SurfaceMesh> surface_mesh(const TriangleMesh& mesh);

/// The box around all triangles. Throws UsageError when there are none.
BoundingBox bounding_box(const SurfaceMesh& mesh);

/// Returns the problems of a mesh; empty for every result of surface_mesh. Code: mesh-not-made (inconsistent lists).
Diagnostics check(const SurfaceMesh& mesh);

}  // namespace pintle
