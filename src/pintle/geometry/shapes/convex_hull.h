// ConvexHull: a convex polyhedron with its faces, edges and adjacency, computed from any points.
#pragma once

#include <span>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/geometry/shapes/bounding_box.h"

namespace pintle {

/// A flat face: the points x of the polyhedron with normal . x = offset. Its corners are `count` entries of
/// `face_vertices` from `first` on, counter-clockwise seen from outside.
struct HullFace {
  Vec3<> normal;  ///< unit, outwards
  double offset;  ///< [m]
  int first;
  int count;
};

/// An edge from vertex `from` to vertex `to`; seen from outside the face `left` is on its left, `right` on its right.
struct HullEdge {
  int from, to;
  int left, right;
};

/// A convex polyhedron: the result of convex_hull. Coplanar faces are merged into one.
struct ConvexHull {
  std::vector<Vec3<>> vertices;  ///< [m]; only corners, in the order of the input points
  std::vector<HullFace> faces;
  std::vector<int> face_vertices;
  std::vector<int> face_edges;  ///< parallel to face_vertices: the edge from that corner to the next
  std::vector<HullEdge> edges;
  std::vector<int> first_neighbor;  ///< of vertex i: neighbors[first_neighbor[i]] to before [first_neighbor[i + 1]]
  std::vector<int> neighbors;       ///< the vertices at the other ends of its edges
};

/// Computes the convex hull of points [m] (by Qhull) and merges faces that are coplanar up to rounding.
///
/// Codes: hull-not-finite, hull-too-few (fewer than four different points), hull-flat (all points in a plane, on a line
/// or in one place, up to 1e-12 of their spread).
Result<ConvexHull> convex_hull(std::span<const Vec3<>> points);

/// Returns the vertex that is farthest along a direction of any length; of equally far ones that with the lowest index.
int support_vertex(const ConvexHull& hull, const Vec3<>& direction);

BoundingBox bounding_box(const ConvexHull& hull);

/// Returns the problems of a hull; empty for every result of convex_hull. Codes: hull-not-made (inconsistent lists),
/// hull-not-finite.
Diagnostics check(const ConvexHull& hull);

}  // namespace pintle
