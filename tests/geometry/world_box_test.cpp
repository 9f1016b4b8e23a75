#include "pintle/geometry/broad_phase/world_box.h"

#include <limits>

#include "geometry/surfaces.h"
#include "pintle/spatial/exp_log.h"

using namespace test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Points all over the surface of a shape; its highest point along any direction is nearly one of them.
std::vector<Vec3<>> points_of(const ContactShape& shape) {
  if (const auto* hull = std::get_if<ConvexHull>(&shape)) return hull->vertices;
  if (const auto* mesh = std::get_if<SurfaceMesh>(&shape)) return mesh->vertices;
  if (const auto* field = std::get_if<HeightField>(&shape)) return triangles_of(*field).vertices;
  const Shape solid = std::visit(
      [](const auto& s) -> Shape {
        if constexpr (std::is_constructible_v<Shape, decltype(s)>) return s;
        return Sphere{};
      },
      shape);
  return inscribed(solid, 256).vertices;
}

BoundingBox box_around(const std::vector<Vec3<>>& points, const Pose<>& X) {
  BoundingBox box{{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
  for (const Vec3<>& p : points) {
    const Vec3<> q = transform_point(X, p);
    box = enclosing(box, {q, q});
  }
  return box;
}

std::vector<ContactShape> bounded_shapes() {
  RandomStream stream(8);
  std::vector<ContactShape> shapes = one_of_every_convex();
  shapes.push_back(*surface_mesh(inscribed(Ellipsoid{{0.3, 0.6, 0.9}}, 24)));
  shapes.push_back(random_hills(stream, 6, 9, 0.2, 0.5));
  return shapes;
}

/// How far the first box reaches out of the second.
double outside(const BoundingBox& a, const BoundingBox& b) {
  return std::max({b.min.x - a.min.x, b.min.y - a.min.y, b.min.z - a.min.z, a.max.x - b.max.x, a.max.y - b.max.y,
                   a.max.z - b.max.z});
}

}  // namespace

TEST_CASE("world box: the smallest around every shape in any pose") {
  RandomStream stream(9);
  for (const ContactShape& shape : bounded_shapes()) {
    CAPTURE(std::string(name(shape)));
    const bool round = shape.index() != 3 && shape.index() < 7;
    const std::vector<Vec3<>> points = points_of(shape);
    for (int i = 0; i < 20; ++i) {
      const Pose<> X = random_pose(stream);
      const BoundingBox box = world_box(shape, X), around = box_around(points, X);
      CHECK(outside(around, box) <= 8 * kEps);
      // The points lie as densely as 1 - cos(pi/128) = 3e-4 of the size.
      CHECK(outside(box, around) <= (round ? 3e-4 : 8 * kEps));
      CHECK(norm(world_box(shape, X, 0.25).max - (box.max + Vec3<>{0.25, 0.25, 0.25})) <= 8 * kEps);
    }
    CHECK(outside(world_box(shape, identity_pose<double>()), bounding_box(shape)) <= 4 * kEps);
    CHECK(outside(bounding_box(shape), world_box(shape, identity_pose<double>())) <= 4 * kEps);
  }
}

TEST_CASE("world box: a half-space is bounded along its normal only") {
  const BoundingBox up = world_box(HalfSpace{}, {identity3(), {1, 2, 3}});
  CHECK(up.max.z == 3.0);
  CHECK(up.min.z == -kInf);
  CHECK(up.max.x == kInf);
  const BoundingBox side = world_box(HalfSpace{}, {Mat3<>{0, 0, -1, 0, 1, 0, 1, 0, 0}, {1, 2, 3}});
  CHECK(side.min.x == 1.0);
  CHECK(side.max.z == kInf);
  RandomStream stream(10);
  const BoundingBox tilted = world_box(HalfSpace{}, random_pose(stream));
  CHECK((tilted.min.z == -kInf && tilted.max.z == kInf));
}

TEST_CASE("swept box: holds a shape that moves and turns, all the way") {
  RandomStream stream(11);
  for (const ContactShape& shape : bounded_shapes()) {
    CAPTURE(std::string(name(shape)));
    const std::vector<Vec3<>> points = points_of(shape);
    for (int i = 0; i < 5; ++i) {
      const Pose<> before = random_pose(stream);
      const Vec3<> turn = stream.uniform(0.0, 3.1) * random_direction(stream), move = random_vector(stream, 2.0);
      const auto at = [&](double s) {
        return Pose<>{before.rotation * exp_so3(s * turn), before.translation + s * move};
      };
      const BoundingBox swept = swept_box(shape, at(0.0), at(1.0));
      for (int k = 0; k <= 16; ++k) CHECK(outside(box_around(points, at(k / 16.0)), swept) <= 8 * kEps);
    }
  }
  // A ball needs no more than the two poses; nor does anything that does not turn.
  const Pose<> a = identity_pose<double>(), b{rotation_z(0.0, 1.0), {300.0, 0.0, 0.0}},
               c{identity3(), {300.0, 0.0, 0.0}};
  CHECK(swept_box(Sphere{0.5}, a, b, 0.25).max.x == 300.75);
  CHECK(swept_box(Sphere{0.5}, a, b, 0.25).max.y == 0.75);
  CHECK(swept_box(Box{{1, 1, 1}}, a, c).max.y == 0.5);
  CHECK(swept_box(HalfSpace{}, a, b).max.z == 0.0);
}
