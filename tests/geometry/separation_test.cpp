#include "pintle/geometry/separation.h"

#include <cstdio>
#include "geometry/contact_shapes.h"

using namespace test;

TEST_CASE("scratch: separation statistics") {
  RandomStream stream(1);
  const char* kinds[] = {"sphere", "ellipsoid", "box", "cylinder", "capsule", "cone", "hull"};
  for (int i = 0; i < kConvexKinds; ++i) {
    for (int j = 0; j < kConvexKinds; ++j) {
      double worst_dual = 0, worst_in = 0, worst_gap = 0, worst_depth = 0; int n_over = 0, bad=0;
      for (int k = 0; k < 2000; ++k) {
        const ContactShape a = random_convex(stream, i), b = random_convex(stream, j);
        const Pose<> X = random_pose(stream, k % 2 ? 1.5 : 0.7);
        const Separation s = separation(a, b, X);
        const double dual = gap_along(a, b, X, s.normal);
        const double e1 = abs(dual - s.distance);
        const double e2 = std::max(outside(a, s.on_a), outside(b, inverse_transform_point(X, s.on_b)));
        const double e3 = norm(s.on_b - s.on_a - s.distance * s.normal);
        worst_dual = std::max(worst_dual, e1);
        worst_in = std::max(worst_in, e2);
        worst_gap = std::max(worst_gap, e3);
        if (e1 > 1e-10 || e2 > 1e-8 || e3 > 1e-8) ++bad;
        if (s.distance < 0) {
          ++n_over;
          if (n_over % 20 == 0) worst_depth = std::max(worst_depth, largest_gap(a, b, X, stream, 500) - s.distance);
        }
      }
      std::printf("%-10s %-10s dual %.1e in %.1e gap %.1e overlap %d depth %.1e bad %d\n", kinds[i], kinds[j], worst_dual, worst_in, worst_gap, n_over, worst_depth, bad);
    }
  }
}
