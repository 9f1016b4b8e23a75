#include "pintle/geometry/shapes/shape.h"

#include <limits>

#include "geometry/solids.h"
#include "pintle/base/usage_error.h"
#include "pintle/geometry/shapes/support_direction.h"

using namespace test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

/// How far outside the shape a point is [m]; 0 inside. From the definition of each shape, without its support function.
double outside(const Shape& shape, const Vec3<>& p) {
  const double rho = std::hypot(p.x, p.y);
  if (const auto* s = std::get_if<Box>(&shape)) {
    const Vec3<> h = 0.5 * s->size;
    return std::max({abs(p.x) - h.x, abs(p.y) - h.y, abs(p.z) - h.z, 0.0});
  }
  if (const auto* s = std::get_if<Sphere>(&shape)) return std::max(norm(p) - s->radius, 0.0);
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) {
    const Vec3<> a = s->semi_axes;
    return std::max(norm(Vec3<>{p.x / a.x, p.y / a.y, p.z / a.z}) - 1.0, 0.0);
  }
  if (const auto* s = std::get_if<Cylinder>(&shape))
    return std::max({rho - s->radius, abs(p.z) - 0.5 * s->length, 0.0});
  if (const auto* s = std::get_if<Capsule>(&shape))
    return std::max(std::hypot(rho, std::max(abs(p.z) - 0.5 * s->length, 0.0)) - s->radius, 0.0);
  if (const auto* s = std::get_if<Cone>(&shape))
    return std::max({-p.z, rho - s->radius * (1.0 - p.z / s->height), 0.0});
  return 0.0;
}

double support_height(const TriangleMesh& mesh, const Vec3<>& d) {
  double most = dot(d, mesh.vertices.front());
  for (const Vec3<>& p : mesh.vertices) most = std::max(most, dot(d, p));
  return most;
}

}  // namespace

TEST_CASE("shapes: each has a name") {
  std::vector<std::string> names;
  for (const Shape& shape : one_of_every_shape()) names.emplace_back(name(shape));
  CHECK(names == std::vector<std::string>{"box", "sphere", "ellipsoid", "cylinder", "capsule", "cone", "mesh"});
}

TEST_CASE("shapes: volume, centroid and inertia as the tables give them") {
  const double pi = kPi<double>;
  struct Case {
    Shape shape;
    double volume, centroid_z;
    Vec3<> moments;  // about the centroid, for a mass of 1
  };
  const Case cases[] = {
      {Box{{2.0, 3.0, 6.0}}, 36.0, 0.0, {45.0 / 12.0, 40.0 / 12.0, 13.0 / 12.0}},
      {Sphere{3.0}, 36.0 * pi, 0.0, {3.6, 3.6, 3.6}},
      {Ellipsoid{{1.0, 2.0, 3.0}}, 8.0 * pi, 0.0, {13.0 / 5.0, 10.0 / 5.0, 5.0 / 5.0}},
      {Cylinder{2.0, 6.0}, 24.0 * pi, 0.0, {48.0 / 12.0, 48.0 / 12.0, 2.0}},
      // Half balls of 83/320 m r^2 about their own centroids, 3/8 r from the cut: (2 pi/3) each, cylinder 2 pi.
      {Capsule{1.0, 2.0},
       10.0 * pi / 3.0,
       0.0,
       {(3.0 / 5.0) * (7.0 / 12.0) + (2.0 / 5.0) * (83.0 / 320.0 + 1.375 * 1.375),
        (3.0 / 5.0) * (7.0 / 12.0) + (2.0 / 5.0) * (83.0 / 320.0 + 1.375 * 1.375),
        (3.0 / 5.0) * 0.5 + (2.0 / 5.0) * 0.4}},
      {Cone{2.0, 4.0}, 16.0 * pi / 3.0, 1.0, {96.0 / 80.0, 96.0 / 80.0, 1.2}},
      {tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 1.0 / 6.0, 0.25, {0.075, 0.075, 0.075}},
  };
  for (const Case& c : cases) {
    CAPTURE(name(c.shape));
    CHECK(check(c.shape).empty());
    const VolumeProperties solid = volume_properties(c.shape);
    check_close(solid.volume, c.volume, 4, c.volume);
    CHECK(volume(c.shape) == solid.volume);
    check_close(centroid(c.shape).z, c.centroid_z, 4, 1.0);
    const SymMat3<> per_mass = (1.0 / solid.volume) * solid.inertia;
    check_close(Vec3<>{per_mass.xx, per_mass.yy, per_mass.zz}, c.moments, 8, norm(c.moments));
    // About the frame's origin, by the parallel axis theorem (Steiner).
    const SpatialInertia<> I = unit_density_inertia(c.shape);
    CHECK(I.mass == solid.volume);
    check_close(center_of_mass(I), solid.centroid, 4, 1.0);
    const SymMat3<> steiner = solid.inertia + solid.volume * minus_skew_squared(solid.centroid);
    check_close(I.inertia, steiner, 4, c.volume * norm(c.moments));
  }
}

