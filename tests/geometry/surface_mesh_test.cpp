#include "pintle/geometry/shapes/surface_mesh.h"

#include <set>

#include "geometry/surfaces.h"
#include "pintle/base/usage_error.h"
#include "pintle/geometry/collision/triangle_nearest.h"
#include "pintle/geometry/shapes/surface_features.h"

using namespace test;

namespace {

template <class Surface>
std::array<int, 4> edges_by_kind(const Surface& surface) {
  std::set<int> edges;
  for (int t = 0; t < triangle_count(surface); ++t)
    for (const int e : edges_of(surface, t)) edges.insert(e);
  std::array<int, 4> count{};
  for (const int e : edges) ++count[static_cast<std::size_t>(edge(surface, e).kind)];
  return count;
}

template <class Surface>
int pointed_vertices(const Surface& surface) {
  return static_cast<int>(std::count(surface.pointed.begin(), surface.pointed.end(), 1));
}

int faces(const std::vector<int>& face_of_triangle) {
  return static_cast<int>(std::set<int>(face_of_triangle.begin(), face_of_triangle.end()).size());
}

/// The prism over an L: its inner corner is a valley.
TriangleMesh l_shape() {
  const std::vector<Vec3<>> outline{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  TriangleMesh mesh;
  for (const double z : {0.0, 1.0})
    for (const Vec3<>& p : outline) mesh.vertices.push_back({p.x, p.y, z});
  for (int i = 0; i < 6; ++i) {
    const int j = (i + 1) % 6;
    mesh.triangles.push_back({i, j, j + 6});
    mesh.triangles.push_back({i, j + 6, i + 6});
  }
  for (const auto& [a, b, c] : {std::array{0, 1, 2}, std::array{0, 2, 3}, std::array{0, 3, 5}, std::array{3, 4, 5}}) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({a + 6, b + 6, c + 6});
  }
  return mesh;
}

std::string code_of(const Result<SurfaceMesh>& result) {
  REQUIRE_FALSE(result.ok());
  return result.diagnostics().front().code;
}

}  // namespace

TEST_CASE("surface mesh: the edges of a box are ridges, its diagonals flat, its corners pointed") {
  const SurfaceMesh mesh = *surface_mesh(box_mesh({1, 2, 3}));
  CHECK(edges_by_kind(mesh) == std::array{12, 6, 0, 0});
  CHECK(faces(mesh.faces) == 6);
  CHECK(pointed_vertices(mesh) == 8);
  CHECK(check(mesh).empty());
  const BoundingBox box = bounding_box(mesh);
  CHECK(norm(box.max - Vec3<>{0.5, 1.0, 1.5}) == 0.0);
  for (int v = 0; v < 8; ++v) {
    int ridges = 0;
    for_each_edge_at(mesh, v, [&](int e) { ridges += edge(mesh, e).kind == EdgeKind::convex ? 1 : 0; });
    CHECK(ridges == 3);
  }
}

TEST_CASE("surface mesh: a box turned inside out has valleys only, and no point") {
  const SurfaceMesh mesh = *surface_mesh(flipped(box_mesh({1, 2, 3})));
  CHECK(edges_by_kind(mesh) == std::array{0, 6, 12, 0});
  CHECK(pointed_vertices(mesh) == 0);
}

TEST_CASE("surface mesh: an L has one valley, whose ends are not pointed") {
  const SurfaceMesh mesh = *surface_mesh(l_shape());
  CHECK(edges_by_kind(mesh)[static_cast<std::size_t>(EdgeKind::concave)] == 1);
  CHECK(edges_by_kind(mesh)[static_cast<std::size_t>(EdgeKind::convex)] == 17);
  CHECK(faces(mesh.faces) == 8);
  CHECK(pointed_vertices(mesh) == 10);
}

TEST_CASE("surface mesh: a flat sheet is one face with an open border and four points") {
  const SurfaceMesh mesh = *surface_mesh(flat_floor(3.0, 7));
  CHECK(faces(mesh.faces) == 1);
  const auto count = edges_by_kind(mesh);
  CHECK(count[static_cast<std::size_t>(EdgeKind::open)] == 28);
  CHECK(count[static_cast<std::size_t>(EdgeKind::flat)] == 3 * 49 - 14);
  CHECK(pointed_vertices(mesh) == 4);
}

