#include "pintle/geometry/shapes/surface_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "pintle/base/usage_error.h"
#include "pintle/geometry/shapes/surface_features.h"
#include "pintle/geometry/shapes/weld_vertices.h"
#include "pintle/math/number_text.h"

namespace pintle {
namespace {

// A side of a triangle: its edge from the lower to the higher vertex.
struct SurfaceSide {
  int low, high;
  int triangle;
  int corner;
  bool upwards;
};

std::string triangle_text(const SurfaceMesh& mesh, int triangle) {
  const auto points = corner_points(mesh, triangle);
  return "the triangle " + point_text(points[0]) + ", " + point_text(points[1]) + ", " + point_text(points[2]);
}

std::string edge_text(const SurfaceMesh& mesh, const SurfaceSide& side) {
  return "the edge from " + point_text(vertex(mesh, side.low)) + " to " + point_text(vertex(mesh, side.high));
}

Diagnostics check_input(const TriangleMesh& mesh) {
  Diagnostics problems;
  if (mesh.triangles.empty()) {
    problems.push_back(make_error("mesh-empty", {}, "the mesh has no triangle", "there is no surface to collide with",
                                  "give at least one triangle"));
  }
  if (!indices_in_range(mesh)) {
    problems.push_back(make_error("mesh-index", {},
                                  "a triangle refers to a vertex that does not exist; there are " +
                                      std::to_string(mesh.vertices.size()) + " vertices",
                                  "indices count from 0", "correct the index; some file formats count from 1"));
  }
  const auto is_finite = [](const Vec3<>& p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); };
  const auto wrong = std::find_if_not(mesh.vertices.begin(), mesh.vertices.end(), is_finite);
  if (wrong != mesh.vertices.end()) {
    problems.push_back(make_error(
        "mesh-vertex-not-finite", {}, "vertex " + std::to_string(wrong - mesh.vertices.begin()) + " is not finite",
        "every result that depends on it would be meaningless", "check where its coordinates were computed or read"));
  }
  return problems;
}

void add_normals(SurfaceMesh& mesh, Diagnostics& problems) {
  for (int t = 0; t < triangle_count(mesh); ++t) {
    const auto [a, b, c] = corner_points(mesh, t);
    const Vec3<> area = cross(b - a, c - a);
    const double longest = std::max({norm_squared(b - a), norm_squared(c - b), norm_squared(a - c)});
    if (!(norm(area) > 4.0 * kEpsilon<double> * longest)) {
      problems.push_back(make_error("mesh-degenerate-triangle", {}, triangle_text(mesh, t) + " has no area",
                                    "it has no normal", "remove it, and join its neighbours"));
      mesh.normals.push_back({0.0, 0.0, 1.0});
    } else {
      mesh.normals.push_back(normalized(area));
    }
  }
}

std::vector<SurfaceSide> sorted_sides(const SurfaceMesh& mesh) {
  std::vector<SurfaceSide> sides;
  for (int t = 0; t < triangle_count(mesh); ++t)
    for (int k = 0; k < 3; ++k) {
      const int from = corners(mesh, t)[at(k)], to = corners(mesh, t)[at((k + 1) % 3)];
      sides.push_back({std::min(from, to), std::max(from, to), t, k, from < to});
    }
  std::stable_sort(sides.begin(), sides.end(), [](const SurfaceSide& p, const SurfaceSide& q) {
    return p.low != q.low ? p.low < q.low : p.high < q.high;
  });
  return sides;
}

void add_edges(SurfaceMesh& mesh, Diagnostics& problems) {
  mesh.triangle_edges.resize(mesh.triangles.size());
  const std::vector<SurfaceSide> sides = sorted_sides(mesh);
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high) ++end;
    const SurfaceSide& first = sides[i];
    const int number = static_cast<int>(mesh.edges.size());
    for (std::size_t k = i; k < end; ++k) mesh.triangle_edges[at(sides[k].triangle)][at(sides[k].corner)] = number;
    SurfaceEdge edge{first.upwards ? first.low : first.high, first.upwards ? first.high : first.low, first.triangle, -1,
                     EdgeKind::open};
    if (end - i > 2) {
      problems.push_back(
          make_error("mesh-crowded-edge", {}, edge_text(mesh, first) + " belongs to more than two triangles",
                     "a surface has one triangle on each side of an edge", "remove duplicate and interior triangles"));
    } else if (end - i == 2) {
      edge.right = sides[i + 1].triangle;
      if (first.upwards == sides[i + 1].upwards) {
        problems.push_back(make_error("mesh-edge-orientation", {},
                                      "both triangles traverse " + edge_text(mesh, first) + " in the same direction",
                                      "they face opposite sides",
                                      "swap two vertices of the one that is not counter-clockwise seen from outside"));
      }
      const Vec3<> along = normalized(vertex(mesh, edge.to) - vertex(mesh, edge.from));
      edge.kind = edge_kind(normal_of(mesh, edge.left), normal_of(mesh, edge.right), along);
    }
    mesh.edges.push_back(edge);
    i = end;
  }
}

