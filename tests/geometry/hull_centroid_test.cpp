#include "pintle/geometry/shapes/hull_centroid.h"

#include "geometry/solids.h"

using namespace test;

namespace {

void check_centroid(const std::vector<PlanePoint>& points, double u, double v) {
  const PlanePoint c = hull_centroid(points);
  check_close(c.u, u, 8, 4.0);
  check_close(c.v, v, 8, 4.0);
}

}  // namespace

TEST_CASE("hull centroid: of a point, a line and polygons, whatever lies inside") {
  check_centroid({{1, 2}}, 1, 2);
  check_centroid({{1, 2}, {1, 2}}, 1, 2);
  check_centroid({{1, 2}, {3, 1}}, 2, 1.5);
  check_centroid({{1, 1}, {2, 2}, {0, 0}, {0.1, 0.1}}, 1, 1);           // a line
  check_centroid({{0, 0}, {1e-16, 3}, {-1e-16, 1}, {0, 2.9}}, 0, 1.5);  // a line but for rounding
  check_centroid({{0, 0}, {3, 0}, {0, 3}}, 1, 1);
  check_centroid({{0, 0}, {2, 0}, {0, 2}, {2, 2}, {0, 0}, {2, 2}, {1.9, 0.3}, {1, 0}}, 1, 1);
  // A square with a triangle on it: (4 (1, 1) + 1 (1, 2 + 1/3)) / 5.
  check_centroid({{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 3}}, 1, 19.0 / 15.0);
}

TEST_CASE("hull centroid: does not depend on the order of the points") {
  RandomStream stream(7);
  std::vector<PlanePoint> points;
  for (int i = 0; i < 30; ++i) {
    const double u = stream.uniform(-1, 1), v = stream.uniform(-1, 1);
    points.push_back({u, v});
  }
  const PlanePoint c = hull_centroid(points);
  for (int i = 0; i < 10; ++i) {
    std::rotate(points.begin(), points.begin() + 7, points.end());
    const PlanePoint again = hull_centroid(points);
    CHECK(c.u == again.u);
    CHECK(c.v == again.v);
  }
}
