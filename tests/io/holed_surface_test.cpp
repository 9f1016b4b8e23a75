#include "pintle/io/report/holed_surface.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "pintle/geometry/mass/mass_properties.h"

namespace pintle {
namespace {

const Mat3<> kAlongX{0, 0, 1, 0, 1, 0, -1, 0, 0};

/// The area vectors of a closed surface add up to zero: nothing is missing, nothing is there twice.
Vec3<> area_vector(const TriangleMesh& mesh) {
  Vec3<> sum{0, 0, 0};
  for (const std::array<int, 3>& t : mesh.triangles) {
    const auto at = [&](std::size_t i) { return mesh.vertices[static_cast<std::size_t>(t[i])]; };
    sum = sum + 0.5 * cross(at(1) - at(0), at(2) - at(0));
  }
  return sum;
}

/// Round surfaces are 96 chords: their volume is short by a fraction (2 pi/96)^2/6 = 7e-4, that of a sphere, with 48
/// around its meridian, by two to three times that.
void check_surface(const Shape& shape, const std::vector<Hole>& holes) {
  const TriangleMesh mesh = holed_surface(shape, holes);
  const double volume = inertia_from_density(shape, holes, 1.0)->mass;
  CHECK(volume_properties(mesh).volume == doctest::Approx(volume).epsilon(6e-3));
  CHECK(norm(area_vector(mesh)) < 1e-5);  // within the tolerance of the cuts, times the length of edges
}

TEST_CASE("holed surface: it is closed and has the volume that is left") {
  const Box plate{{1.0, 0.8, 0.2}};
  check_surface(plate, {});
  check_surface(plate, {{Cylinder{0.2, 0.2}}});                                                  // through
  check_surface(plate, {{Cylinder{0.2, 0.1}, {identity3<double>(), {0.1, 0, 0.05}}}});           // blind
  check_surface(plate, {{Sphere{0.08}, {identity3<double>(), {0.2, 0.1, 0}}}});                  // a void
  check_surface(plate, {{Box{{0.4, 0.2, 0.2}}, {identity3<double>(), {0.3, 0, 0}}}});            // a slot, open at a side
  check_surface(plate, {{Cylinder{0.05, 1.0}, {kAlongX, {0, 0.2, 0}}}});                         // along the plate
  check_surface(plate, {{Cylinder{0.1, 0.08}, {identity3<double>(), {0, 0, 0.06}}},              // stepped
                        {Cylinder{0.05, 0.12}, {identity3<double>(), {0, 0, -0.04}}}});
  check_surface(plate, {{Cone{0.1, 0.15}, {identity3<double>(), {-0.2, 0, -0.1}}},
                        {Capsule{0.04, 0.1}, {kAlongX, {0.2, 0, 0}}},
                        {Ellipsoid{{0.1, 0.05, 0.05}}, {identity3<double>(), {0.2, -0.2, 0}}}});
  check_surface(Cylinder{0.5, 1.0}, {{Cylinder{0.3, 1.0}}});
  check_surface(Sphere{0.5}, {{Box{{0.3, 0.3, 0.3}}}});
  check_surface(Cone{0.5, 1.0}, {{Cylinder{0.1, 0.5}, {identity3<double>(), {0, 0, 0.25}}}});
  check_surface(Capsule{0.3, 0.5}, {{Cylinder{0.1, 0.5}}});
  check_surface(Ellipsoid{{0.5, 0.4, 0.3}}, {{Sphere{0.2}}});
}

TEST_CASE("holed surface: nothing of the solid covers the openings") {
  const TriangleMesh mesh = holed_surface(Box{{1.0, 0.8, 0.2}}, std::vector<Hole>{{Cylinder{0.2, 0.2}}});
  for (const std::array<int, 3>& t : mesh.triangles) {
    const auto at = [&](std::size_t i) { return mesh.vertices[static_cast<std::size_t>(t[i])]; };
    const Vec3<> middle = (1.0 / 3.0) * (at(0) + at(1) + at(2));
    // The bore is a polygon of 96 sides: its flats are at 0.2 cos(pi/96).
    CHECK(std::sqrt(middle.x * middle.x + middle.y * middle.y) > 0.2 * 0.99946 - 1e-5);
  }
}

}  // namespace
}  // namespace pintle
