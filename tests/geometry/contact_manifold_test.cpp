#include "pintle/geometry/collision/contact_manifold.h"

#include <limits>
#include <set>

#include "geometry/contact_shapes.h"
#include "pintle/base/usage_error.h"
#include "pintle/geometry/collision/contact_feature.h"
#include "pintle/spatial/exp_log.h"

using namespace test;

namespace {

Pose<> at(double x, double y, double z) {
  return {identity3<double>(), {x, y, z}};
}

// Turned about y, so that its z axis lies along x.
Mat3<> lying() {
  return rotation_y(0.0, 1.0);
}

void check_valid(const ContactManifold& m, double size) {
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
  check_valid(m, 4.0);
  return m;
}

// The largest distance between two of its points.
double spread(const ContactManifold& m) {
  double farthest = 0.0;
  for (int i = 0; i < m.count; ++i)
    for (int j = 0; j < i; ++j) farthest = std::max(farthest, norm(m.points.data()[i].on_a - m.points.data()[j].on_a));
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
      CHECK(m.points.data()[i].curvature_b.along == kInfinity<double>);
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
    CHECK(one.points[0].curvature_b.across == kInfinity<double>);
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
    // Turned by 45 degrees and as large: an patch polygon.
    const double half = std::sqrt(0.5);
    const ContactManifold patch_polygon = manifold_of(slab, slab, {rotation_z(half, half), {0, 0, 0.2}});
    CHECK(patch_polygon.count == 8);
    for (int i = 0; i < patch_polygon.count; ++i) CHECK(abs(patch_polygon.points.data()[i].distance) <= 1e-15);
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
  for (int i = 0; i < kConvexKinds; ++i) {
    for (int j = 0; j < kConvexKinds; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      for (int k = 0; k < 200; ++k) {
        const ContactShape a = random_convex(stream, i), b = random_convex(stream, j);
        Pose<> X = random_pose(stream, 1.0);
        const Separation far = separation(a, b, X);
        X.translation += (1e-4 - far.distance) * far.normal;
        const Separation s = separation(a, b, X);
        const ContactManifold m = contact_manifold(a, b, X, 1e-3);
        REQUIRE(m.count > 0);
        double least = 1e300;
        std::set<std::uint64_t> features;
        for (int p = 0; p < m.count; ++p) {
          const ContactPoint& c = m.points.data()[p];
          least = std::min(least, c.distance);
          features.insert(c.feature);
          const auto again = contact_point(a, b, X, c.feature);
          REQUIRE(again);
          CHECK(abs(again->distance - c.distance) <= 1e-12);
          CHECK(norm(again->normal - c.normal) <= 1e-9);
          CHECK(again->feature == c.feature);
        }
        CHECK(features.size() == static_cast<std::size_t>(m.count));
        CHECK(abs(least - s.distance) <= 2e-9);
      }
    }
  }
}

TEST_CASE("contact points: the rate of each gap is the normal velocity of its points") {
  RandomStream stream(22);
  int checked = 0;
  const auto check = [&](const ContactShape& a, const ContactShape& b, const Pose<>& X, const ContactPoint& c) {
    const Twist<> V{random_vector(stream, 1.0), random_vector(stream, 1.0)};  // of B in A, at A's origin
    const double h = 1e-5;
    const auto before = contact_point(a, b, exp(-h * V) * X, c.feature);
    const auto after = contact_point(a, b, exp(h * V) * X, c.feature);
    if (!before || !after) return;  // a point near the bounds of its feature has left it
    const double rate = (after->distance - before->distance) / (2 * h);
    const double expected = dot(c.normal, V.linear + cross(V.angular, c.on_b));
    CHECK(abs(rate - expected) <= 1e-5);  // h^2 v^3/gap^2 where two corners pass each other
    ++checked;
  };
  for (int i = 0; i < kConvexKinds; ++i) {
    for (int j = 0; j < kConvexKinds; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      for (int k = 0; k < 40; ++k) {
        const ContactShape a = random_convex(stream, i), b = random_convex(stream, j);
        Pose<> X = random_pose(stream, 1.0);
        const Separation far = separation(a, b, X);
        X.translation += (0.01 - far.distance) * far.normal;
        const ContactManifold m = contact_manifold(a, b, X, 0.02);
        for (int p = 0; p < m.count; ++p) check(a, b, X, m.points.data()[p]);
      }
    }
    for (int k = 0; k < 40; ++k) {
      const ContactShape b = random_convex(stream, i);
      const Pose<> X = random_pose(stream, 1.0);
      const ContactManifold m = contact_manifold(HalfSpace{}, b, X, 3.0);
      for (int p = 0; p < m.count; ++p) check(HalfSpace{}, b, X, m.points.data()[p]);
    }
  }
  CHECK(checked > 2000);
}

TEST_CASE("contact points: what lies flat keeps its gaps and rates when it tips") {
  // Each point of a resting body is followed while the body tips by a little: its own gap, not that of the lowest.
  RandomStream stream(23);
  const std::vector<ContactShape> bodies{Box{{0.4, 0.6, 0.8}}, Cylinder{0.3, 0.8}, Cone{0.3, 0.8}};
  for (const ContactShape& ground : {ContactShape{HalfSpace{}}, ContactShape{Box{{1.0, 1.0, 0.2}}}}) {
    for (const ContactShape& body : bodies) {
      CAPTURE(name(ground));
      CAPTURE(name(body));
      const double top = bounding_box(ground).max.z;
      for (const double x : {0.0, 0.41}) {  // within the ground's face, and over its edge
        const Pose<> X = at(x, 0.02, top - bounding_box(body).min.z);
        const ContactManifold m = contact_manifold(ground, body, X, 1e-6);
        CHECK(m.count >= 4);
        const Twist<> V{random_vector(stream, 1.0), random_vector(stream, 1.0)};
        for (int p = 0; p < m.count; ++p) {
          const ContactPoint& c = m.points.data()[p];
          const double h = 1e-6;
          const auto before = contact_point(ground, body, exp(-h * V) * X, c.feature);
          const auto after = contact_point(ground, body, exp(h * V) * X, c.feature);
          REQUIRE(before);
          REQUIRE(after);
          const double rate = (after->distance - before->distance) / (2 * h);
          CHECK(abs(rate - dot(c.normal, V.linear + cross(V.angular, c.on_b))) <= 1e-8);
        }
      }
    }
  }
}

TEST_CASE("contact points: the normal turns along a surface as its curvatures say") {
  RandomStream stream(24);
  int smooth = 0, sharp = 0;
  for (int kind = 0; kind < kConvexKinds; ++kind) {
    CAPTURE(kind);
    for (int k = 0; k < 200; ++k) {
      const ContactShape ball = Sphere{0.2}, b = random_convex(stream, kind);
      const Pose<> X = random_pose(stream, 2.0);
      const ContactManifold m = contact_manifold(ball, b, X, 10.0);
      REQUIRE(m.count == 1);
      const ContactPoint& c = m.points[0];
      if (c.distance < 0.05) continue;
      const Vec3<> u = c.curvature_b.direction, v = cross(c.normal, u);
      const double h = 1e-6;
      for (const Vec3<>& way : {u, v}) {
        const Pose<> moved{X.rotation, X.translation + h * way};
        const auto near = contact_point(ball, b, moved, c.feature);
        if (!near) continue;
        // Along `way` on B, and how much its outward normal turns to that side.
        const Vec3<> along = (near->on_b - c.on_b) - h * way, turned = c.normal - near->normal;
        const double kappa_u = c.curvature_b.along, kappa_v = c.curvature_b.across;
        for (const auto& [direction, kappa] : {std::pair{u, kappa_u}, std::pair{v, kappa_v}}) {
          if (kappa == kInfinity<double>) {
            CHECK(abs(dot(along, direction)) <= 1e-5 * h);
            ++sharp;
          } else {
            CHECK(abs(dot(turned, direction) - kappa * dot(along, direction)) <= 1e-3 * h);
            ++smooth;
          }
        }
      }
    }
  }
  CHECK(smooth > 1000);
  CHECK(sharp > 500);
}

TEST_CASE("contact points: features stay the same while bodies slide and roll") {
  const Box slab{{2.0, 2.0, 0.2}};
  const auto features = [&](const ContactShape& a, const ContactShape& b, const Pose<>& X) {
    std::set<std::uint64_t> set;
    const ContactManifold m = contact_manifold(a, b, X, 1e-6);
    for (int i = 0; i < m.count; ++i) set.insert(m.points.data()[i].feature);
    return set;
  };
  const Box box{{0.4, 0.6, 0.8}};
  const Cylinder roller{0.3, 0.8};
  for (const ContactShape& ground : {ContactShape{HalfSpace{}}, ContactShape{slab}}) {
    const double top = bounding_box(ground).max.z;
    const auto box_features = features(ground, box, at(0, 0, top + 0.4));
    const Pose<> start{lying(), {0, 0, top + 0.3}};
    const auto roller_features = features(ground, roller, start);
    CHECK(box_features.size() == 4);
    CHECK(roller_features.size() == 2);
    for (int k = 1; k <= 20; ++k) {
      const double s = 0.01 * k, angle = 0.05 * k;
      const Pose<> turned{rotation_z(std::cos(angle), std::sin(angle)), {s, -s, top + 0.4}};
      CHECK(features(ground, box, turned) == box_features);
      const Pose<> rolled{rotation_x(std::cos(angle), std::sin(angle)) * lying(), {0, -0.3 * angle, top + 0.3}};
      CHECK(features(ground, roller, rolled) == roller_features);
    }
  }
}

TEST_CASE("contact manifolds: exchanging the shapes exchanges the points") {
  RandomStream stream(25);
  for (int i = 0; i < kConvexKinds; ++i) {
    for (int j = 0; j < kConvexKinds; ++j) {
      if (i == j) continue;
      const ContactShape a = random_convex(stream, i), b = random_convex(stream, j);
      Pose<> X = random_pose(stream, 1.0);
      const Separation far = separation(a, b, X);
      X.translation += -far.distance * far.normal;
      const ContactManifold m = contact_manifold(a, b, X, 1e-3), t = contact_manifold(b, a, inverse(X), 1e-3);
      REQUIRE(m.count == t.count);
      for (int p = 0; p < m.count; ++p) {
        const ContactPoint &c = m.points.data()[p], &d = t.points.data()[p];
        CHECK(c.feature == exchanged(d.feature));
        CHECK(abs(c.distance - d.distance) <= 1e-13);
        CHECK(norm(c.normal + X.rotation * d.normal) <= 1e-9);
        const double k = c.curvature_a.along, l = d.curvature_b.along;
        CHECK((k == l || abs(k - l) <= 1e-9 * k));
      }
    }
  }
}

TEST_CASE("contact manifolds: pairs without a query, features of other shapes") {
  CHECK_THROWS_AS(contact_manifold(HalfSpace{}, HalfSpace{}, at(0, 0, 0), 1.0), UsageError);
  CHECK_THROWS_AS(contact_point(HalfSpace{}, HeightField{}, at(0, 0, 0), 0), UsageError);
  const std::uint64_t rim = feature_pair(feature(FeatureKind::plane), feature(FeatureKind::rim));
  CHECK(contact_point(HalfSpace{}, Cylinder{0.3, 0.8}, {lying(), {0, 0, 1}}, rim));
  CHECK_FALSE(contact_point(HalfSpace{}, Box{{1, 1, 1}}, at(0, 0, 1), rim));
  CHECK_FALSE(contact_point(HalfSpace{}, Box{{1, 1, 1}}, at(0, 0, 1), 0));
  CHECK_FALSE(contact_point(Box{{1, 1, 1}}, Box{{1, 1, 1}}, at(0, 0, 1), ~std::uint64_t{0}));
  CHECK(contact_manifold(Sphere{1.0}, Sphere{1.0}, at(0, 0, 3), 0.5).count == 0);
}