TEST_CASE("shapes: a ball is an ellipsoid of equal axes, a short capsule nearly a ball") {
  const VolumeProperties ball = volume_properties(Sphere{0.7}), round = volume_properties(Ellipsoid{{0.7, 0.7, 0.7}});
  check_close(ball.volume, round.volume, 4, ball.volume);
  check_close(ball.inertia, round.inertia, 8, ball.volume);
  const double length = 1e-9;
  const VolumeProperties capsule = volume_properties(Capsule{0.7, length});
  CHECK(abs(capsule.volume - ball.volume) < 2.0 * length);
  CHECK(difference(capsule.inertia, ball.inertia) < 2.0 * length);
}

TEST_CASE("shapes: inscribed meshes converge to the closed forms with the square of their fineness") {
  for (const Shape& shape : one_of_every_shape()) {
    CAPTURE(name(shape));
    const VolumeProperties exact = volume_properties(shape);
    const TriangleMesh coarse_mesh = inscribed(shape, 48), fine_mesh = inscribed(shape, 96);
    CHECK(check(coarse_mesh).empty());
    const VolumeProperties coarse = volume_properties(coarse_mesh), fine = volume_properties(fine_mesh);
    // By symmetry the mesh has the centroid and the axes of the shape; some ten thousand triangles of both signs are
    // summed, whose roundings add up like a random walk.
    constexpr double kWalk = 128;
    check_close(fine.centroid, exact.centroid, kWalk, 1.0);
    const auto check_order = [](double c, double f, double e) {
      if (abs(c - e) <= 100.0 * kEps * e) return;  // the mesh is the shape itself
      // The next term is of fourth order: (pi/48)^2 = 0.4 % of the first, with a factor of a few.
      CHECK((c - e) / (f - e) == doctest::Approx(4.0).epsilon(0.02));
      CHECK((4.0 * f - c) / 3.0 == doctest::Approx(e).epsilon(1e-5));  // the fourth order is left, (pi/48)^4 = 2e-5
    };
    check_order(coarse.volume, fine.volume, exact.volume);
    check_order(coarse.inertia.xx, fine.inertia.xx, exact.inertia.xx);
    check_order(coarse.inertia.yy, fine.inertia.yy, exact.inertia.yy);
    check_order(coarse.inertia.zz, fine.inertia.zz, exact.inertia.zz);
    for (const double off_diagonal : {fine.inertia.xy, fine.inertia.xz, fine.inertia.yz})
      check_close(off_diagonal, 0.0, kWalk, trace(exact.inertia));
  }
}

TEST_CASE("shapes: sizes times s give s^3 of the volume and s^5 of the inertia") {
  const double s = 3.7;
  const auto check_scaling = [s](const Shape& small, const Shape& large) {
    CAPTURE(name(small));
    const VolumeProperties a = volume_properties(small), b = volume_properties(large);
    check_close(b.volume, std::pow(s, 3) * a.volume, 32, b.volume);
    check_close(b.centroid, s * a.centroid, 32, s);
    check_close(b.inertia, std::pow(s, 5) * a.inertia, 64, trace(b.inertia));
  };
  check_scaling(Box{{0.3, 0.5, 0.7}}, Box{s * Vec3<>{0.3, 0.5, 0.7}});
  check_scaling(Sphere{0.4}, Sphere{s * 0.4});
  check_scaling(Ellipsoid{{0.3, 0.5, 0.8}}, Ellipsoid{s * Vec3<>{0.3, 0.5, 0.8}});
  check_scaling(Cylinder{0.3, 0.9}, Cylinder{s * 0.3, s * 0.9});
  check_scaling(Capsule{0.25, 0.6}, Capsule{s * 0.25, s * 0.6});
  check_scaling(Cone{0.4, 0.9}, Cone{s * 0.4, s * 0.9});
  check_scaling(box_mesh({0.2, 0.4, 0.9}), box_mesh(s * Vec3<>{0.2, 0.4, 0.9}));
}

