#include "pintle/geometry/collision/separation.h"

#include "geometry/contact_shapes.h"
#include "pintle/base/usage_error.h"
#include "pintle/spatial/exp_log.h"

using namespace test;

namespace {

// What proves a separation without trusting its search: the points lie in the shapes, they are `distance` apart along
// the normal, and along the normal the shapes are as far apart as that. No shorter way can then exist between separate
// shapes, and moving overlapping ones by the depth along the normal parts them.
struct Proof {
  double outside, apart, along;
};

Proof proof_of(const Separation& s, const ContactShape& a, const ContactShape& b, const Pose<>& X_AB) {
  return {std::max(outside(a, s.on_a), outside(b, inverse_transform_point(X_AB, s.on_b))),
          norm(s.on_b - s.on_a - s.distance * s.normal), abs(gap_along(a, b, X_AB, s.normal) - s.distance)};
}

void check_proof(const Separation& s, const ContactShape& a, const ContactShape& b, const Pose<>& X_AB,
                 double allowed) {
  const Proof p = proof_of(s, a, b, X_AB);
  CHECK_MESSAGE(p.outside <= allowed, "a point is outside by ", p.outside, ", allowed ", allowed);
  CHECK_MESSAGE(p.apart <= allowed, "points and distance differ by ", p.apart, ", allowed ", allowed);
  CHECK_MESSAGE(p.along <= allowed, "normal and distance differ by ", p.along, ", allowed ", allowed);
  check_close(norm(s.normal), 1.0, 8, 1.0);
}

Pose<> at(double x, double y, double z) {
  return {identity3<double>(), {x, y, z}};
}

}  // namespace

TEST_CASE("separation: 1e5 random pairs of all convex kinds are proved by points and normals") {
  RandomStream stream(1);
  for (int i = 0; i < kConvexKinds; ++i) {
    for (int j = 0; j < kConvexKinds; ++j) {
      Proof worst{0.0, 0.0, 0.0};
      double missed = 0.0;
      int overlapping = 0;
      for (int k = 0; k < 2050; ++k) {
        const ContactShape a = random_convex(stream, i), b = random_convex(stream, j);
        const Pose<> X = random_pose(stream, k % 2 ? 1.5 : 0.7);
        const Separation s = separation(a, b, X);
        const Proof p = proof_of(s, a, b, X);
        worst = {std::max(worst.outside, p.outside), std::max(worst.apart, p.apart), std::max(worst.along, p.along)};
        // That no other way out is shorter, only a search over all normals shows.
        if (s.distance < 0.0 && ++overlapping % 30 == 0)
          missed = std::max(missed, largest_gap(a, b, X, stream, 400) - s.distance);
      }
      CAPTURE(i);
      CAPTURE(j);
      // Sizes of 1; the worst seen are 1e-14 (closed forms) and 7e-13 (where Newton's method finds the features).
      CHECK(worst.outside <= 1e-11);
      CHECK(worst.apart <= 1e-11);
      CHECK(worst.along <= 1e-11);
      CHECK(missed <= 1e-11);
      CHECK(overlapping > 300);
    }
  }
}

TEST_CASE("separation: touching shapes and ones a hair apart or in each other") {
  RandomStream stream(2);
  for (int i = 0; i < kConvexKinds; ++i) {
    for (int j = 0; j < kConvexKinds; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      for (int k = 0; k < 60; ++k) {
        const ContactShape a = random_convex(stream, i), b = random_convex(stream, j);
        const Pose<> X = random_pose(stream, 1.5);
        const Separation far = separation(a, b, X);
        if (far.distance < 0.01) continue;
        for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-12, -1e-9, -1e-6, -1e-4}) {
          Pose<> near = X;
          near.translation += (gap - far.distance) * far.normal;
          const Separation s = separation(a, b, near);
          CAPTURE(gap);
          CHECK(s.distance >= gap - 1e-11);
          CHECK(s.distance <= std::max(gap, 0.0) + 1e-11);  // a corner that is pushed in may come out sooner sideways
          check_proof(s, a, b, near, 1e-9);
        }
      }
    }
  }
}

