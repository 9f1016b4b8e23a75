#include "pintle/geometry/shapes/plane.h"

#include "geometry/solids.h"
#include "pintle/base/usage_error.h"

using namespace test;

TEST_CASE("planes: the nearest point of every shape and its distance, seen from any frame") {
  RandomStream stream(8);
  for (const Shape& shape : one_of_every_shape()) {
    CAPTURE(name(shape));
    const TriangleMesh mesh = inscribed(shape, 128);
    for (int i = 0; i < 50; ++i) {
      const Vec3<> n = uniform_direction(stream);
      const Plane plane{random_vector(stream, 2.0), stream.uniform(0.1, 10.0) * n};
      const Vec3<> p = nearest_point_to_plane(shape, plane);
      const double distance = distance_to_plane(shape, plane);
      CHECK(distance == distance_to_plane(p, plane));
      check_close(distance, dot(n, p - plane.point), 8, 4.0);
      double lowest = distance_to_plane(mesh.vertices.front(), plane);
      for (const Vec3<>& q : mesh.vertices) lowest = std::min(lowest, distance_to_plane(q, plane));
      CHECK(distance <= lowest + 8 * kEps * 4.0);
      CHECK(distance >= lowest - 1e-3);  // the mesh is inscribed: (pi/128)^2 of a radius below 1
      // The same plane in another frame: the point moved there has the same distance.
      const Pose<> X = random_pose(stream);
      check_close(distance_to_plane(transform_point(X, p), X * plane), distance, 32, 4.0);
    }
  }
}

TEST_CASE("planes: a cylinder above the ground, standing and tilted") {
  const Plane ground{{0, 0, 0}, {0, 0, 1}};
  const Cylinder cylinder{0.03, 0.09};
  const Pose<> upright{identity3<double>(), {0, 0, 0.05}};
  const Plane seen = inverse(upright) * ground;
  check_close(nearest_point_to_plane(cylinder, seen), Vec3<>{0, 0, -0.045}, 2, 0.1);
  check_close(distance_to_plane(cylinder, seen), 0.005, 4, 0.1);
  // Tilted by 30 degrees about y the rim at +x comes down: the depth below the centre is r sin + l/2 cos.
  const double c = std::sqrt(0.75), s = 0.5;
  const Pose<> tilted{rotation_y(c, s), {0, 0, 0.05}};
  check_close(nearest_point_to_plane(cylinder, inverse(tilted) * ground), Vec3<>{0.03, 0, -0.045}, 8, 0.1);
  check_close(distance_to_plane(cylinder, inverse(tilted) * ground), 0.05 - (0.03 * s + 0.045 * c), 8, 0.1);
}

TEST_CASE("planes: a normal of no direction is refused") {
  CHECK_THROWS_WITH_AS(nearest_point_to_plane(Sphere{1}, {{0, 0, 0}, {0, 0, 0}}),
                       "nearest_point_to_plane: argument 'plane.normal': the zero vector has no direction", UsageError);
  CHECK_THROWS_WITH_AS(distance_to_plane(Vec3<>{0, 0, 1}, {{0, 0, 0}, {0, 0, 0}}),
                       "distance_to_plane: argument 'plane.normal': the zero vector has no direction", UsageError);
}