void add_vertex_edges(SurfaceMesh& mesh) {
  mesh.first_edge.assign(mesh.vertices.size() + 1, 0);
  for (const SurfaceEdge& edge : mesh.edges) {
    ++mesh.first_edge[at(edge.from) + 1];
    ++mesh.first_edge[at(edge.to) + 1];
  }
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) mesh.first_edge[v + 1] += mesh.first_edge[v];
  mesh.vertex_edges.resize(2 * mesh.edges.size());
  std::vector<int> place(mesh.first_edge.begin(), mesh.first_edge.end() - 1);
  for (std::size_t e = 0; e < mesh.edges.size(); ++e)
    for (const int v : {mesh.edges[e].from, mesh.edges[e].to})
      mesh.vertex_edges[at(place[at(v)]++)] = static_cast<int>(e);
}

void add_tree(SurfaceMesh& mesh) {
  std::vector<BoundingBox> boxes;
  std::vector<int> items;
  for (int t = 0; t < triangle_count(mesh); ++t) {
    const auto [a, b, c] = corner_points(mesh, t);
    boxes.push_back(enclosing(enclosing({a, a}, {b, b}), {c, c}));
    items.push_back(t);
  }
  build(mesh.tree, boxes, items);
}

}  // namespace

Result<SurfaceMesh> surface_mesh(const TriangleMesh& mesh) {
  Diagnostics problems = check_input(mesh);
  if (has_errors(problems)) return problems;
  TriangleMesh welded = weld_vertices(mesh);
  if (welded.triangles.empty()) {
    return make_error("mesh-empty", {}, "every triangle of the mesh has two coincident vertices",
                      "there is no surface to collide with", "give at least one triangle");
  }
  SurfaceMesh surface;
  surface.vertices = std::move(welded.vertices);
  surface.triangles = std::move(welded.triangles);
  add_normals(surface, problems);
  add_edges(surface, problems);
  if (has_errors(problems)) return problems;
  add_vertex_edges(surface);
  add_tree(surface);
  find_features(surface);
  return surface;
}

BoundingBox bounding_box(const SurfaceMesh& mesh) {
  require(!mesh.tree.nodes.empty(), "bounding_box", "mesh", "it has no triangles; surface_mesh makes it");
  return mesh.tree.nodes.front().box;
}

Diagnostics check(const SurfaceMesh& mesh) {
  const std::size_t n = mesh.triangles.size(), vertices = mesh.vertices.size();
  const bool made = n > 0 && mesh.normals.size() == n && mesh.triangle_edges.size() == n && mesh.faces.size() == n &&
                    mesh.tree.nodes.size() == 2 * n - 1 && mesh.first_edge.size() == vertices + 1 &&
                    mesh.vertex_edges.size() == 2 * mesh.edges.size() && mesh.pointed.size() == vertices;
  if (made) return {};
  return {make_error("mesh-not-made", {}, "the arrays of the surface mesh are inconsistent",
                     "they define which triangles are adjacent", "construct it with surface_mesh(triangle_mesh)")};
}

}  // namespace pintle
