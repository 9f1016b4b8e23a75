// The interface of a triangle surface for queries, the same for meshes and height fields: corners, normals, edges with
// their kinds, and the triangles near a box.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "pintle/geometry/shapes/height_field.h"
#include "pintle/geometry/shapes/surface_mesh.h"

namespace pintle {

using Corners = std::array<int, 3>;

inline std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// ---- meshes

inline int triangle_count(const SurfaceMesh& mesh) {
  return static_cast<int>(mesh.triangles.size());
}
inline int vertex_count(const SurfaceMesh& mesh) {
  return static_cast<int>(mesh.vertices.size());
}
inline const Corners& corners(const SurfaceMesh& mesh, int triangle) {
  return mesh.triangles[at(triangle)];
}
inline const Vec3<>& vertex(const SurfaceMesh& mesh, int i) {
  return mesh.vertices[at(i)];
}
inline const Vec3<>& normal_of(const SurfaceMesh& mesh, int triangle) {
  return mesh.normals[at(triangle)];
}
/// The edges from each corner of a triangle to the next.
inline const std::array<int, 3>& edges_of(const SurfaceMesh& mesh, int triangle) {
  return mesh.triangle_edges[at(triangle)];
}
inline const SurfaceEdge& edge(const SurfaceMesh& mesh, int i) {
  return mesh.edges[at(i)];
}
inline bool has_edge(const SurfaceMesh& mesh, int i) {
  return at(i) < mesh.edges.size();
}
template <class Visit>
void for_each_edge_at(const SurfaceMesh& mesh, int i, const Visit& visit) {
  for (int k = mesh.first_edge[at(i)]; k < mesh.first_edge[at(i + 1)]; ++k) visit(mesh.vertex_edges[at(k)]);
}
template <class Visit>
void for_each_triangle_near(const SurfaceMesh& mesh, const BoundingBox& box, const Visit& visit) {
  for_each_overlap(mesh.tree, box, visit);
}

// ---- height fields

inline int triangle_count(const HeightField& field) {
  return 2 * (field.nx - 1) * (field.ny - 1);
}
inline int vertex_count(const HeightField& field) {
  return field.nx * field.ny;
}
inline Corners corners(const HeightField& field, int triangle) {
  const int cell = triangle / 2, i = cell % (field.nx - 1), j = cell / (field.nx - 1);
  const int low = i + field.nx * j, high = low + field.nx + 1;
  return triangle % 2 == 0 ? Corners{low, low + 1, high} : Corners{low, high, high - 1};
}
inline Vec3<> vertex(const HeightField& field, int i) {
  return {field.spacing * (i % field.nx), field.spacing * (i / field.nx), field.heights[at(i)]};
}
Vec3<> normal_of(const HeightField& field, int triangle);
/// Edges are numbered by the grid point at their lower end: 3v along x, 3v + 1 along y, 3v + 2 across the cell.
std::array<int, 3> edges_of(const HeightField& field, int triangle);
SurfaceEdge edge(const HeightField& field, int i);
bool has_edge(const HeightField& field, int i);
template <class Visit>
void for_each_edge_at(const HeightField& field, int v, const Visit& visit) {
  const int i = v % field.nx, j = v / field.nx;
  const bool left = i > 0, right = i + 1 < field.nx, below = j > 0, above = j + 1 < field.ny;
  if (right) visit(3 * v);
  if (left) visit(3 * (v - 1));
  if (above) visit(3 * v + 1);
  if (below) visit(3 * (v - field.nx) + 1);
  if (right && above) visit(3 * v + 2);
  if (left && below) visit(3 * (v - field.nx - 1) + 2);
}
/// The index of the cell, of `cells`, that contains a coordinate along x or y [m]; the first or last one outside.
inline int cell_at(double place, double spacing, int cells) {
  const double cell = place / spacing;
  if (!(cell > 0.0)) return 0;
  return cell >= cells ? cells - 1 : static_cast<int>(cell);
}
template <class Visit>
void for_each_triangle_near(const HeightField& field, const BoundingBox& box, const Visit& visit) {
  const int nx = field.nx - 1, ny = field.ny - 1;
  if (box.max.x < 0.0 || box.min.x > nx * field.spacing || box.max.y < 0.0 || box.min.y > ny * field.spacing) return;
  // One more cell on the low side: a coordinate on a grid line belongs to both cells.
  const int i0 = std::max(cell_at(box.min.x, field.spacing, nx) - 1, 0), i1 = cell_at(box.max.x, field.spacing, nx);
  const int j0 = std::max(cell_at(box.min.y, field.spacing, ny) - 1, 0), j1 = cell_at(box.max.y, field.spacing, ny);
  for (int j = j0; j <= j1; ++j)
    for (int i = i0; i <= i1; ++i) {
      const bool beside = (i + 1) * field.spacing < box.min.x || (j + 1) * field.spacing < box.min.y;
      if (beside) continue;
      const int v = i + field.nx * j;
      const double h00 = field.heights[at(v)], h10 = field.heights[at(v + 1)];
      const double h01 = field.heights[at(v + field.nx)], h11 = field.heights[at(v + field.nx + 1)];
      const int triangle = 2 * (i + nx * j);
      const double low = std::min(h00, h11), high = std::max(h00, h11);
      if (std::max(high, h10) >= box.min.z && std::min(low, h10) <= box.max.z) visit(triangle);
      if (std::max(high, h01) >= box.min.z && std::min(low, h01) <= box.max.z) visit(triangle + 1);
    }
}

// ---- both

inline int face_of(const auto& surface, int triangle) {
  return surface.faces[at(triangle)];
}
inline bool is_pointed(const auto& surface, int i) {
  return surface.pointed[at(i)] != 0;
}

/// The three corners of a triangle as points [m].
template <class Surface>
std::array<Vec3<>, 3> corner_points(const Surface& surface, int triangle) {
  const Corners c = corners(surface, triangle);
  return {vertex(surface, c[0]), vertex(surface, c[1]), vertex(surface, c[2])};
}

/// The kind of an edge with these normals on both sides and the unit vector `along`.
EdgeKind edge_kind(const Vec3<>& left_normal, const Vec3<>& right_normal, const Vec3<>& along);

/// The angle-weighted sum of the normals of the triangles around a vertex: it separates the free side from the other
/// wherever the vertex is the nearest point (Baerentzen and Aanaes 2005).
Vec3<> normal_at_vertex(const SurfaceMesh& mesh, int v);
Vec3<> normal_at_vertex(const HeightField& field, int v);

/// Fills in `faces` and `pointed` of an otherwise complete surface.
void find_features(SurfaceMesh& mesh);
void find_features(HeightField& field);

}  // namespace pintle
