#include "pintle/geometry/shapes/check_mesh.h"

#include <limits>

#include "geometry/solids.h"
#include "pintle/geometry/shapes/weld_vertices.h"

using namespace test;

namespace {

/// Every triangle with corners of its own, as an STL file has them.
TriangleMesh exploded(const TriangleMesh& mesh) {
  TriangleMesh result;
  for (const std::array<int, 3>& triangle : mesh.triangles) {
    const int n = static_cast<int>(result.vertices.size());
    for (const int i : triangle) result.vertices.push_back(mesh.vertices[static_cast<std::size_t>(i)]);
    result.triangles.push_back({n, n + 1, n + 2});
  }
  return result;
}

const TriangleMesh kBox = box_mesh({2, 4, 6});

}  // namespace

TEST_CASE("mesh check: closed meshes that face outwards pass") {
  CHECK(check(kBox).empty());
  CHECK(check(tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1})).empty());
  for (const Shape& shape : one_of_every_shape()) CHECK(check(inscribed(shape, 16)).empty());
  CHECK(check(box_mesh({1, 1, 1e-9})).empty());  // thin is fine
  CHECK(check(box_mesh({1e-6, 1e-6, 1e-6})).empty());
}

TEST_CASE("mesh check: an empty mesh") {
  const Diagnostics problems = check(TriangleMesh{{{0, 0, 0}}, {}});
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == "mesh-empty");
  CHECK(problems[0].what == "the mesh has 1 vertices and no triangle");
}

TEST_CASE("mesh check: a missing triangle leaves three open edges, each named") {
  TriangleMesh mesh = kBox;
  mesh.triangles.erase(mesh.triangles.begin());  // 0 2 3
  const Diagnostics problems = check(mesh);
  REQUIRE(problems.size() == 3);
  for (const Diagnostic& problem : problems) CHECK(problem.code == "mesh-open-edge");
  CHECK(problems[0].what == "the edge from vertex 2 (-1, 2, -3) to vertex 0 (-1, -2, -3) belongs to triangle 8 only");
  CHECK(problems[1].what == "the edge from vertex 0 (-1, -2, -3) to vertex 3 (1, 2, -3) belongs to triangle 0 only");
  CHECK(problems[2].what == "the edge from vertex 3 (1, 2, -3) to vertex 2 (-1, 2, -3) belongs to triangle 6 only");
  CHECK(problems[0].why == "the surface is not closed there, so it bounds no volume");
  CHECK(problems[0].fix == "add the triangles that are missing on its other side");
}

TEST_CASE("mesh check: a mesh without shared vertices is open, and the way out is to weld it") {
  const TriangleMesh mesh = exploded(kBox);
  const Diagnostics problems = check(mesh);
  REQUIRE(problems.size() == 11);
  CHECK(problems[0].fix == "some vertices coincide: weld_vertices merges them");
  CHECK(problems[10].severity == Severity::note);
  CHECK(problems[10].what == "and 26 more of this kind");
  CHECK(check(weld_vertices(mesh)).empty());
  // Vertices that are merely unused are no reason to weld.
  TriangleMesh open = kBox;
  open.triangles.pop_back();
  open.vertices.push_back({9, 9, 9});
  CHECK(problem_with_code(check(open), "mesh-open-edge").fix == "add the triangles that are missing on its other side");
}

TEST_CASE("mesh check: a triangle turned round") {
  TriangleMesh mesh = kBox;
  std::swap(mesh.triangles[0][1], mesh.triangles[0][2]);
  const Diagnostics problems = check(mesh);
  REQUIRE(problems.size() == 3);
  for (const Diagnostic& problem : problems) CHECK(problem.code == "mesh-edge-orientation");
  CHECK(problems[1].what ==
        "the triangles 0 and 1 traverse the edge from vertex 0 (-1, -2, -3) to vertex 3 (1, 2, -3) in the same "
        "direction");
  CHECK(problems[1].why == "one of them faces inwards, the other outwards");
}

TEST_CASE("mesh check: an edge with more than two triangles") {
  TriangleMesh mesh = kBox;
  mesh.triangles.push_back(mesh.triangles[0]);
  const Diagnostics problems = check(mesh);
  REQUIRE(problems.size() == 3);
  for (const Diagnostic& problem : problems) CHECK(problem.code == "mesh-crowded-edge");
  CHECK(problems[1].what ==
        "the edge from vertex 3 (1, 2, -3) to vertex 0 (-1, -2, -3) belongs to 3 triangles: 0, 1, 12");
}

