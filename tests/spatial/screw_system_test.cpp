#include "pintle/spatial/screw_system.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "pintle/base/usage_error.h"
#include "pintle/math/distributions.h"
#include "pintle/math/solve.h"

using namespace pintle;

namespace {

const Vec3<> kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1}, kOrigin{0, 0, 0};

Twist<> random_twist(RandomStream& stream) {
  std::array<double, 6> a;
  for (double& x : a) x = stream.uniform(-1, 1);
  return twist_from_array(a);
}

Pose<> random_pose(RandomStream& stream) {
  const Quaternion<> q = uniform_rotation(stream);
  return pose(q, Vec3<>{stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)});
}

SpatialInertia<> random_inertia(RandomStream& stream) {
  const Mat3<> R = rotation_matrix(uniform_rotation(stream));
  const SymMat3<> I_c = congruence(R, diagonal(Vec3<>{0.3, 0.4, 0.6}));
  return spatial_inertia(2.0, Vec3<>{stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)}, I_c);
}

}  // namespace

TEST_CASE("screw systems: the dof of known mechanisms, in any frame") {
  struct Case {
    const char* name;
    std::vector<Twist<>> twists;
    int rank;
  };
  const std::vector<Case> cases = {
      {"nothing", {}, 0},
      {"a joint that does not move", {zero_twist<double>()}, 0},
      {"one screw", {twist(kZ, kX, 0.1)}, 1},
      {"the same screw three times", {twist(kZ, kX, 0.1), 2.0 * twist(kZ, kX, 0.1), -twist(kZ, kX, 0.1)}, 1},
      {"cylindrical", {twist(kZ, kX, 0.0), translation(kZ)}, 2},
      {"two screws of different pitch on one axis", {twist(kZ, kX, 0.1), twist(kZ, kX, 0.2)}, 2},
      {"planar arm 3R", {twist(kZ, kOrigin, 0.0), twist(kZ, kX, 0.0), twist(kZ, kX + kY, 0.0)}, 3},
      {"planar arm 4R",
       {twist(kZ, kOrigin, 0.0), twist(kZ, kX, 0.0), twist(kZ, kX + kY, 0.0), twist(kZ, 3.0 * kY, 0.0)},
       3},
      {"planar arm stretched", {twist(kZ, kOrigin, 0.0), twist(kZ, kX, 0.0), twist(kZ, 2.0 * kX, 0.0)}, 2},
      {"wrist", {twist(kZ, kX, 0.0), twist(kX, kX, 0.0), twist(kY, kX, 0.0)}, 3},
      {"wrist with a fourth axis",
       {twist(kZ, kX, 0.0), twist(kX, kX, 0.0), twist(kY, kX, 0.0), twist(kX + kY, kX, 0.0)},
       3},
      {"gantry", {translation(kX), translation(kY), translation(kZ)}, 3},
      {"gantry with wrist",
       {translation(kX), translation(kY), translation(kZ), twist(kX, kOrigin, 0.0), twist(kY, kX, 0.0),
        twist(kZ, kY, 0.0)},
       6},
  };
  RandomStream stream(3);
  for (const Case& c : cases) {
    for (int i = 0; i < 20; ++i) {
      CAPTURE(c.name);
      const Pose<> X = i == 0 ? identity_pose<double>() : random_pose(stream);
      std::vector<Twist<>> moved;
      for (const Twist<>& V : c.twists) moved.push_back(X * V);
      CHECK(span_of(moved).rank == c.rank);
      CHECK(span_of(moved, {.length = 0.05}).rank == c.rank);
      CHECK(reciprocal(span_of(moved)).rank == 6 - c.rank);
    }
  }
}

TEST_CASE("screw systems: random twists span what they should, and every one lies in the span") {
  RandomStream stream(4);
  for (int count = 1; count <= 9; ++count) {
    for (int i = 0; i < 20; ++i) {
      std::vector<Twist<>> twists;
      for (int k = 0; k < count; ++k) twists.push_back(random_twist(stream));
      const TwistSystem system = span_of(twists);
      CHECK(system.rank == (count < 6 ? count : 6));
      // Orthonormal basis (length 1): the part outside the span vanishes.
      for (const Twist<>& V : twists) {
        std::array<double, 6> rest = to_array(V);
        for (int b = 0; b < system.rank; ++b) {
          const std::array<double, 6> e = to_array(system.basis[static_cast<std::size_t>(b)]);
          double along = 0, length = 0;
          for (std::size_t j = 0; j < 6; ++j) {
            along += e[j] * to_array(V)[j];
            length += e[j] * e[j];
          }
          CHECK(length == doctest::Approx(1.0).epsilon(1e-14));
          for (std::size_t j = 0; j < 6; ++j) rest[j] -= along * e[j];
        }
        for (const double r : rest) CHECK(abs(r) < 1e-14);
      }
    }
  }
}

