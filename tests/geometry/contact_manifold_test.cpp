#include "pintle/geometry/contact_manifold.h"

#include <limits>
#include <set>

#include "geometry/contact_shapes.h"
#include "pintle/base/usage_error.h"
#include "pintle/geometry/contact_feature.h"
#include "pintle/spatial/exp_log.h"

using namespace test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Pose<> at(double x, double y, double z) {
  return {identity3<double>(), {x, y, z}};
}

// Turned about y, so that its z axis lies along x.
Mat3<> lying() {
  return rotation_y(0.0, 1.0);
}

void check_sound(const ContactManifold& m, double size) {
  for (int i = 0; i < m.count; ++i) {
    const ContactPoint& c = m.points.data()[i];
    check_close(norm(c.normal), 1.0, 8, 1.0);
    check_close(c.on_b - c.on_a, c.distance * c.normal, 1e4, size);  // 1e4: points of curves, by Newton's method
    for (const SurfaceCurvature& k : {c.curvature_a, c.curvature_b}) {
      check_close(norm(k.direction), 1.0, 8, 1.0);
      CHECK(abs(dot(k.direction, c.normal)) <= 1e-9);
    }
  }
}

ContactManifold manifold_of(const ContactShape& a, const ContactShape& b, const Pose<>& X, double margin = 1e-6) {
  const ContactManifold m = contact_manifold(a, b, X, margin);
  check_sound(m, 4.0);
  return m;
}

// The largest distance between two of its points.
double spread(const ContactManifold& m) {
  double farthest = 0.0;
  for (int i = 0; i < m.count; ++i)
    for (int j = 0; j < i; ++j)
      farthest = std::max(farthest, norm(m.points.data()[i].on_a - m.points.data()[j].on_a));
  return farthest;
}

}  // namespace

TEST_CASE("manifolds: what stands or lies on the ground touches it where it should") {
  const HalfSpace ground;
  SUBCASE("box on its face: four corners") {
    const ContactManifold m = manifold_of(ground, Box{{0.4, 0.6, 0.8}}, at(3, 4, 0.4));
    CHECK(m.count == 4);
    for (int i = 0; i < m.count; ++i) {
      CHECK(abs(m.points.data()[i].distance) <= 1e-16);
      CHECK(m.points.data()[i].curvature_b.along == kInfinity);
    }
    check_close(spread(m), std::hypot(0.4, 0.6), 8, 1.0);
  }
  SUBCASE("cylinder upright: eight points of its rim; tilted: the lowest one; lying: one of each rim") {
    const Cylinder c{0.3, 0.8};
    const ContactManifold upright = manifold_of(ground, c, at(0, 0, 0.4));
    CHECK(upright.count == 8);
    check_close(spread(upright), 0.6, 8, 1.0);
    const Pose<> tilted{rotation_y(std::cos(0.3), std::sin(0.3)), {0, 0, 0.4 * std::cos(0.3) + 0.3 * std::sin(0.3)}};
    const ContactManifold one = manifold_of(ground, c, tilted);
    REQUIRE(one.count == 1);
    check_close(one.points[0].distance, 0.0, 4, 1.0);
    check_close(one.points[0].curvature_b.along, std::sin(0.3) / 0.3, 16, 3.0);
    CHECK(one.points[0].curvature_b.across == kInfinity);
    const ContactManifold two = manifold_of(ground, c, {lying(), {0, 0, 0.3}});
    REQUIRE(two.count == 2);
    check_close(spread(two), 0.8, 8, 1.0);
    check_close(two.points[0].curvature_b.along, 1.0 / 0.3, 8, 3.0);
  }
  SUBCASE("capsule lying: two points; standing: one") {
    CHECK(manifold_of(ground, Capsule{0.2, 0.5}, {lying(), {0, 0, 0.2}}).count == 2);
    CHECK(manifold_of(ground, Capsule{0.2, 0.5}, at(0, 0, 0.45)).count == 1);
  }
  SUBCASE("cone: on its base eight, on its side two, on its apex one") {
    const Cone c{0.3, 0.4};
    CHECK(manifold_of(ground, c, at(0, 0, 0)).count == 8);
    const double sine = 0.6, cosine = 0.8;  // the generating line comes to lie on the ground
    const Mat3<> down = rotation_y(-sine, cosine);
    const ContactManifold side = manifold_of(ground, c, {down, {0, 0, 0.3 * cosine}});
    CHECK(side.count == 2);
    check_close(spread(side), 0.5, 16, 1.0);
    CHECK(manifold_of(ground, c, {rotation_x(-1.0, 0.0), {0, 0, 0.4}}).count == 1);
  }
  SUBCASE("sphere and ellipsoid: one, with their curvatures") {
    const ContactManifold s = manifold_of(ground, Sphere{0.25}, at(0, 0, 0.25));
    REQUIRE(s.count == 1);
    CHECK(s.points[0].curvature_b.along == 4.0);
    const ContactManifold e = manifold_of(ground, Ellipsoid{{0.2, 0.3, 0.5}}, at(0, 0, 0.5));
    REQUIRE(e.count == 1);
    const SurfaceCurvature k = e.points[0].curvature_b;  // c/a^2 and c/b^2
    check_close(std::max(k.along, k.across), 12.5, 16, 12.5);
    check_close(std::min(k.along, k.across), 0.5 / 0.09, 16, 12.5);
  }
  SUBCASE("hull: its lowest corners") {
    std::vector<Vec3<>> prism;
    for (int i = 0; i < 12; ++i) {
      const double angle = 2.0 * kPi<double> * i / 12.0;
      for (const double z : {-0.5, 0.5}) prism.push_back({std::cos(angle), std::sin(angle), z});
    }
    const ContactManifold m = manifold_of(ground, *convex_hull(prism), at(0, 0, 0.5));
    CHECK(m.count == 8);
    CHECK(spread(m) > 1.9);
  }
}

