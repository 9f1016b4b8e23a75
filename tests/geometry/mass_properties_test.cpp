#include "pintle/geometry/mass/mass_properties.h"

#include <limits>

#include "geometry/solids.h"
#include "pintle/geometry/mass/material.h"
#include "pintle/spatial/check_inertia.h"

using namespace test;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("mass properties: density and mass of the same body agree, wherever it is placed") {
  RandomStream stream(10);
  for (const Shape& shape : one_of_every_shape()) {
    CAPTURE(name(shape));
    const double density = find_material("steel")->density, mass = density * volume(shape);
    check_close(*inertia_from_density(shape, density), density * unit_density_inertia(shape), 4, mass);
    for (int i = 0; i < 10; ++i) {
      const Pose<> X_BS = random_pose(stream);
      const SpatialInertia<> by_density = inertia_from_density(shape, density, X_BS).value();
      const SpatialInertia<> by_mass = inertia_from_mass(shape, mass, X_BS).value();
      check_close(by_density, by_mass, 16, mass);
      // Turning and moving afterwards is the same: the parallel axis theorem.
      check_close(by_mass, X_BS * *inertia_from_mass(shape, mass), 32, 4.0 * mass);
      CHECK(check_inertia(by_mass).empty());
    }
  }
}

TEST_CASE("mass properties: two half boxes make the box") {
  const SpatialInertia<> whole = inertia_from_density(Box{{0.6, 0.5, 0.7}}, 2700).value();
  const Box half{{0.3, 0.5, 0.7}};
  const SpatialInertia<> left = inertia_from_density(half, 2700, {identity3<double>(), {-0.15, 0, 0}}).value();
  // The other half lies on its side and is turned back.
  const SpatialInertia<> right =
      inertia_from_density(Box{{0.5, 0.3, 0.7}}, 2700, {rotation_z(0.0, 1.0), {0.15, 0, 0}}).value();
  check_close(left + right, whole, 16, whole.mass);
  check_close(*subtract(whole, left), right, 16, whole.mass);
}

TEST_CASE("mass properties: a hollow ball, and a thin one in the limit of a shell") {
  const double density = 1000, R = 0.5, r = 0.3;
  const auto ball = [&](double radius) { return inertia_from_density(Sphere{radius}, density).value(); };
  const SpatialInertia<> hollow = subtract(ball(R), ball(r)).value();
  const double mass = 4.0 / 3.0 * kPi<double> * density * (R * R * R - r * r * r);
  check_close(hollow.mass, mass, 8, mass);
  const double moment = 0.4 * mass * (std::pow(R, 5) - std::pow(r, 5)) / (std::pow(R, 3) - std::pow(r, 3));
  check_close(hollow.inertia, diagonal(Vec3<>{moment, moment, moment}), 8, mass);
  const SpatialInertia<> shell = subtract(ball(R), ball(R * (1 - 1e-6))).value();
  CHECK(shell.inertia.xx / (shell.mass * R * R) == doctest::Approx(2.0 / 3.0).epsilon(3e-6));
}

TEST_CASE("mass properties: a mesh 100 km from its own origin keeps its inertia when it is placed back") {
  const Vec3<> far{0x1p17, 0x1p17, -0x1p17};
  TriangleMesh mesh = box_mesh({0.25, 0.5, 0.75});
  for (Vec3<>& p : mesh.vertices) p += far;
  const SpatialInertia<> placed = inertia_from_mass(mesh, 2.0, {identity3<double>(), -far}).value();
  check_close(placed, *inertia_from_mass(Box{{0.25, 0.5, 0.75}}, 2.0), 32, 2.0);
}

TEST_CASE("mass properties: warnings about a mesh come along with the value") {
  TriangleMesh mesh = box_mesh({2, 4, 6});
  mesh.vertices.push_back({0, 0, -3});
  mesh.triangles[0] = {0, 2, 8};
  mesh.triangles.push_back({8, 2, 3});
  mesh.triangles.push_back({0, 8, 3});
  const Result<SpatialInertia<>> inertia = inertia_from_mass(mesh, 1.0);
  REQUIRE(inertia);
  CHECK(inertia.diagnostics().size() == 1);
  CHECK(inertia.diagnostics()[0].severity == Severity::warning);
}

