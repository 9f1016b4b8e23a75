// Boxes that hardly part: no direction has a greater gap than their distance.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "pintle/geometry/collision/separation.h"
#include "pintle/math/distributions.h"
#include "pintle/spatial/exp_log.h"

using namespace pintle;

namespace {

/// The greatest gap of two boxes along the normals of their faces and of pairs of their edges: the distance is no less.
double greatest_gap(const Vec3<>& half, const Pose<>& X_AB) {
  const Mat3<>& R = X_AB.rotation;
  const auto gap = [&](const Vec3<>& n) {
    const auto reach = [&](const Vec3<>& d) {
      return half.x * std::abs(d.x) + half.y * std::abs(d.y) + half.z * std::abs(d.z);
    };
    return std::abs(dot(n, X_AB.translation)) - reach(n) - reach(transpose_times(R, n));
  };
  const Vec3<> axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double most = -1e300;
  for (int i = 0; i < 3; ++i) {
    most = std::max({most, gap(axes[i]), gap(column(R, i))});
    for (int j = 0; j < 3; ++j)
      if (const Vec3<> c = cross(axes[i], column(R, j)); norm(c) > 1e-9) most = std::max(most, gap(normalized(c)));
  }
  return most;
}

}  // namespace

TEST_CASE("boxes that lie on each other tilted by next to nothing are as far apart as their edges are") {
  RandomStream stream(1);
  const Vec3<> half{0.1, 0.075, 0.05};
  const ContactShape box = Box{2.0 * half};
  int apart = 0;
  for (int k = 0; k < 20000; ++k) {
    // Turned about the vertical, shifted so that corners hang over, tilted by 1e-9 ... 1e-3 rad, and up by a hair.
    const double tilt = std::pow(10.0, stream.uniform(-9.0, -3.0)), about = stream.uniform(0.0, 6.283);
    const Quaternion<> turn = exp_quaternion(tilt * Vec3<>{std::cos(about), std::sin(about), 0.0}) *
                              exp_quaternion(Vec3<>{0.0, 0.0, stream.uniform(-0.1, 0.1)});
    Pose<> X_AB = pose(turn, Vec3<>{stream.uniform(-0.15, 0.15), stream.uniform(-0.1, 0.1), 0.2});
    const double minus_gravity = std::pow(10.0, stream.uniform(-14.0, -8.0));
    X_AB.translation.z -= greatest_gap(half, X_AB) - minus_gravity;
    const double least = greatest_gap(half, X_AB);
    if (!(least > 0.0)) continue;
    ++apart;
    const double distance = separation(box, box, X_AB).distance;
    // Of a face and edges that part the boxes alike, to 1e-13 of their sizes (0.45 m), the face is taken.
    REQUIRE(distance >= least - 1e-13 * 0.45);
  }
  CHECK(apart > 15000);
}