TEST_CASE("manifolds: flat faces on each other") {
  const Box slab{{2.0, 2.0, 0.2}};
  SUBCASE("a box on a box") {
    CHECK(manifold_of(slab, Box{{0.4, 0.6, 0.8}}, at(0.1, 0.2, 0.5)).count == 4);
    CHECK(manifold_of(slab, Box{{2.0, 2.0, 0.8}}, at(0, 0, 0.5)).count == 4);  // corner over corner
    // Turned by 45 degrees and as large: an octagon.
    const double half = std::sqrt(0.5);
    const ContactManifold octagon = manifold_of(slab, slab, {rotation_z(half, half), {0, 0, 0.2}});
    CHECK(octagon.count == 8);
    for (int i = 0; i < octagon.count; ++i) CHECK(abs(octagon.points.data()[i].distance) <= 1e-15);
    // Half over the edge: two corners, two crossings of edges.
    const ContactManifold over = manifold_of(slab, Box{{0.4, 0.6, 0.8}}, at(1.0, 0.2, 0.5));
    CHECK(over.count == 4);
    check_close(spread(over), std::hypot(0.2, 0.6), 64, 1.0);
  }
  SUBCASE("a long beam across a rail: crossings of edges only") {
    const ContactManifold m = manifold_of(Box{{4.0, 0.2, 0.2}}, Box{{0.3, 4.0, 0.2}}, at(0, 0, 0.2));
    CHECK(m.count == 4);
    check_close(spread(m), std::hypot(0.3, 0.2), 64, 1.0);
  }
  SUBCASE("edge on face: two corners; edge on edge: one point") {
    const double half = std::sqrt(0.5);
    const Pose<> on_edge{rotation_x(half, half), {0, 0, 0.1 + 0.3 * std::sqrt(2.0)}};
    CHECK(manifold_of(slab, Box{{0.6, 0.6, 0.6}}, on_edge).count == 2);
    const Mat3<> first = rotation_x(half, half), second = rotation_y(half, half);
    const Pose<> crossed{transpose(first) * second, transpose_times(first, Vec3<>{0, 0, 0.6 * std::sqrt(2.0)})};
    const ContactManifold m = manifold_of(Box{{0.6, 0.6, 0.6}}, Box{{0.6, 0.6, 0.6}}, crossed);
    REQUIRE(m.count == 1);
    CHECK(kind_of(feature_of_a(m.points[0].feature)) == FeatureKind::line);
    CHECK(kind_of(feature_of_b(m.points[0].feature)) == FeatureKind::line);
    check_close(m.points[0].distance, 0.0, 16, 1.0);
  }
  SUBCASE("a corner on a face: one point") {
    const Pose<> X = pose(normalized(Quaternion<>{0.3, 0.4, 0.1, 0.8}), {0, 0, 0});
    const Separation s = separation(slab, Box{{0.6, 0.6, 0.6}}, {X.rotation, {0, 0, 2.0}});
    const Pose<> touching{X.rotation, {0, 0, 2.0 - s.distance}};
    const ContactManifold m = manifold_of(slab, Box{{0.6, 0.6, 0.6}}, touching);
    CHECK(m.count == 1);
  }
}