TEST_CASE("mass properties: wrong input is refused, all of it at once") {
  const auto problems_of = [](const Result<SpatialInertia<>>& result) {
    CHECK(!result.ok());
    return result.diagnostics();
  };
  const Sphere ball{0.1};
  for (const double bad : {0.0, -2.0, kNan, std::numeric_limits<double>::infinity()}) {
    CHECK(problems_of(inertia_from_density(ball, bad))[0].code == "density");
    CHECK(problems_of(inertia_from_mass(ball, bad))[0].code == "mass");
  }
  CHECK(problems_of(inertia_from_mass(ball, -2.0))[0].what == "the mass is -2 kg");
  CHECK(problems_of(inertia_from_density(ball, kNan))[0].what == "the density is nan kg/m^3");

  const Pose<> mirrored{{1, 0, 0, 0, 1, 0, 0, 0, -1}, {0, 0, 0}}, stretched{2.0 * identity3<double>(), {0, 0, 0}};
  CHECK(problems_of(inertia_from_mass(ball, 1, mirrored))[0].what ==
        "the matrix of the pose is not a rotation (off by 2)");
  CHECK(problems_of(inertia_from_mass(ball, 1, stretched))[0].code == "pose-rotation");
  const Pose<> nowhere{identity3<double>(), {0, kNan, 0}};
  CHECK(problems_of(inertia_from_mass(ball, 1, nowhere))[0].what == "the shape is placed at (0, nan, 0) m");
  CHECK(problems_of(inertia_from_mass(ball, 1, {kNan * identity3<double>(), {0, 0, 0}}))[0].code == "pose-rotation");

  const Diagnostics all = problems_of(inertia_from_density(Cylinder{-1, 0}, 0, mirrored));
  REQUIRE(all.size() == 4);
  CHECK(all[0].what == "the radius of the cylinder is -1 m");
  CHECK(all[3].what == "the density is 0 kg/m^3");
}

TEST_CASE("mass properties: sizes beyond the range of numbers") {
  for (const double size : {1e-200, 1e150}) {
    const Result<SpatialInertia<>> inertia = inertia_from_density(Sphere{size}, 1000);
    REQUIRE(!inertia);
    CHECK(inertia.diagnostics()[0].code == "shape-range");
    CHECK(!inertia_from_mass(Sphere{size}, 1));
  }
  CHECK(!inertia_from_density(box_mesh({1e150, 1e150, 1e150}), 1000));
}

TEST_CASE("subtract: what cannot be left is refused") {
  const SpatialInertia<> box = inertia_from_mass(Box{{1, 1, 1}}, 2).value();
  const Result<SpatialInertia<>> nothing = subtract(box, box);
  REQUIRE(!nothing);
  CHECK(nothing.diagnostics()[0].code == "subtract-mass");
  CHECK(nothing.diagnostics()[0].what == "a part of 2 kg is subtracted from 2 kg");
  CHECK(!subtract(box, *inertia_from_mass(Sphere{0.1}, 3)));
  // Lighter, but far too wide, or outside.
  const Result<SpatialInertia<>> wide = subtract(box, *inertia_from_mass(Sphere{2}, 1));
  REQUIRE(!wide);
  CHECK(wide.diagnostics()[0].code == "inertia-negative");
  CHECK(contains(wide.diagnostics()[0].what,
                 "after subtraction of the part, the principal moments of inertia about the centre of mass are"));
  CHECK(contains(wide.diagnostics()[0].fix, "inside the whole"));
  CHECK(!subtract(box, *inertia_from_mass(Sphere{0.1}, 1, {identity3<double>(), {2, 0, 0}})));
  CHECK(!subtract(box, {kNan, {0, 0, 0}, {}}));
}
