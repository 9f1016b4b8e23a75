#include <doctest/doctest.h>

#include "geometry/solids.h"
#include "pintle/geometry/mass/check_holes.h"
#include "pintle/geometry/mass/mass_properties.h"
#include "pintle/spatial/check_inertia.h"

using namespace test;

namespace {

std::string codes(const Diagnostics& problems) {
  std::string text;
  for (const Diagnostic& problem : problems) text += (text.empty() ? "" : " ") + problem.code;
  return text;
}

Hole hole_at(Shape shape, const Vec3<>& at, const Mat3<>& rotation = identity3<double>()) {
  return {std::move(shape), {rotation, at}};
}

const Mat3<> kAlongX{0, 0, 1, 0, 1, 0, -1, 0, 0};  // z of a hole along x

}  // namespace

TEST_CASE("holes: a hollow cylinder has the inertia of the tables") {
  const double R = 0.05, r = 0.03, l = 0.2, density = 7850;
  const std::vector<Hole> bore{hole_at(Cylinder{r, l}, {0, 0, 0})};
  const SpatialInertia<> tube = inertia_from_density(Cylinder{R, l}, bore, density).value();
  const double m = density * kPi<double> * (R * R - r * r) * l;
  check_close(tube.mass, m, 16, m);
  const double across = m * (3.0 * (R * R + r * r) + l * l) / 12.0;
  check_close(tube.inertia, diagonal(Vec3<>{across, across, 0.5 * m * (R * R + r * r)}), 16, m * l * l);
  check_close(*inertia_from_mass(Cylinder{R, l}, bore, m), tube, 16, m);
}

TEST_CASE("holes: a plate with a bore off its centre, placed anywhere") {
  const Vec3<> size{0.2, 0.1, 0.01};
  const double r = 0.02, x = 0.05, density = 2700;
  const std::vector<Hole> bore{hole_at(Cylinder{r, size.z}, {x, 0, 0})};
  const SpatialInertia<> plate = inertia_from_density(Box{size}, bore, density).value();
  const double whole = density * size.x * size.y * size.z, out = density * kPi<double> * r * r * size.z;
  const double m = whole - out;
  check_close(plate.mass, m, 16, whole);
  check_close(plate.first_moment, Vec3<>{-out * x, 0, 0}, 16, whole);
  const double izz = whole * (size.x * size.x + size.y * size.y) / 12.0 - out * (0.5 * r * r + x * x);
  const double ixx = whole * (size.y * size.y + size.z * size.z) / 12.0 - out * (3.0 * r * r + size.z * size.z) / 12.0;
  const double iyy =
      whole * (size.x * size.x + size.z * size.z) / 12.0 - out * ((3.0 * r * r + size.z * size.z) / 12.0 + x * x);
  check_close(plate.inertia, diagonal(Vec3<>{ixx, iyy, izz}), 32, whole * size.x * size.x);
  CHECK(check_inertia(plate).empty());

  RandomStream stream(4);
  for (int i = 0; i < 10; ++i) {
    const Pose<> X_BS = random_pose(stream);
    check_close(*inertia_from_density(Box{size}, bore, density, X_BS), X_BS * plate, 64, 4.0 * whole);
    // A mass is that of what remains.
    check_close(*inertia_from_mass(Box{size}, bore, m, X_BS), X_BS * plate, 64, 4.0 * whole);
  }
}

TEST_CASE("holes: two half boxes out of a box leave the rest of it, whatever the order") {
  const Box box{{0.6, 0.4, 0.2}}, quarter{{0.15, 0.4, 0.2}};
  const std::vector<Hole> ends{hole_at(quarter, {-0.225, 0, 0}), hole_at(quarter, {0.225, 0, 0})};
  const std::vector<Hole> swapped{ends[1], ends[0]};
  const SpatialInertia<> middle = inertia_from_density(Box{{0.3, 0.4, 0.2}}, 1000).value();
  check_close(*inertia_from_density(box, ends, 1000), middle, 64, 48.0);
  check_close(*inertia_from_density(box, swapped, 1000), middle, 64, 48.0);
}

