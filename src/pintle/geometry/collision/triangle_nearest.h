// The point of a triangle surface nearest to a point, and the traversal of its triangles from near to far.
#pragma once

#include "pintle/geometry/shapes/surface_features.h"

namespace pintle {

/// The part of a triangle that a point lies on: its interior, the edge from corner `number` to the next, or the corner
/// `number`.
struct TrianglePlace {
  enum class Part : unsigned char { inside, edge, corner } part;
  int number;
  Vec3<> point;
};

/// The point of a triangle nearest to p.  [eq. triangle-nearest]
TrianglePlace nearest_on_triangle(const Vec3<>& a, const Vec3<>& b, const Vec3<>& c, const Vec3<>& p);

/// Whether a point lies above or below a triangle: tested against each edge, up to `slack` [m].
bool is_over_triangle(const std::array<Vec3<>, 3>& corners, const Vec3<>& normal, const Vec3<>& p, double slack);

/// The distance of two boxes [m]; 0 when they share a point.
double distance_between(const BoundingBox& a, const BoundingBox& b);

/// The box around a triangle.
template <class Surface>
BoundingBox box_of(const Surface& surface, int triangle) {
  const auto [a, b, c] = corner_points(surface, triangle);
  return enclosing(enclosing({a, a}, {b, b}), {c, c});
}

/// Calls `visit(triangle)` for triangles whose boxes are within `bound()` [m] of `box`, which may shrink during the
/// traversal; roughly from near to far.
template <class Bound, class Visit>
void walk_outwards(const SurfaceMesh& mesh, const BoundingBox& box, const Bound& bound, const Visit& visit) {
  struct Waiting {
    int node;
    double distance;
  };
  std::array<Waiting, kBoxTreeDepth> waiting;
  std::size_t count = 0;
  waiting[count++] = {0, 0.0};
  while (count > 0) {
    const Waiting now = waiting[--count];
    if (now.distance > bound()) continue;
    const BoxTreeNode& node = mesh.tree.nodes[at(now.node)];
    if (node.item >= 0) {
      visit(node.item);
      continue;
    }
    const int first = now.node + 1, second = mesh.tree.nodes[at(first)].next;
    const double to_first = distance_between(mesh.tree.nodes[at(first)].box, box);
    const double to_second = distance_between(mesh.tree.nodes[at(second)].box, box);
    const bool first_is_nearer = to_first <= to_second;
    waiting[count++] = first_is_nearer ? Waiting{second, to_second} : Waiting{first, to_first};
    waiting[count++] = first_is_nearer ? Waiting{first, to_first} : Waiting{second, to_second};
  }
}

/// The same for a height field: rings of cells around those below the box.
template <class Bound, class Visit>
void walk_outwards(const HeightField& field, const BoundingBox& box, const Bound& bound, const Visit& visit) {
  const int nx = field.nx - 1, ny = field.ny - 1;
  const double s = field.spacing;
  const int i0 = cell_at(box.min.x, s, nx), i1 = cell_at(box.max.x, s, nx);
  const int j0 = cell_at(box.min.y, s, ny), j1 = cell_at(box.max.y, s, ny);
  const auto visit_cell = [&](int i, int j) {
    if (i < 0 || j < 0 || i >= nx || j >= ny) return;
    for (const int triangle : {2 * (i + nx * j), 2 * (i + nx * j) + 1})
      if (distance_between(box_of(field, triangle), box) <= bound()) visit(triangle);
  };
  for (int j = j0; j <= j1; ++j)
    for (int i = i0; i <= i1; ++i) visit_cell(i, j);
  const int rings = std::max({i0, nx - 1 - i1, j0, ny - 1 - j1});
  for (int k = 1; k <= rings && (k - 1) * s <= bound(); ++k) {
    for (int i = std::max(i0 - k, 0); i <= std::min(i1 + k, nx - 1); ++i) {
      visit_cell(i, j0 - k);
      visit_cell(i, j1 + k);
    }
    for (int j = std::max(j0 - k + 1, 0); j <= std::min(j1 + k - 1, ny - 1); ++j) {
      visit_cell(i0 - k, j);
      visit_cell(i1 + k, j);
    }
  }
}

/// The point of a surface nearest to a point, its triangle, and the signed distance: negative behind the surface. The
/// sign comes from the normal of the triangle, the sum of the normals beside the edge, or the angle-weighted sum of the
/// normals around the vertex (Baerentzen and Aanaes 2005), the `normal`. Where the border of the surface is nearest,
/// the point is in front, except below a height field.  [eq. surface-sign]
struct SurfacePlace {
  int triangle;
  TrianglePlace place;
  Vec3<> normal;
  double distance;
};
SurfacePlace nearest_on_surface(const SurfaceMesh& mesh, const Vec3<>& p);
SurfacePlace nearest_on_surface(const HeightField& field, const Vec3<>& p);

}  // namespace pintle
