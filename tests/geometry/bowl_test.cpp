#include "pintle/geometry/shapes/bowl.h"

#include "geometry/contact_shapes.h"
#include "pintle/base/usage_error.h"
#include "pintle/geometry/broad_phase/world_box.h"
#include "pintle/geometry/collision/contact_feature.h"
#include "pintle/geometry/ray/ray_cast.h"

using namespace test;

namespace {

// A random point of the shell.
Vec3<> on_shell(RandomStream& stream, const Bowl& bowl) {
  const double z = stream.uniform(0.0, bowl.depth), turn = stream.uniform(0.0, 6.3);
  const double across = std::sqrt(std::max(z * (2.0 * bowl.radius - z), 0.0));
  return {across * std::cos(turn), across * std::sin(turn), z};
}

// How far a point is off the shell, by a measure that is 0 exactly on it.
double off_shell(const Bowl& bowl, const Vec3<>& p) {
  return std::max(abs(norm(p - Vec3<>{0, 0, bowl.radius}) - bowl.radius), p.z - bowl.depth);
}

Pose<> random_place(RandomStream& stream, const Vec3<>& p) {
  return {rotation_matrix(uniform_rotation(stream)), p};
}

}  // namespace

TEST_CASE("bowl: a ball is as far from it as from its nearest point, inside, outside and at the rim") {
  RandomStream stream(11, 0);
  int inside = 0, outside_of = 0, rim = 0;
  for (int k = 0; k < 3000; ++k) {
    const double R = stream.uniform(0.2, 2.0);
    const Bowl bowl{R, k % 5 == 0 ? 2.0 * R : stream.uniform(0.05, 1.95) * R};
    const Sphere ball{stream.uniform(0.01, 0.5) * R};
    const Pose<> X = random_place(stream, random_vector(stream, 1.5 * R) + Vec3<>{0, 0, R});
    const Separation s = separation(bowl, ball, X);
    CHECK(off_shell(bowl, s.on_a) <= 1e-14);
    check_close(norm(s.on_b - X.translation), ball.radius, 64, R);
    check_close(s.on_b - s.on_a, s.distance * s.normal, 64, R);
    for (int i = 0; i < 200; ++i)
      CHECK(norm(on_shell(stream, bowl) - X.translation) - ball.radius >= s.distance - 1e-14);
    const ContactManifold m = contact_manifold(bowl, ball, X, 1e3);
    REQUIRE(m.count == 1);
    const ContactPoint& c = m.points[0];
    CHECK(c.distance == s.distance);
    check_close(c.curvature_b.along, 1.0 / ball.radius, 8, 1.0 / ball.radius);
    const Feature of_bowl = feature_of_a(c.feature);
    if (kind_of(of_bowl) == FeatureKind::rim) {
      ++rim;
      CHECK(c.curvature_a.across == __builtin_inf());
    } else {
      const bool is_inside = number_of(of_bowl) == 0;
      ++(is_inside ? inside : outside_of);
      CHECK(c.curvature_a.along == (is_inside ? -1.0 : 1.0) / R);  // a hollow, or a ball
      CHECK(c.curvature_a.across == c.curvature_a.along);
    }
    const auto again = contact_point(bowl, ball, X, c.feature);
    REQUIRE(again);
    CHECK(again->distance == c.distance);
    const Separation other = separation(ball, bowl, inverse(X));
    CHECK(other.distance == doctest::Approx(s.distance).epsilon(1e-13));
    check_close(X.rotation * other.normal, -s.normal, 1e4, 1.0);  // 1e4: a centre near that of the bowl
  }
  CHECK(inside > 300);
  CHECK(outside_of > 300);
  CHECK(rim > 300);
}