TEST_CASE("support points: in the shape, and no vertex of an inscribed mesh is farther") {
  RandomStream stream(1);
  for (const Shape& shape : one_of_every_shape()) {
    CAPTURE(name(shape));
    const TriangleMesh mesh = inscribed(shape, 128);
    for (int i = 0; i < 200; ++i) {
      const Vec3<> d = uniform_direction(stream);
      const Vec3<> p = support_point(shape, stream.uniform(1e-3, 1e3) * d);
      CHECK(outside(shape, p) <= 8 * kEps);
      const double height = support_height(mesh, d);
      CHECK(dot(d, p) >= height - 8 * kEps);
      // The mesh stays below the surface by at most half a step, pi/64 in longitude and latitude, on a radius below 1.
      CHECK(dot(d, p) <= height + 2.0 * 0.5 * std::pow(kPi<double> / 128.0, 2) + 8 * kEps);
    }
  }
}

TEST_CASE("support points: in the middle of what is equally far") {
  struct Case {
    Shape shape;
    Vec3<> direction, expected;
  };
  const double slant = 1.0 / std::sqrt(2.0);
  const Case cases[] = {
      {Box{{2, 4, 6}}, {0, 0, -5}, {0, 0, -3}},    // face
      {Box{{2, 4, 6}}, {1, 0, -1}, {1, 0, -3}},    // edge
      {Box{{2, 4, 6}}, {1, -1, -1}, {1, -2, -3}},  // corner
      {Sphere{2}, {0, 3, 0}, {0, 2, 0}},
      {Ellipsoid{{1, 2, 3}}, {0, 0, -1}, {0, 0, -3}},
      {Cylinder{0.03, 0.09}, {0, 0, -1}, {0, 0, -0.045}},  // cap
      {Cylinder{0.03, 0.09}, {0, 0, 1}, {0, 0, 0.045}},
      {Cylinder{2, 6}, {0, 1, 0}, {0, 2, 0}},   // line
      {Cylinder{2, 6}, {1, 0, 1}, {2, 0, 3}},   // rim
      {Capsule{2, 6}, {-1, 0, 0}, {-2, 0, 0}},  // line
      {Capsule{2, 6}, {0, 0, 1}, {0, 0, 5}},
      {Cone{2, 2}, {0, 0, -1}, {0, 0, 0}},  // base
      {Cone{2, 2}, {0, 0, 1}, {0, 0, 2}},
      {Cone{2, 2}, {slant, 0, slant}, {1, 0, 1}},  // generating line
      {Cone{2, 2}, {1, 0, 0}, {2, 0, 0}},
      {box_mesh({2, 4, 6}), {0, 0, -1}, {0, 0, -3}},  // face, of two triangles
      {box_mesh({2, 4, 6}), {1, 0, 0}, {1, 0, 0}},
      {box_mesh({2, 4, 6}), {1, 0, -1}, {1, 0, -3}},          // edge
      {box_mesh({2, 4, 6}), {1, -1, -1}, {1, -2, -3}},        // corner
      {inscribed(Cylinder{2, 6}, 12), {0, 0, 1}, {0, 0, 3}},  // cap, with a vertex inside
  };
  for (const Case& c : cases) {
    CAPTURE(name(c.shape));
    CAPTURE(c.direction.x);
    CAPTURE(c.direction.y);
    CAPTURE(c.direction.z);
    check_close(support_point(c.shape, c.direction), c.expected, 8, 6.0);
    // A tilt by roundings changes nothing that matters.
    const Vec3<> tilted = c.direction + norm(c.direction) * Vec3<>{1e-14, -2e-14, 1e-14};
    CHECK(difference(support_point(c.shape, tilted), c.expected) < 1e-12);
  }
  // A tilt of a micrometre per metre is one: the rim, not the centre of the cap.
  check_close(support_point(Cylinder{2, 6}, {1e-6, 0, -1}), Vec3<>{2, 0, -3}, 8, 6.0);
}

