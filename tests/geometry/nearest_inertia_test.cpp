#include "pintle/geometry/mass/nearest_inertia.h"

#include "geometry/solids.h"
#include "pintle/base/usage_error.h"
#include "pintle/spatial/check_inertia.h"
#include "pintle/spatial/principal_inertia.h"

using namespace test;

namespace {

SymMat3<> turned(RandomStream& stream, const Vec3<>& moments) {
  return congruence(rotation_matrix(uniform_rotation(stream)), diagonal(moments));
}

double frobenius(const SymMat3<>& A) {
  return std::sqrt(A.xx * A.xx + A.yy * A.yy + A.zz * A.zz + 2.0 * (A.xy * A.xy + A.xz * A.xz + A.yz * A.yz));
}

/// The least by which two principal moments exceed the third, over the sum of all.
double slack(const SymMat3<>& I) {
  const Vec3<> p = principal_inertia(I).moments;
  return (p.x + p.y - p.z) / (p.x + p.y + p.z);
}

/// Any inertia a body can have: its principal second moments are not negative.
SymMat3<> random_possible(RandomStream& stream, double size) {
  const Vec3<> s{stream.uniform(0, size), stream.uniform(0, size), stream.uniform(0, size)};
  return turned(stream, {s.y + s.z, s.x + s.z, s.x + s.y});
}

}  // namespace

TEST_CASE("principal inertia: moments and axes give the matrix back, smallest first, at any scale") {
  RandomStream stream(1);
  for (int i = 0; i < 300; ++i) {
    const double scale = std::pow(10.0, stream.uniform(-150, 150));
    const SymMat3<> I = scale * turned(stream, random_vector(stream, 1.0));
    const PrincipalInertia principal = principal_inertia(I);
    CHECK(principal.moments.x <= principal.moments.y);
    CHECK(principal.moments.y <= principal.moments.z);
    check_close(congruence(principal.axes, diagonal(principal.moments)), I, 20, scale);
  }
}

TEST_CASE("nearest inertia: what a body can have keeps its bits") {
  RandomStream stream(2);
  for (const Shape& shape : one_of_every_shape()) {
    for (int i = 0; i < 20; ++i) {
      const VolumeProperties solid = volume_properties(shape);
      const SymMat3<> I = congruence(rotation_matrix(uniform_rotation(stream)), solid.inertia);
      const Result<NearestInertia> nearest = nearest_inertia(solid.volume, I);
      REQUIRE(nearest);
      CHECK_FALSE(nearest->changed);
      CHECK(nearest->distance == 0.0);
      CHECK(to_array(nearest->inertia) == to_array(I));
    }
  }
  const SymMat3<> plate{1, 0, 0, 1, 0, 2}, point{0, 0, 0, 0, 0, 0};
  CHECK_FALSE(nearest_inertia(1.0, plate)->changed);
  CHECK_FALSE(nearest_inertia(1.0, point)->changed);
}

TEST_CASE("nearest inertia: small cases") {
  // The excess of 1 goes off the three moments alike.
  const Result<NearestInertia> large = nearest_inertia(1.0, {1, 0, 0, 1, 0, 3});
  CHECK(large->changed);
  check_close(large->inertia, SymMat3<>{4.0 / 3, 0, 0, 4.0 / 3, 0, 8.0 / 3}, 8, 1.0);
  check_close(large->distance, 1.0 / std::sqrt(3.0), 8, 1.0);
  CHECK(difference(large->moments_before, Vec3<>{1, 1, 3}) == 0.0);
  check_close(large->moments, Vec3<>{4.0 / 3, 4.0 / 3, 8.0 / 3}, 8, 1.0);
  // A negative moment: a thin rod is nearest; then nothing but a point mass.
  check_close(nearest_inertia(1.0, {-0.5, 0, 0, 2, 0, 2})->inertia, SymMat3<>{0, 0, 0, 2, 0, 2}, 8, 1.0);
  CHECK(difference(nearest_inertia(1.0, {-1, 0, 0, -2, 0, -3})->inertia, SymMat3<>{0, 0, 0, 0, 0, 0}) == 0.0);
}