TEST_CASE("separation: exchanging the shapes exchanges the answer") {
  RandomStream stream(3);
  for (int i = 0; i < kConvexKinds; ++i) {
    for (int j = 0; j < kConvexKinds; ++j) {
      for (int k = 0; k < 100; ++k) {
        const ContactShape a = random_convex(stream, i), b = random_convex(stream, j);
        const Pose<> X = random_pose(stream, 1.2);
        const Separation s = separation(a, b, X), t = separation(b, a, inverse(X));
        if (i != j) {
          const double scale = 4.0;
          check_close(s.distance, t.distance, 64, scale);
        } else {
          CHECK(abs(s.distance - t.distance) <= 1e-12);
        }
        // The shortest way out is not unique for all depths, so normals are compared where shapes are apart.
        if (s.distance > 1e-3) CHECK(norm(s.normal + X.rotation * t.normal) <= 1e-6);
      }
    }
  }
}

TEST_CASE("separation: needle-thin shapes, 1 km by 1 mm and 1e-4 thin") {
  RandomStream stream(4);
  const std::vector<ContactShape> needles{Box{{1000.0, 0.001, 0.001}}, Cylinder{0.001, 1000.0}, Capsule{0.001, 1000.0},
                                          Cone{0.001, 1000.0},         Box{{1.0, 1.0, 1e-4}},   Cylinder{1.0, 1e-4}};
  const std::vector<ContactShape> others{Sphere{0.5}, Box{{0.3, 0.5, 0.7}}, Cylinder{0.3, 0.9}, Capsule{0.3, 0.9}};
  for (const ContactShape& needle : needles) {
    for (const ContactShape& other : others) {
      CAPTURE(name(needle));
      CAPTURE(name(other));
      for (int k = 0; k < 200; ++k) {
        Pose<> X = random_pose(stream, 2.0);
        const Separation s = separation(needle, other, X);
        check_proof(s, needle, other, X, 4e-9);  // 4e-12 of 1 km
      }
    }
    for (int k = 0; k < 200; ++k) {  // two needles, nearly anywhere along each other
      Pose<> X = random_pose(stream, 0.01);
      X.translation += 100.0 * uniform_direction(stream);
      check_proof(separation(needle, needle, X), needle, needle, X, 1e-8);
    }
  }
}

TEST_CASE("separation: parallel faces, edges and axes") {
  const Box box{{1.0, 1.0, 1.0}};
  for (const double gap : {0.25, 1e-9, 0.0, -1e-9, -0.25}) {
    CAPTURE(gap);
    const auto check = [&](const ContactShape& a, const ContactShape& b, const Pose<>& X) {
      const Separation s = separation(a, b, X);
      check_close(s.distance, gap, 64, 2.0);
      check_proof(s, a, b, X, 1e-13);
    };
    check(box, box, at(0.1, 0.2, 1.0 + gap));
    check(box, box, at(0.0, 0.0, 1.0 + gap));
    check(box, Cylinder{0.3, 0.8}, at(0.1, 0.0, 0.9 + gap));
    check(box, Cylinder{0.3, 0.8}, {rotation_y(0.0, 1.0), {0.1, 0.0, 0.8 + gap}});
    check(box, Capsule{0.3, 0.8}, {rotation_y(0.0, 1.0), {0.1, 0.0, 0.8 + gap}});
    check(box, Cone{0.3, 0.8}, at(0.1, 0.0, 0.5 + gap));
    check(Cylinder{0.5, 1.0}, Cylinder{0.5, 1.0}, at(0.0, 0.0, 1.0 + gap));
    check(Cylinder{0.5, 2.0}, Cylinder{0.5, 2.0}, at(1.0 + gap, 0.0, 0.1));
    check(Capsule{0.5, 1.0}, Capsule{0.5, 1.0}, at(1.0 + gap, 0.0, 0.1));
    check(Sphere{0.5}, Sphere{0.5}, at(0.0, 1.0 + gap, 0.0));
    check(Ellipsoid{{0.5, 0.4, 0.3}}, Ellipsoid{{0.5, 0.4, 0.3}}, at(0.0, 0.0, 0.6 + gap));
    check(*convex_hull(box_mesh({1, 1, 1}).vertices), box, at(0.1, 0.2, 1.0 + gap));
  }
}

