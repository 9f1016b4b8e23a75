// No contact query allocates memory.
#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "geometry/contact_shapes.h"

using namespace test;

TEST_CASE("allocation: no query about convex contacts allocates") {
  RandomStream stream(1);
  std::vector<ContactShape> shapes{HalfSpace{}};
  for (int kind = 0; kind < kConvexKinds; ++kind) shapes.push_back(random_convex(stream, kind));
  for (const ContactShape& a : shapes) {
    for (const ContactShape& b : shapes) {
      if (!can_touch(a, b)) continue;
      for (int k = 0; k < 20; ++k) {
        const Pose<> X = random_pose(stream, 0.1 * k);
        const std::size_t before = count_allocations();
        const Separation s = separation(a, b, X);
        const ContactManifold m = contact_manifold(a, b, X, 10.0);
        const auto c = contact_point(a, b, X, m.points[0].feature);
        const std::size_t after = count_allocations();
        CHECK(after == before);
        CHECK(std::isfinite(s.distance));
        CHECK(c.has_value());
      }
    }
  }
}