TEST_CASE("holes: how far a hole extends beyond its solid") {
  const auto out = [](const Shape& shape, const Hole& hole) { return protrusion(shape, hole); };
  constexpr double kExact = 1e-14;
  CHECK(out(Box{{2, 4, 6}}, hole_at(Sphere{0.5}, {0.25, 0, 0})) == doctest::Approx(-0.25).epsilon(kExact));
  CHECK(out(Box{{2, 4, 6}}, hole_at(Cylinder{0.5, 2.2}, {0, 0, 0}, kAlongX)) == doctest::Approx(0.1).epsilon(1e-13));
  // A box in a cylinder touches it with its corners, in a sphere too.
  const double corner = std::sqrt(0.3 * 0.3 + 0.4 * 0.4);
  CHECK(out(Cylinder{0.45, 4}, hole_at(Box{{0.6, 0.8, 1}}, {0, 0, 0})) == doctest::Approx(corner - 0.45).epsilon(1e-13));
  CHECK(out(Sphere{1}, hole_at(Box{{1, 1, 1}}, {0.5, 0, 0})) == doctest::Approx(std::sqrt(1.5) - 1).epsilon(1e-13));
  CHECK(out(Sphere{1}, hole_at(Cylinder{0.6, 1.6}, {0, 0, 0})) == doctest::Approx(0.0).epsilon(1e-13));
  CHECK(out(Capsule{0.5, 1}, hole_at(Sphere{0.25}, {0, 0, 0.75})) == doctest::Approx(0.0).epsilon(1e-13));
  CHECK(out(Ellipsoid{{1, 2, 3}}, hole_at(Sphere{1}, {0, 0, 0})) == doctest::Approx(0.0).epsilon(1e-13));
  CHECK(out(Ellipsoid{{1, 2, 3}}, hole_at(Sphere{1}, {0, 0, 0.5})) > 0.01);
  CHECK(out(Cone{1, 2}, hole_at(Cylinder{0.5, 1}, {0, 0, 0.5})) == doctest::Approx(0.0).epsilon(1e-13));
  CHECK(out(Cone{1, 2}, hole_at(Cylinder{0.5, 1.1}, {0, 0, 0.55})) ==
        doctest::Approx(0.1 / std::sqrt(5.0)).epsilon(1e-12));
  CHECK(out(Cone{1, 2}, hole_at(Cone{0.5, 1}, {0, 0, -0.1})) == doctest::Approx(0.1).epsilon(1e-13));
}

TEST_CASE("holes: every solid within itself, shrunk and placed at random, lies within; grown it does not") {
  RandomStream stream(11);
  for (const Shape& shape : one_of_every_shape()) {
    if (std::holds_alternative<TriangleMesh>(shape)) continue;
    const Mat3<> R = random_pose(stream).rotation;
    // In the same frame a copy touches from within everywhere; about its centroid a smaller one is well inside.
    CHECK(std::abs(protrusion(shape, {shape})) < 1e-12);
    const double tiny = 1e-3;
    CHECK(protrusion(shape, {Sphere{tiny}, {R, centroid(shape)}}) < 0.0);
    CHECK(protrusion(shape, {shape, {identity3<double>(), {tiny, 0, 0}}}) > 1e-5);
  }
}

TEST_CASE("holes: what cannot be subtracted is refused, all of it at once") {
  const auto problems = [](const Shape& shape, const std::vector<Hole>& holes) {
    return codes(inertia_from_density(shape, holes, 1000).diagnostics());
  };
  const Box plate{{0.2, 0.1, 0.01}};
  const Cylinder bore{0.01, 0.01};
  CHECK(problems(plate, {hole_at(bore, {0.05, 0, 0}), hole_at(bore, {-0.05, 0, 0})}) == "");
  CHECK(problems(plate, {hole_at(bore, {0.02, 0, 0}), hole_at(bore, {0.04, 0, 0})}) == "");  // they touch
  CHECK(problems(plate, {hole_at(bore, {0.02, 0, 0}), hole_at(bore, {0.039, 0, 0})}) == "hole-overlap");
  CHECK(problems(plate, {hole_at(bore, {0.05, 0, 1e-5})}) == "hole-outside");
  CHECK(problems(plate, {hole_at(bore, {0.095, 0, 0}), hole_at(bore, {0.096, 0, 0})}) ==
        "hole-outside hole-outside hole-overlap");
  CHECK(problems(plate, {hole_at(plate, {0, 0, 0})}) == "hole-nothing-left");
  CHECK(problems(plate, {hole_at(Cylinder{-0.01, 0.01}, {0, 0, 0})}) == "shape-size");
  CHECK(problems(plate, {hole_at(bore, {std::nan(""), 0, 0})}) == "pose-not-finite");
  CHECK(problems(plate, {hole_at(box_mesh({0.001, 0.001, 0.001}), {0, 0, 0})}) == "hole-mesh");
  CHECK(problems(box_mesh({1, 1, 1}), {hole_at(bore, {0, 0, 0})}) == "hole-mesh");

  // A stepped bore: the wider part ends where the narrower one begins.
  CHECK(problems(plate, {hole_at(Cylinder{0.01, 0.004}, {0, 0, 0.003}), hole_at(Cylinder{0.005, 0.006}, {0, 0, -0.002})}) ==
        "");

  const Diagnostics told = check_holes(plate, std::vector<Hole>{hole_at(Cylinder{0.01, 0.012}, {0, 0, 0})});
  REQUIRE(told.size() == 1);
  CHECK(told[0].what == "the hole (cylinder) extends 0.001 m beyond the box");
}