TEST_CASE("surface mesh: round ones have ridges between all triangles, and every vertex is pointed") {
  const SurfaceMesh mesh = *surface_mesh(inscribed(Sphere{1.0}, 32));
  const auto count = edges_by_kind(mesh);
  CHECK(count[static_cast<std::size_t>(EdgeKind::concave)] == 0);
  // The squares between circles of latitude are flat.
  CHECK(count[static_cast<std::size_t>(EdgeKind::flat)] == 32 * 14);
  CHECK(pointed_vertices(mesh) == static_cast<int>(mesh.vertices.size()));
}

TEST_CASE("surface mesh: corners of one place become one, and what is no surface is named") {
  TriangleMesh loose;
  for (const auto& triangle : box_mesh({1, 1, 1}).triangles) {
    const int n = static_cast<int>(loose.vertices.size());
    for (const int i : triangle) loose.vertices.push_back(box_mesh({1, 1, 1}).vertices[static_cast<std::size_t>(i)]);
    loose.triangles.push_back({n, n + 1, n + 2});
  }
  CHECK(surface_mesh(loose)->vertices.size() == 8);
  const std::vector<Vec3<>> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0, 0}};
  CHECK(code_of(surface_mesh({})) == "mesh-empty");
  CHECK(code_of(surface_mesh({square, {{0, 1, 1}}})) == "mesh-empty");
  CHECK(code_of(surface_mesh({square, {{0, 1, 7}}})) == "mesh-index");
  CHECK(code_of(surface_mesh({{{0, 0, 0}, {1, 0, 0}, {std::nan(""), 1, 0}}, {{0, 1, 2}}})) == "mesh-vertex-not-finite");
  CHECK(code_of(surface_mesh({square, {{0, 1, 4}}})) == "mesh-degenerate-triangle");
  CHECK(code_of(surface_mesh({square, {{0, 1, 2}, {0, 2, 3}, {0, 2, 4}}})) == "mesh-crowded-edge");
  CHECK(code_of(surface_mesh({square, {{0, 1, 2}, {0, 3, 2}, {0, 2, 3}}})) == "mesh-crowded-edge");
  CHECK(code_of(surface_mesh({square, {{0, 1, 2}, {2, 0, 3}, {1, 2, 4}}})) == "mesh-edge-orientation");
  SurfaceMesh broken = *surface_mesh(loose);
  broken.faces.pop_back();
  CHECK(problem_with_code(check(broken), "mesh-not-made").fix != "");
  CHECK_THROWS_AS(bounding_box(SurfaceMesh{}), UsageError);
}

TEST_CASE("height field: its triangles, normals and edges are those of the mesh made of them") {
  RandomStream stream(5);
  HeightField field = random_hills(stream, 5, 4, 0.5, 1.0);
  for (const std::size_t flat : {0u, 1u, 2u, 5u, 6u, 7u, 10u, 11u, 12u}) field.heights[flat] = 0.25;
  field = *height_field(5, 4, 0.5, field.heights);
  CHECK(check(field).empty());
  const SurfaceMesh mesh = *surface_mesh(triangles_of(field));
  REQUIRE(triangle_count(field) == triangle_count(mesh));
  for (int t = 0; t < triangle_count(field); ++t) {
    CHECK(corners(field, t) == corners(mesh, t));
    CHECK(norm(normal_of(field, t) - normal_of(mesh, t)) < 4 * kEps);
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const int e = edges_of(field, t)[i];
      CHECK(has_edge(field, e));
      const SurfaceEdge a = edge(field, e), b = edge(mesh, edges_of(mesh, t)[i]);
      const int from = corners(field, t)[i], to = corners(field, t)[(i + 1) % 3];
      CHECK((a.left == t ? a.from == from && a.to == to : a.right == t && a.from == to && a.to == from));
      CHECK(a.kind == b.kind);
      CHECK(std::minmax(a.left, a.right) == std::minmax(b.left, b.right));
    }
  }
  CHECK(field.faces == mesh.faces);
  CHECK(field.pointed == mesh.pointed);
  CHECK(faces(field.faces) == triangle_count(field) - 7);
  for (int v = 0; v < vertex_count(field); ++v) {
    std::set<int> ends, same_ends;
    for_each_edge_at(field, v, [&](int e) { ends.insert(edge(field, e).from + edge(field, e).to - v); });
    for_each_edge_at(mesh, v, [&](int e) { same_ends.insert(edge(mesh, e).from + edge(mesh, e).to - v); });
    CHECK(ends == same_ends);
  }
  CHECK_FALSE(has_edge(field, 3 * 4));
  CHECK_FALSE(has_edge(field, 3 * 15 + 1));
  CHECK_FALSE(has_edge(field, -1));
  CHECK_FALSE(has_edge(field, 3 * 20));
}