TEST_CASE("bowl: a ball that moves comes nearer as its points of contact do, and the normal turns by the curvature") {
  RandomStream stream(12, 0);
  for (int k = 0; k < 300; ++k) {
    const Bowl bowl{1.0, k % 3 == 0 ? 2.0 : 0.7};
    const Sphere ball{0.2};
    const Vec3<> p = random_vector(stream, 1.2) + Vec3<>{0, 0, 1.0}, v = random_vector(stream, 1.0);
    const ContactPoint c = contact_manifold(bowl, ball, {identity3(), p}, 1e3).points[0];
    const double h = 1e-5;
    const auto after = contact_point(bowl, ball, {identity3(), p + h * v}, c.feature);
    const auto before = contact_point(bowl, ball, {identity3(), p - h * v}, c.feature);
    if (!after || !before) continue;
    CHECK(std::abs((after->distance - before->distance) / (2 * h) - dot(c.normal, v)) <= 1e-6);
    // Offset surface: the ball's centre is at the distance d + r of the shell.
    const double away = c.distance + ball.radius;
    const Vec3<> turn = (after->normal - before->normal) / (2 * h);
    const Vec3<> t = c.curvature_a.direction, b = cross(c.normal, t);
    const auto rate = [&](double curvature) {
      return curvature == __builtin_inf() ? 1.0 / away : curvature / (1.0 + curvature * away);
    };
    CHECK(std::abs(dot(turn, t) - rate(c.curvature_a.along) * dot(v, t)) <= 1e-4 * (1.0 + norm(turn)));
    CHECK(std::abs(dot(turn, b) - rate(c.curvature_a.across) * dot(v, b)) <= 1e-4 * (1.0 + norm(turn)));
  }
}

TEST_CASE("bowl: in a hollow ball a convex shape touches with the points that are farthest from the centre") {
  RandomStream stream(13, 0);
  for (int k = 0; k < 2000; ++k) {
    const int kind = 2 + k % 5;  // box, cylinder, capsule, cone, hull
    const double R = stream.uniform(1.5, 3.0);
    const Bowl bowl{R, 2.0 * R};
    const ContactShape shape = random_convex(stream, kind);
    const Pose<> X = random_place(stream, random_vector(stream, 0.3 * R) + Vec3<>{0, 0, R});
    const Separation s = separation(bowl, shape, X);
    const Vec3<> center{0, 0, R};
    check_close(norm(s.on_b - center), R - s.distance, 64, 4.0);
    CHECK(std::abs(outside(shape, inverse_transform_point(X, s.on_b))) <= 1e-14);
    for (int i = 0; i < 60; ++i) {
      // No point of the shape is beyond a plane at R - d from the centre.
      const Vec3<> n = uniform_direction(stream);
      CHECK(dot(n, X.translation - center) + reach(shape, transpose_times(X.rotation, n)) <= R - s.distance + 1e-13);
    }
    const ContactManifold m = contact_manifold(bowl, shape, X, s.distance + 1e-9);
    REQUIRE(m.count >= 1);
    for (int i = 0; i < m.count; ++i) {
      const ContactPoint& c = m.points.data()[i];
      CHECK(c.curvature_a.along == -1.0 / R);
      const auto again = contact_point(bowl, shape, X, c.feature);
      REQUIRE(again);
      CHECK(again->distance == c.distance);
    }
  }
}

TEST_CASE("bowl: from outside a hollow ball is a ball") {
  RandomStream stream(16, 0);
  const Bowl bowl{1.0, 2.0};
  for (int k = 0; k < 500; ++k) {
    const ContactShape shape = random_convex(stream, 2 + k % 5);
    const Pose<> X = random_place(stream, 2.5 * uniform_direction(stream) + Vec3<>{0, 0, 1});
    const Pose<> X_ball{X.rotation, X.translation - Vec3<>{0, 0, 1}};
    const Separation s = separation(bowl, shape, X), of_ball = separation(Sphere{1.0}, shape, X_ball);
    CHECK(s.distance == of_ball.distance);
    check_close(s.on_a, of_ball.on_a + Vec3<>{0, 0, 1}, 1, 1.0);
    const ContactPoint c = contact_manifold(bowl, shape, X, 10.0).points[0];
    CHECK(c.curvature_a.along == 1.0);
    const auto again = contact_point(bowl, shape, X, c.feature);
    REQUIRE(again);
    check_close(again->distance, c.distance, 1e4, 4.0);
    CHECK(off_shell(bowl, again->on_a) <= 1e-13);
  }
}

