// SurfaceMesh: a static surface of triangles to collide with; it need not be closed.
#pragma once

#include <array>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/geometry/shapes/box_tree.h"
#include "pintle/geometry/shapes/triangle_mesh.h"

namespace pintle {

/// What an edge between two triangles is, seen from their free side.
enum class EdgeKind : unsigned char {
  convex,   ///< a ridge: things may touch it
  flat,     ///< the two triangles lie in one plane up to kFlatEdgeAngle: the edge is no feature of the surface
  concave,  ///< a valley: things touch the triangles beside it
  open      ///< it belongs to one triangle: the border of the surface
};

/// Triangles whose normals differ by no more than this angle [rad] lie in one plane.
inline constexpr double kFlatEdgeAngle = 1e-9;

/// An edge of a surface. The triangle `left` runs along it from `from` to `to`, the triangle `right` the other way;
/// `right` is -1 at the border.
struct SurfaceEdge {
  int from, to;
  int left, right;
  EdgeKind kind;
};

/// Triangles by the indices of their vertices [m], counter-clockwise seen from their free side, with all that contact
/// queries need to know of their neighbours. Made by surface_mesh. The surface is one-sided: what is behind a triangle
/// is inside.
struct SurfaceMesh {
  std::vector<Vec3<>> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<Vec3<>> normals;                     ///< unit, one a triangle
  std::vector<std::array<int, 3>> triangle_edges;  ///< beside triangles: the edge from that corner to the next
  std::vector<SurfaceEdge> edges;
  std::vector<int> first_edge;    ///< the edges at vertex i: vertex_edges[first_edge[i]] to before [first_edge[i + 1]]
  std::vector<int> vertex_edges;  ///< see first_edge
  std::vector<int> faces;         ///< one a triangle: the first triangle of the flat face it is a part of
  std::vector<unsigned char> pointed;  ///< one a vertex: 1 where a thing may touch it and nothing beside it
  BoxTree tree;                        ///< over the triangles
};

/// The surface of these triangles. Vertices at the same place become one first (weld_vertices), and triangles that lose
/// a corner this way are left out.
///
/// Codes: mesh-empty, mesh-vertex-not-finite, mesh-index, mesh-degenerate-triangle (a triangle without area),
/// mesh-edge-orientation (two triangles face opposite ways), mesh-crowded-edge (an edge of more than two triangles).
Result<SurfaceMesh> surface_mesh(const TriangleMesh& mesh);

/// The box around all triangles. Throws UsageError when there are none.
BoundingBox bounding_box(const SurfaceMesh& mesh);

/// What is wrong with the mesh; empty for every one that surface_mesh made. Code: mesh-not-made (lists that do not fit
/// together).
Diagnostics check(const SurfaceMesh& mesh);

}  // namespace pintle