TEST_CASE("mesh check: all triangles facing inwards") {
  const Diagnostics problems = check(flipped(kBox));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == "mesh-inverted");
  CHECK(problems[0].what == "the triangles face inwards: the mesh has a volume of -48 m^3");
  CHECK(problems[0].fix == "flip every triangle: flipped(mesh)");
  CHECK(check(flipped(flipped(kBox))).empty());
}

TEST_CASE("mesh check: a part facing inwards beside the one that does not") {
  TriangleMesh mesh = kBox;
  for (const std::array<int, 3>& t : flipped(kBox).triangles) mesh.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  for (const Vec3<>& p : kBox.vertices) mesh.vertices.push_back(0.5 * p + Vec3<>{9, 0, 0});
  const Diagnostics problems = check(mesh);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == "mesh-inverted-part");
  CHECK(contains(problems[0].what, "a part of the mesh faces inwards: with a density of 1 kg/m^3, the principal"));
}

TEST_CASE("mesh check: very thin plates of many triangles are solids, however they are turned") {
  RandomStream stream(11);
  const TriangleMesh disc = inscribed(Cylinder{0.5, 1e-9}, 1000), sheet = inscribed(Ellipsoid{{1, 1, 1e-9}}, 64);
  for (int i = 0; i < 20; ++i) {
    CHECK(!has_errors(check(moved({random_pose(stream).rotation, {0, 0, 0}}, disc))));
    CHECK(!has_errors(check(moved({random_pose(stream).rotation, {0, 0, 0}}, sheet))));
  }
}

TEST_CASE("mesh check: a surface folded flat bounds no solid, however it is turned") {
  RandomStream stream(5);
  const TriangleMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  for (int i = 0; i < 50; ++i) {
    const Diagnostics problems = check(i == 0 ? flat : moved(random_pose(stream), flat));
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].code == "mesh-no-volume");
  }
}

TEST_CASE("mesh check: vertices that are not finite, or not used") {
  TriangleMesh mesh = kBox;
  mesh.vertices[5].y = std::numeric_limits<double>::quiet_NaN();
  mesh.vertices.push_back({7, 8, 9});
  const Diagnostics problems = check(mesh);
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].code == "mesh-vertex-not-finite");
  CHECK(problems[0].what == "vertex 5 (1, nan, 3) is not finite");
  CHECK(problems[1].code == "mesh-vertex-unused");
  CHECK(problems[1].what == "vertex 8 (7, 8, 9) belongs to no triangle");
}

TEST_CASE("mesh check: indices out of range and named twice") {
  TriangleMesh mesh = kBox;
  mesh.triangles[2] = {4, 5, 8};
  mesh.triangles[3] = {-1, 7, 6};
  mesh.triangles[4] = {0, 1, 1};
  const Diagnostics problems = check(mesh);
  REQUIRE(problems.size() == 3);
  CHECK(problems[0].code == "mesh-index");
  CHECK(problems[0].what ==
        "triangle 2 (vertices 4, 5, 8) refers to a vertex that does not exist; there are 8 vertices");
  CHECK(contains(problems[1].what, "triangle 3 (vertices -1, 7, 6)"));
  CHECK(problems[2].code == "mesh-degenerate-triangle");
  CHECK(problems[2].severity == Severity::error);
  CHECK(problems[2].what == "triangle 4 (vertices 0, 1, 1) uses a vertex twice");
}

TEST_CASE("mesh check: a triangle without area is a warning, the mass properties do not see it") {
  // The edge from vertex 0 to 3 of the box gets a vertex in its middle, on one side only; a flat triangle closes it.
  TriangleMesh mesh = kBox;
  mesh.vertices.push_back({0, 0, -3});
  mesh.triangles[0] = {0, 2, 8};
  mesh.triangles.push_back({8, 2, 3});
  mesh.triangles.push_back({0, 8, 3});
  const Diagnostics problems = check(mesh);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].severity == Severity::warning);
  CHECK(problems[0].what == "triangle 13 (vertices 0, 8, 3) has no area: its vertices are collinear");
  check_close(volume_properties(mesh).inertia, volume_properties(kBox).inertia, 16, 500.0);
}

TEST_CASE("mesh check: sizes beyond the range of numbers are left to the mass properties") {
  CHECK(check(box_mesh({1e150, 1e150, 1e150})).empty());
}