TEST_CASE(
    "nearest inertia: it is one that a body can have, with the same principal axes, and repairing it again does "
    "nothing") {
  RandomStream stream(3);
  int changed = 0;
  for (int i = 0; i < 3000; ++i) {
    const double scale = std::pow(10.0, stream.uniform(-9, 3));
    const double margin = i % 2 == 0 ? 0.0 : stream.uniform(0.0, 0.33);
    const SymMat3<> I = scale * turned(stream, random_vector(stream, 1.0) + Vec3<>{0.4, 0.4, 0.4});
    const Result<NearestInertia> nearest = nearest_inertia(1.0, I, margin);
    REQUIRE(nearest);
    changed += nearest->changed ? 1 : 0;
    const SymMat3<> J = nearest->inertia;
    CHECK(check_inertia(spatial_inertia(1.0, Vec3<>{0, 0, 0}, J)).empty());
    if (largest_entry(J) > 1e-12 * scale) CHECK(slack(J) >= margin - 1e-12);
    check_close(frobenius(J - I), nearest->distance, 30, scale);
    // I J = J I: the axes are the same.
    check_close(skew_part(full(I) * full(J)), Vec3<>{0, 0, 0}, 30, scale * scale);
    const Result<NearestInertia> again = nearest_inertia(1.0, J, margin);
    CHECK(again->distance <= 30 * kEps * scale);
  }
  CHECK(changed > 1500);
  CHECK(changed < 3000);
}

TEST_CASE("nearest inertia: no other inertia that a body can have is nearer") {
  RandomStream stream(4);
  for (int i = 0; i < 300; ++i) {
    const SymMat3<> I = turned(stream, 2.0 * random_vector(stream, 1.0));
    const SymMat3<> J = nearest_inertia(1.0, I)->inertia;
    const double least = frobenius(J - I);
    for (int k = 0; k < 300; ++k) {
      // Anywhere, and on the way from the nearest one to anywhere, for what is near to it: the possible ones are
      // convex.
      const SymMat3<> other = random_possible(stream, 3.0);
      const double part = std::pow(10.0, stream.uniform(-8, 0));
      const SymMat3<> near_by = J + part * (other - J);
      CHECK(frobenius(other - I) >= least);
      CHECK(frobenius(near_by - I) >= least * (1.0 - 1e-14));
    }
  }
}

TEST_CASE("nearest inertia: what cannot be repaired") {
  const double nan = std::nan("");
  for (const double mass : {0.0, -1.5}) {
    const Result<NearestInertia> none = nearest_inertia(mass, {1, 0, 0, 1, 0, 3});
    REQUIRE_FALSE(none);
    CHECK(none.diagnostics()[0].code == "inertia-mass");
    CHECK(none.diagnostics()[0].fix == "give a mass above 0 kg; then the inertia can be repaired");
  }
  CHECK(nearest_inertia(nan, {1, 0, 0, 1, 0, 1}).diagnostics()[0].code == "inertia-not-finite");
  CHECK(nearest_inertia(1.0, {1, nan, 0, 1, 0, 1}).diagnostics()[0].code == "inertia-not-finite");
  CHECK(nearest_inertia(1.0, {1e300, 0, 0, 1, 0, -1e308}).diagnostics()[0].code == "inertia-not-finite");
  CHECK(nearest_inertia(1.0, {1e-300, 0, 0, 1e-300, 0, 3e-300})->changed);
  CHECK_THROWS_AS((void)nearest_inertia(1.0, {1, 0, 0, 1, 0, 1}, 0.4), UsageError);
  CHECK_THROWS_AS((void)nearest_inertia(1.0, {1, 0, 0, 1, 0, 1}, -0.1), UsageError);
}
