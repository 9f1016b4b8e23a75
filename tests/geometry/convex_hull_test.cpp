#include "pintle/geometry/shapes/convex_hull.h"

#include "geometry/contact_shapes.h"

using namespace test;

namespace {

void check_valid(const ConvexHull& hull, const std::vector<Vec3<>>& points, double size) {
  CHECK(check(hull).empty());
  CHECK(hull.vertices.size() + hull.faces.size() == hull.edges.size() + 2);
  for (const HullFace& face : hull.faces) {
    check_close(norm(face.normal), 1.0, 4, 1.0);
    for (const Vec3<>& p : points) CHECK(dot(face.normal, p) <= face.offset + 1e-13 * size);
    for (int k = 0; k < face.count; ++k) {
      const auto corner = [&](int i) {
        return hull.vertices[static_cast<std::size_t>(
            hull.face_vertices[static_cast<std::size_t>(face.first + i % face.count)])];
      };
      CHECK(abs(dot(face.normal, corner(k)) - face.offset) <= 1e-12 * size);
      // Counter-clockwise: every corner turns left.
      CHECK(dot(face.normal, cross(corner(k + 1) - corner(k), corner(k + 2) - corner(k + 1))) > 0.0);
    }
  }
  for (const HullEdge& edge : hull.edges) {
    const Vec3<> along =
        hull.vertices[static_cast<std::size_t>(edge.to)] - hull.vertices[static_cast<std::size_t>(edge.from)];
    const Vec3<> left = hull.faces[static_cast<std::size_t>(edge.left)].normal,
                 right = hull.faces[static_cast<std::size_t>(edge.right)].normal;
    CHECK(dot(cross(left, right), along) > 0.0);
    CHECK(abs(dot(left, along)) <= 1e-12 * size);
  }
}

}  // namespace

TEST_CASE("convex hull: a box has six faces, however it is turned and whatever lies inside") {
  RandomStream stream(1);
  for (int k = 0; k < 100; ++k) {
    const Pose<> X = random_pose(stream, k % 2 ? 1.0 : 1000.0);
    std::vector<Vec3<>> points;
    for (const Vec3<>& p : box_mesh({0.3, 0.5, 0.7}).vertices) points.push_back(transform_point(X, p));
    for (int i = 0; i < 20; ++i)
      points.push_back(transform_point(X, componentwise_product(random_vector(stream, 0.49), Vec3<>{0.3, 0.5, 0.7})));
    points.push_back(points.front());  // twice
    const Result<ConvexHull> hull = convex_hull(points);
    REQUIRE(hull);
    CHECK(hull->vertices.size() == 8);
    CHECK(hull->faces.size() == 6);
    CHECK(hull->edges.size() == 12);
    check_valid(*hull, points, k % 2 ? 2.0 : 2000.0);
  }
}

TEST_CASE("convex hull: random clouds, prisms with points on their edges and faces") {
  RandomStream stream(2);
  for (int k = 0; k < 100; ++k) {
    std::vector<Vec3<>> points;
    for (int i = 0; i < 4 + k; ++i) points.push_back(random_vector(stream, 1.0));
    const Result<ConvexHull> hull = convex_hull(points);
    REQUIRE(hull);
    check_valid(*hull, points, 2.0);
    const Vec3<> d = uniform_direction(stream);
    const int best = support_vertex(*hull, d);
    for (const Vec3<>& p : points) CHECK(dot(d, p) <= dot(d, hull->vertices[static_cast<std::size_t>(best)]));
  }
  std::vector<Vec3<>> prism;
  for (int i = 0; i < 6; ++i) {
    const double angle = kPi<double> * i / 3.0;
    for (const double z : {-1.0, -0.5, 0.0, 0.5, 1.0}) prism.push_back({std::cos(angle), std::sin(angle), z});
  }
  prism.push_back({0.0, 0.0, 1.0});
  const Result<ConvexHull> hull = convex_hull(prism);
  REQUIRE(hull);
  CHECK(hull->vertices.size() == 12);
  CHECK(hull->faces.size() == 8);
}

TEST_CASE("convex hull: a needle of 1 km by 1 mm") {
  std::vector<Vec3<>> points;
  for (const Vec3<>& p : box_mesh({1000.0, 0.001, 0.001}).vertices) points.push_back(p);
  const Result<ConvexHull> hull = convex_hull(points);
  REQUIRE(hull);
  CHECK(hull->faces.size() == 6);
}

TEST_CASE("convex hull: points without volume are refused") {
  const std::vector<Vec3<>> three{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  problem_with_code(convex_hull(three).diagnostics(), "hull-too-few");
  std::vector<Vec3<>> plane, line(5, Vec3<>{1, 2, 3}), place(5, Vec3<>{1, 2, 3}), broken(5, Vec3<>{1, 2, 3});
  RandomStream stream(3);
  for (int i = 0; i < 20; ++i) {
    const double u = stream.uniform(-1, 1), v = stream.uniform(-1, 1);
    plane.push_back({u, v, 0.3 * u + 0.7 * v});
    line.push_back({1 + u, 2 + 2 * u, 3 - u});
  }
  broken[2].y = std::nan("");
  CHECK(contains(problem_with_code(convex_hull(plane).diagnostics(), "hull-flat").what, "in a plane"));
  CHECK(contains(problem_with_code(convex_hull(line).diagnostics(), "hull-flat").what, "on a line"));
  CHECK(contains(problem_with_code(convex_hull(place).diagnostics(), "hull-flat").what, "coincide"));
  problem_with_code(convex_hull(broken).diagnostics(), "hull-not-finite");
}

TEST_CASE("convex hull: one that convex_hull did not make is seen") {
  problem_with_code(check(ConvexHull{}), "hull-not-made");
  ConvexHull hull = *convex_hull(box_mesh({1, 1, 1}).vertices);
  CHECK(check(hull).empty());
  CHECK(bounding_box(hull).max.x == 0.5);
  hull.edges.front().left = 17;
  problem_with_code(check(hull), "hull-not-made");
  hull = *convex_hull(box_mesh({1, 1, 1}).vertices);
  hull.vertices.front().x = std::nan("");
  problem_with_code(check(hull), "hull-not-finite");
}