TEST_CASE("height field: what is wrong is named") {
  const auto code = [](const Result<HeightField>& result) {
    REQUIRE_FALSE(result.ok());
    return result.diagnostics().front().code;
  };
  CHECK(code(height_field(1, 2, 1.0, {0, 0})) == "height-field-size");
  CHECK(code(height_field(0, 0, 1.0, {})) == "height-field-size");
  CHECK(code(height_field(2, 2, 1.0, {0, 0, 0})) == "height-field-size");
  CHECK(code(height_field(2, 2, 0.0, {0, 0, 0, 0})) == "height-field-spacing");
  CHECK(code(height_field(2, 2, 1.0, {0, 0, 0, std::nan("")})) == "height-field-not-finite");
  CHECK(problem_with_code(
            check(HeightField{.nx = 2, .ny = 2, .spacing = 1.0, .heights = {0, 0, 0, 0}, .faces = {}, .pointed = {}}),
            "height-field-not-made")
            .fix != "");
}

TEST_CASE("surface mesh: the nearest point of a surface is that of brute force, its sign that of the solid") {
  RandomStream stream(6);
  const SurfaceMesh solids[] = {*surface_mesh(box_mesh({1, 1.4, 0.6})), *surface_mesh(l_shape()),
                                *surface_mesh(inscribed(Cone{0.8, 1.0}, 16)),
                                *surface_mesh(inscribed(Ellipsoid{{0.5, 0.8, 1.0}}, 24))};
  double worst = 0.0;
  for (const SurfaceMesh& mesh : solids) {
    for (int i = 0; i < 2000; ++i) {
      const Vec3<> p = random_vector(stream, 2.0);
      const SurfacePlace nearest = nearest_on_surface(mesh, p);
      double least = 1e300;
      // Whether p is inside: the solid angle of the surface seen from it (van Oosterom and Strackee 1983).
      double angle = 0.0;
      for (int t = 0; t < triangle_count(mesh); ++t) {
        const auto [a, b, c] = corner_points(mesh, t);
        const Vec3<> u = a - p, v = b - p, w = c - p;
        const double nu = norm(u), nv = norm(v), nw = norm(w);
        angle += 2.0 * std::atan2(dot(u, cross(v, w)), nu * nv * nw + dot(u, v) * nw + dot(v, w) * nu + dot(w, u) * nv);
        // Nearest point by projection on the plane, the edges and the corners.
        const Vec3<> n = normal_of(mesh, t), foot = p - dot(n, p - a) * n;
        const bool inside = dot(cross(b - a, foot - a), n) >= 0.0 && dot(cross(c - b, foot - b), n) >= 0.0 &&
                            dot(cross(a - c, foot - c), n) >= 0.0;
        if (inside) least = std::min(least, norm(p - foot));
        for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}}) {
          const double s = std::clamp(dot(p - from, to - from) / norm_squared(to - from), 0.0, 1.0);
          least = std::min(least, norm(p - fma(s, to - from, from)));
        }
      }
      worst = std::max(worst, abs(abs(nearest.distance) - least));
      CHECK((nearest.distance < 0.0) == (angle > 6.0));
    }
  }
  CHECK(worst <= 16 * kEps);
}
