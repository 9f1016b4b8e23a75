#include "pintle/spatial/check_inertia.h"

#include <limits>

#include "geometry/solids.h"

using namespace test;

namespace {

SpatialInertia<> about_center(double mass, const Vec3<>& moments) {
  return spatial_inertia(mass, Vec3<>{0, 0, 0}, diagonal(moments));
}

}  // namespace

TEST_CASE("inertia check: what bodies can have passes, in any frame and at any distance") {
  const SpatialInertia<> possible[] = {
      zero_inertia<double>(),
      about_center(2, {0, 0, 0}),     // point mass
      about_center(2, {0, 1, 1}),     // thin rod
      about_center(2, {1, 1, 2}),     // thin plate: the triangle inequality as an equality
      about_center(0, {1, 1, 2}),     // flywheel without mass
      about_center(1e-9, {1, 1, 1}),  // light and wide
      about_center(1e9, {1e-9, 1e-9, 1e-9}),
      unit_density_inertia(Cone{0.4, 0.9}),
  };
  RandomStream stream(9);
  for (const SpatialInertia<>& I : possible) {
    CHECK(check_inertia(I).empty());
    for (const double distance : {0.1, 1.0, 1e5}) {
      for (int i = 0; i < 50; ++i) {
        const Diagnostics problems = check_inertia(random_pose(stream, distance) * I);
        CHECK_MESSAGE(problems.empty(), (problems.empty() ? "" : format(problems[0])));
      }
    }
  }
}

TEST_CASE("inertia check: a moment that is too large is named with the numbers") {
  const Diagnostics problems = check_inertia(about_center(1, {1, 3, 1.5}));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == "inertia-triangle");
  CHECK(
      problems[0].what ==
      "the principal moments of inertia about the centre of mass are 1, 1.5 and 3 kg m^2: 1 + 1.5 < 3, by 0.5 kg m^2");
  CHECK(!problems[0].why.empty());
  CHECK(!problems[0].fix.empty());
  // Also when the diagonal alone looks possible, and by a little.
  const Mat3<> R = rotation_matrix(normalized(Quaternion<>{0.3, -0.5, 0.7, 0.2}));
  CHECK(check_inertia(spatial_inertia(1.0, Vec3<>{0, 0, 0}, congruence(R, diagonal(Vec3<>{1, 1, 2 + 1e-12})))).size() ==
        1);
  CHECK(check_inertia(spatial_inertia(1.0, Vec3<>{0, 0, 0}, congruence(R, diagonal(Vec3<>{1, 1, 2})))).empty());
}

TEST_CASE("inertia check: a negative moment") {
  const Diagnostics problems = check_inertia(about_center(1, {2, -0.5, 2}));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == "inertia-negative");
  CHECK(contains(problems[0].what, "are -0.5, 2 and 2 kg m^2: -0.5 < 0"));
  // About the origin all is well, about the centre of mass it is not: 1 kg at x = 1 has at least 1 kg m^2 there.
  CHECK(check_inertia({1.0, {1, 0, 0}, {0.5, 0, 0, 0.9, 0, 0.9}})[0].code == "inertia-negative");
}

TEST_CASE("inertia check: mass and first moment") {
  CHECK(check_inertia(about_center(-1.5, {1, 1, 1}))[0].what == "the mass is -1.5 kg");
  CHECK(check_inertia(about_center(-1.5, {1, 1, 1}))[0].code == "inertia-mass");
  const Diagnostics problems = check_inertia({0.0, {1, 0, 0}, {1, 0, 0, 1, 0, 1}});
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == "inertia-first-moment");
  CHECK(problems[0].what == "the mass is 0 kg, but the first moment is (1, 0, 0) kg m");
}

TEST_CASE("inertia check: every number that is not finite is named") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const Diagnostics problems = check_inertia({nan, {nan, inf, -inf}, {nan, nan, nan, nan, nan, inf}});
  REQUIRE(problems.size() == 10);
  for (const Diagnostic& problem : problems) CHECK(problem.code == "inertia-not-finite");
  CHECK(problems[0].what == "the mass is nan kg");
  CHECK(problems[3].what == "the first moment along z is -inf kg m");
  CHECK(problems[5].what == "the inertia Ixy is nan kg m^2");
  CHECK(problems[9].what == "the inertia Izz is inf kg m^2");
}

TEST_CASE("inertia check: what is left of a difference carries the rounding of its terms") {
  const SpatialInertia<> left = about_center(1, {1, 1, 2 + 1e-12});
  CHECK(!check_inertia(left).empty());
  CHECK(check_inertia(left, about_center(100, {100, 100, 100})).empty());
}

TEST_CASE("inertia check: moments of a welded part are only a warning where the whole can be a body") {
  const SpatialInertia<> part = about_center(0.1, {1, 1, 2.5}), whole = about_center(5, {10, 10, 10});
  const Diagnostics welded = check_welded_inertia(part, whole);
  REQUIRE(welded.size() == 1);
  CHECK(welded[0].code == "inertia-alone");
  CHECK(welded[0].severity == Severity::warning);
  CHECK(welded[0].what == check_inertia(part)[0].what);
  CHECK(check_welded_inertia(about_center(0.1, {-1, 1, 1}), whole)[0].code == "inertia-alone");
  CHECK(check_welded_inertia(whole, whole).empty());

  CHECK(check_welded_inertia(part, about_center(5, {10, 10, 21}))[0].code == "inertia-triangle");
  // The whole must have something to spare, unless the part is lost in its rounding.
  CHECK(check_welded_inertia(part, about_center(5, {10, 10, 20}))[0].code == "inertia-triangle");
  CHECK(check_welded_inertia(part, about_center(5, {10, 10, 19.99}))[0].code == "inertia-alone");
  CHECK(check_welded_inertia(about_center(0.1, {1e-18, 1e-18, 3e-18}), about_center(5, {10, 10, 20}))[0].code ==
        "inertia-alone");
  CHECK(has_errors(check_welded_inertia(part, part)));
  CHECK(check_welded_inertia(about_center(-0.1, {1, 1, 1}), whole)[0].code == "inertia-mass");
  CHECK(has_errors(check_welded_inertia({0.0, {1, 0, 0}, {1, 0, 0, 1, 0, 1}}, whole)));
}