TEST_CASE("separation: shapes with one middle, one inside the other, one exactly on the other's axis") {
  RandomStream stream(5);
  for (int i = 0; i < kConvexKinds; ++i) {
    for (int j = 0; j < kConvexKinds; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      const ContactShape a = random_convex(stream, i), b = random_convex(stream, j);
      for (const Pose<>& X : {at(0, 0, 0), at(0, 0, 0.1), at(0.1, 0, 0), at(0, 0, 3), at(3, 0, 0), at(0, -3, 0)}) {
        const Separation s = separation(a, b, X);
        check_proof(s, a, b, X, 1e-9);
        if (s.distance < 0.0) CHECK(largest_gap(a, b, X, stream, 1000) <= s.distance + 1e-9);
      }
    }
  }
}

TEST_CASE("separation: a body far away, 1e6 m, is measured as well as the distance allows") {
  RandomStream stream(6);
  for (int i = 0; i < kConvexKinds; ++i) {
    for (int j = 0; j < kConvexKinds; ++j) {
      const ContactShape a = random_convex(stream, i), b = random_convex(stream, j);
      const Pose<> X{random_pose(stream).rotation, 1e6 * uniform_direction(stream)};
      check_proof(separation(a, b, X), a, b, X, 64 * kEps * 1e6);
    }
  }
}

TEST_CASE("separation: the ground, and pairs without a query") {
  const Separation s = separation(HalfSpace{}, Box{{0.4, 0.6, 0.8}}, at(3, 4, 0.5));
  check_close(s.distance, 0.1, 4, 1.0);
  check_close(s.normal, Vec3<>{0, 0, 1}, 1, 1.0);
  const Separation t = separation(Box{{0.4, 0.6, 0.8}}, HalfSpace{}, at(0, 0, -0.5));
  check_close(t.distance, 0.1, 4, 1.0);
  check_close(t.normal, Vec3<>{0, 0, -1}, 1, 1.0);
  CHECK_FALSE(can_touch(HalfSpace{}, HalfSpace{}));
  CHECK(can_touch(HalfSpace{}, Sphere{1.0}));
  CHECK_THROWS_AS(separation(HalfSpace{}, HalfSpace{}, at(0, 0, 1)), UsageError);
  CHECK_THROWS_AS(separation(SurfaceMesh{}, HalfSpace{}, at(0, 0, 1)), UsageError);
}

TEST_CASE("separation: the rate of the distance is the normal velocity of the nearest points") {
  RandomStream stream(7);
  for (int i = 0; i < kConvexKinds; ++i) {
    for (int j = 0; j < kConvexKinds; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      for (int k = 0; k < 20; ++k) {
        const ContactShape a = random_convex(stream, i), b = random_convex(stream, j);
        const Pose<> X = random_pose(stream, 2.0);
        const Separation s = separation(a, b, X);
        if (s.distance < 0.1) continue;  // farther in, the nearest features may change within the step
        const Twist<> V{random_vector(stream, 1.0), random_vector(stream, 1.0)};  // of B in A, at A's origin
        const double h = 1e-5;
        const auto distance = [&](double t) { return separation(a, b, exp(t * V) * X).distance; };
        const double rate = (distance(h) - distance(-h)) / (2 * h);
        const Vec3<> v = V.linear + cross(V.angular, s.on_b);
        CHECK(abs(rate - dot(s.normal, v)) <= 1e-4);  // h times what the normal turns; corners halve the order
      }
    }
  }
}
