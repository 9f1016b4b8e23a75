#include "pintle/geometry/shapes/contact_shape.h"

#include <limits>

#include "geometry/contact_shapes.h"

using namespace test;

TEST_CASE("contact shapes: names, checks and boxes") {
  RandomStream stream(1);
  const char* const names[] = {"sphere", "ellipsoid", "box", "cylinder", "capsule", "cone", "hull"};
  for (int kind = 0; kind < kConvexKinds; ++kind) {
    const ContactShape shape = random_convex(stream, kind);
    CHECK(std::string(name(shape)) == names[kind]);
    CHECK(check(shape).empty());
    const BoundingBox box = bounding_box(shape);
    check_close(box.max.x, reach(shape, {1, 0, 0}), 4, 1.0);
    check_close(-box.min.z, reach(shape, {0, 0, -1}), 4, 1.0);
    CHECK(can_touch(shape, shape));
    CHECK(can_touch(HalfSpace{}, shape));
    CHECK(can_touch(shape, HeightField{}));
  }
  CHECK(std::string(name(ContactShape{HalfSpace{}})) == "half-space");
  CHECK(check(ContactShape{HalfSpace{}}).empty());
  CHECK(bounding_box(ContactShape{HalfSpace{}}).max.z == 0.0);
  CHECK(bounding_box(ContactShape{HalfSpace{}}).max.x == std::numeric_limits<double>::infinity());
  problem_with_code(check(ContactShape{Sphere{-1.0}}), "shape-size");
  CHECK_FALSE(can_touch(SurfaceMesh{}, HeightField{}));
  CHECK_FALSE(can_touch(HalfSpace{}, SurfaceMesh{}));
}