TEST_CASE("manifolds: round bodies on flat faces and on each other") {
  const Box slab{{2.0, 2.0, 0.2}};
  SUBCASE("lying on a face: two points, also where one end hangs over") {
    CHECK(manifold_of(slab, Cylinder{0.3, 0.8}, {lying(), {0, 0, 0.4}}).count == 2);
    CHECK(manifold_of(slab, Capsule{0.3, 0.8}, {lying(), {0, 0, 0.4}}).count == 2);
    const ContactManifold over = manifold_of(slab, Capsule{0.3, 0.8}, {lying(), {1.0, 0, 0.4}});
    REQUIRE(over.count == 2);
    check_close(spread(over), 0.4, 64, 1.0);
    const ContactManifold bar = manifold_of(slab, Cylinder{0.3, 4.0}, {lying(), {0, 0, 0.4}});
    REQUIRE(bar.count == 2);
    check_close(spread(bar), 2.0, 64, 1.0);
    check_close(bar.points[0].curvature_b.across, 1.0 / 0.3, 64, 3.0);
  }
  SUBCASE("upright on a face: eight points, also where it hangs over an edge") {
    CHECK(manifold_of(slab, Cylinder{0.3, 0.8}, at(0, 0, 0.5)).count == 8);
    CHECK(manifold_of(slab, Cone{0.3, 0.8}, at(0, 0, 0.1)).count == 8);
    const ContactManifold over = manifold_of(slab, Cylinder{0.3, 0.8}, at(0.9, 0, 0.5));
    CHECK(over.count >= 6);
    double farthest = -1.0;
    for (int i = 0; i < over.count; ++i) {
      farthest = std::max(farthest, over.points.data()[i].on_a.x);
      CHECK(abs(over.points.data()[i].distance) <= 1e-15);
    }
    check_close(farthest, 1.0, 64, 1.0);
    // A large disc on a small box: the corners of the box.
    CHECK(manifold_of(Box{{0.4, 0.4, 0.4}}, Cylinder{2.0, 0.2}, at(0, 0, 0.3)).count == 4);
  }
  SUBCASE("round on round") {
    CHECK(manifold_of(Cylinder{0.3, 0.8}, Cylinder{0.3, 0.8}, at(0, 0, 0.8)).count == 8);
    const ContactManifold lens = manifold_of(Cylinder{0.3, 0.8}, Cylinder{0.3, 0.8}, at(0.3, 0, 0.8));
    CHECK(lens.count >= 4);
    check_close(spread(lens), 0.3 * std::sqrt(3.0), 64, 1.0);
    CHECK(manifold_of(Cylinder{0.3, 0.8}, Cylinder{0.2, 0.6}, at(0.5, 0, 0.1)).count == 2);
    CHECK(manifold_of(Capsule{0.3, 0.8}, Cylinder{0.2, 0.6}, at(0.5, 0, 0.1)).count == 2);
    CHECK(manifold_of(Capsule{0.3, 0.8}, Capsule{0.2, 0.6}, at(0.5, 0, 0.1)).count == 2);
    CHECK(manifold_of(Cylinder{0.3, 0.8}, Cylinder{0.2, 0.6}, {lying(), {0, 0.5, 0}}).count == 1);
    CHECK(manifold_of(Cylinder{0.3, 0.8}, Capsule{0.1, 0.4}, {lying(), {0, 0, 0.5}}).count == 2);
    CHECK(manifold_of(Cylinder{0.3, 0.8}, Capsule{0.1, 1.4}, {lying(), {0, 0, 0.5}}).count == 2);
    CHECK(manifold_of(Sphere{0.3}, Sphere{0.2}, at(0, 0.5, 0)).count == 1);
  }
}

TEST_CASE("manifolds: the nearest point is among them, features are unique and lead back to their points") {
  RandomStream stream(21);
  int points = 0, followed = 0;
  for (int i = 0; i < kConvexKinds; ++i) {
    for (int j = 0; j < kConvexKinds; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      for (int k = 0; k < 200; ++k) {
        const ContactShape a = random_convex(stream, i), b = random_convex(stream, j);
        Pose<> X = random_pose(stream, 1.0);
        const Separation far = separation(a, b, X);
        X.translation += -far.distance * far.normal;  // touching
        const Separation s = separation(a, b, X);
        const ContactManifold m = contact_manifold(a, b, X, 1e-3);
        REQUIRE(m.count > 0);
        double least = 1e300;
        std::set<std::uint64_t> features;
        for (int p = 0; p < m.count; ++p) {
          const ContactPoint& c = m.points.data()[p];
          least = std::min(least, c.distance);
          features.insert(c.feature);
          ++points;
          const auto again = contact_point(a, b, X, c.feature);
          if (!again) continue;
          const bool same = abs(again->distance - c.distance) <= 1e-10 && norm(again->on_a - c.on_a) <= 1e-6;
          if (same) ++followed;
        }
        CHECK(features.size() == static_cast<std::size_t>(m.count));
        CHECK(abs(least - s.distance) <= 2e-9);
      }
    }
  }
  MESSAGE("points " << points << " followed " << followed);
}