TEST_CASE("screw systems: reciprocal wrenches do no work, and twice reciprocal is the system itself") {
  RandomStream stream(5);
  for (int count = 0; count <= 6; ++count) {
    for (const double length : {0.01, 1.0, 100.0}) {
      const RankOptions options{.length = length};
      std::vector<Twist<>> twists;
      for (int k = 0; k < count; ++k) twists.push_back(random_twist(stream));
      const TwistSystem dof = span_of(twists, options);
      const WrenchSystem constraint = reciprocal(dof, options);
      REQUIRE(dof.rank + constraint.rank == 6);
      for (int k = 0; k < constraint.rank; ++k) {
        const Wrench<>& F = constraint.basis[static_cast<std::size_t>(k)];
        const double size = norm(F.force) + norm(F.torque);
        for (const Twist<>& V : twists) CHECK(abs(dot(V, F)) < 2e-14 * size);
      }
      const TwistSystem again = reciprocal(constraint, options);
      CHECK(again.rank == dof.rank);
      std::vector<Twist<>> both(again.basis.begin(), again.basis.begin() + again.rank);
      both.insert(both.end(), dof.basis.begin(), dof.basis.begin() + dof.rank);
      CHECK(span_of(both, options).rank == dof.rank);
      const std::vector<Wrench<>> wrenches(constraint.basis.begin(), constraint.basis.begin() + constraint.rank);
      CHECK(span_of(wrenches, options).rank == constraint.rank);
    }
  }
}

TEST_CASE("screw systems: the constraints of a revolute joint are the forces through its axis and couples across it") {
  const std::vector<Twist<>> hinge = {twist(kZ, kX, 0.0)};
  const WrenchSystem constraint = reciprocal(span_of(hinge));
  std::vector<Wrench<>> both(constraint.basis.begin(), constraint.basis.begin() + constraint.rank);
  for (const Vec3<>& direction : {kX, kY, kZ}) both.push_back(wrench(direction, kX, 0.0));
  both.push_back(couple(kX));
  both.push_back(couple(kY));
  CHECK(span_of(both).rank == 5);
  both.push_back(couple(kZ));
  CHECK(span_of(both).rank == 6);
}

TEST_CASE("screw systems: a nearly singular set is judged by the tolerance given") {
  const std::vector<Twist<>> twists = {twist(kZ, kOrigin, 0.0), twist(kZ, 1e-7 * kX, 0.0)};
  CHECK(span_of(twists).rank == 2);
  CHECK(span_of(twists, {.tolerance = 1e-6}).rank == 1);
}

TEST_CASE("screw systems: tiny and huge screws have the rank of ordinary ones") {
  for (const double size : {1e-300, 1e-170, 1e160, 1e300}) {
    CAPTURE(size);
    const std::vector<Twist<>> one = {size * twist(kZ, kX, 0.1)};
    CHECK(span_of(one).rank == 1);
    const std::vector<Twist<>> two = {size * twist(kZ, kX, 0.1), size * twist(kX, kY, 0.0)};
    CHECK(span_of(two).rank == 2);
  }
  const std::vector<Twist<>> beside = {twist(kZ, kOrigin, 0.0), twist(kZ, 1e-170 * kX, 0.0)};
  CHECK(span_of(beside).rank == 1);
}

TEST_CASE("screw systems: a basis given by hand may be dependent, its rank must be one") {
  TwistSystem system{.rank = 2};
  system.basis[0] = twist(kZ, kX, 0.0);
  system.basis[1] = -2.0 * system.basis[0];
  CHECK(reciprocal(system).rank == 5);
  for (const int rank : {-1, 7}) {
    system.rank = rank;
    CHECK_THROWS_WITH_AS(reciprocal(system), doctest::Contains("rank"), UsageError);
    CHECK_THROWS_WITH_AS(principal_screws_of_inertia(spatial_inertia(1.0, kX, diagonal(Vec3{1, 1, 1})), system),
                         doctest::Contains("rank"), UsageError);
  }
}