TEST_CASE("bowl: what stands in the middle of a hollow ball touches it all around") {
  const Bowl bowl{1.0, 2.0};
  const Box box{{0.6, 0.6, 0.2}};
  const double low = 1.0 - std::sqrt(1.0 - 0.18);  // where the corners of the lower face are on the sphere
  const ContactManifold four = contact_manifold(bowl, box, {identity3(), {0, 0, low + 0.1}}, 1e-9);
  CHECK(four.count == 4);
  const double depth = 1.0 - std::sqrt(1.0 - 0.09);
  const ContactManifold eight = contact_manifold(bowl, Cylinder{0.3, 0.4}, {identity3(), {0, 0, depth + 0.2}}, 1e-9);
  CHECK(eight.count == 8);
  for (int i = 0; i < eight.count; ++i) CHECK(std::abs(eight.points.data()[i].distance) <= 1e-15);
}

TEST_CASE("bowl: rays meet the shell from both sides and pass through the opening") {
  const Bowl bowl{1.0, 0.5};
  const auto down = ray_cast(bowl, {0.1, 0, 3}, {0, 0, -1}, 10.0);
  REQUIRE(down);
  check_close(down->point.z, 1.0 - std::sqrt(0.99), 8, 1.0);
  CHECK(down->normal.z > 0.9);
  CHECK(!ray_cast(bowl, {-3, 0, 0.6}, {1, 0, 0}, 10.0));
  const auto side = ray_cast(bowl, {-3, 0, 0.4}, {1, 0, 0}, 10.0);
  REQUIRE(side);
  check_close(side->distance, 3.0 - 0.8, 8, 1.0);
  CHECK(side->normal.x < 0.0);
  RandomStream stream(14, 0);
  for (int k = 0; k < 1000; ++k) {
    const Vec3<> origin = random_vector(stream, 2.0), to = on_shell(stream, bowl);
    const double length = norm(to - origin);
    const auto hit = ray_cast(bowl, origin, (to - origin) / length, 10.0);
    REQUIRE(hit);
    CHECK(hit->distance <= length + 1e-12);
    CHECK(off_shell(bowl, hit->point) <= 1e-13);
    CHECK(dot(hit->normal, to - origin) <= 1e-9);
  }
}

TEST_CASE("bowl: the box around it is the smallest") {
  RandomStream stream(15, 0);
  for (int k = 0; k < 200; ++k) {
    const double R = stream.uniform(0.2, 2.0);
    const Bowl bowl{R, k % 4 == 0 ? 2.0 * R : stream.uniform(0.1, 1.9) * R};
    const Pose<> X = random_place(stream, random_vector(stream, 1.0));
    const BoundingBox box = world_box(bowl, X, 0.0);
    double highest = -1e300;
    for (int i = 0; i < 3000; ++i) {
      const Vec3<> p = transform_point(X, on_shell(stream, bowl));
      CHECK(p.z <= box.max.z + 1e-14);
      CHECK(p.x >= box.min.x - 1e-14);
      highest = std::max(highest, p.z);
    }
    CHECK(highest >= box.max.z - 0.05 * R);
  }
}

TEST_CASE("bowl: sizes that cannot be, and pairs without queries, are told") {
  CHECK(check(ContactShape(Bowl{1.0, 2.0})).empty());
  CHECK(has_errors(check(ContactShape(Bowl{1.0, 2.1}))));
  CHECK(has_errors(check(ContactShape(Bowl{-1.0, 0.5}))));
  CHECK(has_errors(check(ContactShape(Bowl{1.0, 0.0}))));
  const ContactShape open = Bowl{1.0, 1.0}, closed = Bowl{1.0, 2.0}, box = Box{{1, 1, 1}}, egg = Ellipsoid{{1, 2, 3}};
  CHECK(can_touch(open, Sphere{0.1}));
  CHECK(can_touch(Sphere{0.1}, open));
  CHECK(can_touch(closed, box));
  CHECK(!can_touch(open, box));
  CHECK(!can_touch(egg, closed));
  CHECK(!can_touch(open, closed));
  CHECK(!can_touch(HalfSpace{}, closed));
  CHECK(no_query(closed, box).why.empty());
  CHECK(no_query(box, open).fix.find("twice the radius") != std::string::npos);
  CHECK(no_query(closed, egg).why.find("ellipsoid") != std::string::npos);
  CHECK_THROWS_AS(separation(open, box, identity_pose<double>()), UsageError);
}