TEST_CASE("support points: a direction may be of any length but zero") {
  for (const double size : {1e-300, 1e-160, 1.0, 1e160, 1e300})
    check_close(support_point(Sphere{1}, {size, 2 * size, -2 * size}), Vec3<>{1.0 / 3, 2.0 / 3, -2.0 / 3}, 4, 1.0);
  CHECK_THROWS_WITH_AS(support_point(Sphere{1}, {0, 0, 0}),
                       "support_point: argument 'direction': the zero vector has no direction", UsageError);
  CHECK_THROWS_WITH_AS(support_point(Shape(Cone{1, 1}), {0, kNan, 0}),
                       "support_point: argument 'direction': a component is not finite", UsageError);
  CHECK_THROWS_AS(support_point(Box{{1, 1, 1}}, {kInf, 0, 0}), UsageError);
}

TEST_CASE("bounding boxes: touched by the support points along the axes") {
  for (const Shape& shape : one_of_every_shape()) {
    CAPTURE(name(shape));
    const BoundingBox box = bounding_box(shape);
    check_close(box.max.x, support_point(shape, {1, 0, 0}).x, 4, 1.0);
    check_close(box.max.y, support_point(shape, {0, 1, 0}).y, 4, 1.0);
    check_close(box.max.z, support_point(shape, {0, 0, 1}).z, 4, 1.0);
    check_close(box.min.x, support_point(shape, {-1, 0, 0}).x, 4, 1.0);
    check_close(box.min.y, support_point(shape, {0, -1, 0}).y, 4, 1.0);
    check_close(box.min.z, support_point(shape, {0, 0, -1}).z, 4, 1.0);
  }
}

TEST_CASE("shapes: every size must be finite and positive, and the one that is not is named") {
  struct Case {
    Shape shape;
    const char* code;
    const char* text;
  };
  const Case cases[] = {
      {Box{{0, 1, 1}}, "shape-size", "the side along x of the box is 0 m"},
      {Box{{1, -1, 1}}, "shape-size", "the side along y of the box is -1 m"},
      {Box{{1, 1, kNan}}, "shape-not-finite", "the side along z of the box is nan m"},
      {Sphere{0}, "shape-size", "the radius of the sphere is 0 m"},
      {Sphere{-kNan}, "shape-not-finite", "the radius of the sphere is nan m"},
      {Ellipsoid{{kInf, 1, 1}}, "shape-not-finite", "the semi-axis along x of the ellipsoid is inf m"},
      {Ellipsoid{{1, -0.25, 1}}, "shape-size", "the semi-axis along y of the ellipsoid is -0.25 m"},
      {Ellipsoid{{1, 1, -1e-17}}, "shape-size", "the semi-axis along z of the ellipsoid is -1e-17 m"},
      {Cylinder{-0.5, 1}, "shape-size", "the radius of the cylinder is -0.5 m"},
      {Cylinder{0.5, 0}, "shape-size", "the length of the cylinder is 0 m"},
      {Capsule{0, 1}, "shape-size", "the radius of the capsule is 0 m"},
      {Capsule{1, 0}, "shape-size", "the length of the capsule is 0 m"},
      {Cone{-kInf, 1}, "shape-not-finite", "the radius of the cone is -inf m"},
      {Cone{1, 0}, "shape-size", "the height of the cone is 0 m"},
  };
  for (const Case& c : cases) {
    const Diagnostics problems = check(c.shape);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].what == c.text);
    CHECK(problems[0].code == c.code);
    CHECK(!problems[0].why.empty());
    CHECK(!problems[0].fix.empty());
  }
  CHECK(check(Box{{0, -1, kNan}}).size() == 3);
}