TEST_CASE("screw systems: numbers that are not finite are a wrong call") {
  for (const double bad : {__builtin_nan(""), __builtin_inf()}) {
    const std::vector<Twist<>> twists = {Twist<>{{0, bad, 0}, kZ}};
    const std::vector<Wrench<>> wrenches = {Wrench<>{kZ, {0, 0, bad}}};
    CHECK_THROWS_WITH_AS(span_of(twists), doctest::Contains("finite"), UsageError);
    CHECK_THROWS_WITH_AS(span_of(wrenches), doctest::Contains("finite"), UsageError);
    CHECK_THROWS_AS(span_of(std::vector<Twist<>>{}, {.length = bad}), UsageError);
  }
}

TEST_CASE("screw systems: options that make no sense are a wrong call") {
  const std::vector<Twist<>> twists = {twist(kZ, kX, 0.0)};
  CHECK_THROWS_WITH_AS(span_of(twists, {.length = 0.0}), doctest::Contains("length"), UsageError);
  CHECK_THROWS_WITH_AS(span_of(twists, {.tolerance = -1.0}), doctest::Contains("tolerance"), UsageError);
  CHECK_THROWS_AS(span_of(twists, {.tolerance = __builtin_nan("")}), UsageError);
}

TEST_CASE("principal screws of inertia: of a free body, pitches are plus and minus the radii of gyration") {
  RandomStream stream(6);
  for (int i = 0; i < 50; ++i) {
    const SpatialInertia<> I = random_inertia(stream);
    const PrincipalScrewsOfInertia p = principal_screws_of_inertia(I);
    REQUIRE(p.rank == 6);
    std::vector<double> pitches;
    for (const Screw<>& screw : p.screws) {
      pitches.push_back(screw.pitch);
      // The axes pass through the centre of mass.
      CHECK(norm(cross(screw.direction, center_of_mass(I) - screw.point)) < 1e-13);
    }
    std::sort(pitches.begin(), pitches.end());
    const double expected[] = {-sqrt(0.3), -sqrt(0.2), -sqrt(0.15), sqrt(0.15), sqrt(0.2), sqrt(0.3)};
    for (std::size_t k = 0; k < 6; ++k) CHECK(pitches[k] == doctest::Approx(expected[k]).epsilon(1e-13));
  }
}

TEST_CASE("principal screws of inertia: conjugate, and an impulse on each starts a motion on it, in any system") {
  RandomStream stream(7);
  for (int rank = 1; rank <= 6; ++rank) {
    for (int i = 0; i < 20; ++i) {
      const SpatialInertia<> I = random_inertia(stream);
      std::vector<Twist<>> twists;
      for (int k = 0; k < rank; ++k) twists.push_back(random_twist(stream));
      const TwistSystem system = span_of(twists);
      const PrincipalScrewsOfInertia p = principal_screws_of_inertia(I, system);
      REQUIRE(p.rank == rank);
      for (int a = 0; a < rank; ++a) {
        const Twist<> V = twist_of(p.screws[static_cast<std::size_t>(a)]);
        const double scale = dot(V, I * V);
        // Within the dof of the system the momentum of V is a multiple of the wrench on the same screw.
        const Wrench<> impulse = wrench_of(p.screws[static_cast<std::size_t>(a)]);
        const double ratio = dot(V, impulse) / scale;
        for (int b = 0; b < rank; ++b) {
          const Twist<>& U = system.basis[static_cast<std::size_t>(b)];
          CHECK(abs(dot(U, impulse) - ratio * dot(U, I * V)) < 1e-11 * (1 + abs(ratio) * scale));
          if (a != b) {
            const Twist<> W = twist_of(p.screws[static_cast<std::size_t>(b)]);
            CHECK(abs(dot(W, I * V)) < 1e-11 * sqrt(scale * dot(W, I * W)));
          }
        }
      }
    }
  }
}

TEST_CASE("principal screws of inertia: an inertia that vanishes on the system is a wrong call") {
  const SpatialInertia<> massless = 0.0 * spatial_inertia(1.0, kOrigin, diagonal(Vec3<>{1, 1, 1}));
  CHECK_THROWS_AS(principal_screws_of_inertia(massless), UsageError);
  // A point mass off the axes has a definite diagonal but no inertia about the line through it.
  const SpatialInertia<> point = spatial_inertia(1.0, Vec3<>{1, 1, 1}, 0.0 * diagonal(Vec3<>{1, 1, 1}));
  CHECK_THROWS_WITH_AS(principal_screws_of_inertia(point), doctest::Contains("positive definite"), UsageError);
}
