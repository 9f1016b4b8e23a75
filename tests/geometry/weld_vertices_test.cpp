#include "pintle/geometry/shapes/weld_vertices.h"

#include <limits>

#include "geometry/solids.h"
#include "pintle/base/usage_error.h"

using namespace test;

namespace {

const TriangleMesh kSquare{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {3, 4, 5}}};

}  // namespace

TEST_CASE("weld: vertices at the same place become the first of them") {
  const TriangleMesh welded = weld_vertices(kSquare);
  REQUIRE(welded.vertices.size() == 4);
  CHECK(difference(welded.vertices[3], Vec3<>{0, 1, 0}) == 0.0);
  CHECK(welded.triangles == std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}});
}

TEST_CASE("weld: zero has one sign, and what is not a number has no place") {
  TriangleMesh mesh = kSquare;
  mesh.vertices[3] = {-0.0, 0.0, -0.0};
  CHECK(weld_vertices(mesh).vertices.size() == 4);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  mesh.vertices[0].x = mesh.vertices[3].x = nan;
  CHECK(weld_vertices(mesh).vertices.size() == 5);
  CHECK(weld_vertices(mesh, 1e-3).vertices.size() == 5);
}

TEST_CASE("weld: triangles that lose a corner and vertices without a triangle go") {
  TriangleMesh mesh = kSquare;
  mesh.triangles.push_back({0, 1, 3});
  mesh.vertices.insert(mesh.vertices.begin(), {9, 9, 9});
  for (std::array<int, 3>& triangle : mesh.triangles)
    for (int& i : triangle) ++i;
  const TriangleMesh welded = weld_vertices(mesh);
  CHECK(welded.vertices.size() == 4);
  CHECK(welded.triangles == weld_vertices(kSquare).triangles);
}

TEST_CASE("weld: within a tolerance, to the first one kept, wherever the cells of the grid end") {
  RandomStream stream(6);
  for (int run = 0; run < 20; ++run) {
    const TriangleMesh box = moved(random_pose(stream, 10.0), box_mesh({1, 2, 3}));
    TriangleMesh noisy;
    for (const std::array<int, 3>& triangle : box.triangles) {
      const int n = static_cast<int>(noisy.vertices.size());
      for (const int i : triangle)
        noisy.vertices.push_back(box.vertices[static_cast<std::size_t>(i)] + random_vector(stream, 1e-6));
      noisy.triangles.push_back({n, n + 1, n + 2});
    }
    CHECK(weld_vertices(noisy).vertices.size() == 36);
    const TriangleMesh welded = weld_vertices(noisy, 4e-6);  // above the diagonal of the noise, 2 sqrt(3) 1e-6
    CHECK(welded.vertices.size() == 8);
    CHECK(check(welded).empty());
    for (const Vec3<>& p : welded.vertices) {
      const bool kept_as_it_was = std::any_of(noisy.vertices.begin(), noisy.vertices.end(),
                                              [&](const Vec3<>& q) { return difference(p, q) == 0.0; });
      CHECK(kept_as_it_was);
    }
  }
  // Each joins one that was kept: a row of points does not collapse into its first.
  const TriangleMesh row{{{0, 0, 0}, {0.8, 0, 0}, {1.6, 0, 0}, {0, 9, 0}}, {{0, 2, 3}, {1, 2, 3}}};
  const TriangleMesh welded = weld_vertices(row, 1.0);
  REQUIRE(welded.vertices.size() == 3);
  CHECK(welded.vertices[1].x == 1.6);
}

TEST_CASE("weld: between two that are near enough, the earlier one wins") {
  for (const double first : {0.0, 1.5}) {  // once in the lower, once in the higher cell
    const TriangleMesh mesh{{{first, 0, 0}, {1.5 - first, 0, 0}, {0.75, 0, 0}, {0, 9, 0}, {9, 9, 0}}, {{2, 3, 4}}};
    const TriangleMesh welded = weld_vertices(mesh, 1.0);
    REQUIRE(welded.vertices.size() == 3);
    CHECK(welded.vertices[0].x == first);
  }
}

TEST_CASE("weld: a wrong call is refused") {
  CHECK_THROWS_WITH_AS(weld_vertices(TriangleMesh{{{0, 0, 0}}, {{0, 0, 1}}}),
                       "weld_vertices: argument 'mesh': a triangle refers to a vertex it does not have", UsageError);
  CHECK_THROWS_AS(weld_vertices(TriangleMesh{{{0, 0, 0}}, {{0, 0, 1}}}, 1.0), UsageError);
  CHECK_THROWS_WITH_AS(weld_vertices(kSquare, 0.0),
                       "weld_vertices: argument 'tolerance': it must be finite and positive", UsageError);
  CHECK_THROWS_AS(weld_vertices(kSquare, std::numeric_limits<double>::infinity()), UsageError);
}
