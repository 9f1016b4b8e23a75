#include "pintle/constraints/contact_rows.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/base/random.h"
#include "pintle/geometry/collision/contact_manifold.h"
#include "pintle/model/compiled/configuration.h"

using namespace pintle;

namespace {

/// Two bodies that float free.
Model two_bodies() {
  ModelSpec spec;
  for (const char* const name : {"a", "b"}) {
    BodySpec body;
    body.name = name;
    body.inertia = {2.0, {0, 0, 0}, {0.1, 0, 0, 0.2, 0, 0.15}};
    spec.bodies.push_back(body);
    JointSpec joint;
    joint.name = joint.child = name;
    joint.parent = kWorld;
    joint.kind = JointKind::free;
    spec.joints.push_back(joint);
  }
  return compile(spec).value();
}

Mat3<> frame_along(const Vec3<>& n) {
  const Vec3<> helper = std::abs(n.x) < 0.6 ? Vec3<>{1, 0, 0} : Vec3<>{0, 1, 0};
  const Vec3<> t = normalized(cross(n, helper));
  return from_columns(n, t, cross(n, t));
}

TangentCurvature in_tangents(const SurfaceCurvature& curvature, const Mat3<>& R) {
  const Vec3<> d = transpose_times(R, curvature.direction);
  const double size = std::hypot(d.y, d.z);
  if (size == 0.0) return {{1, 0}, curvature.along, curvature.across};
  return {{d.y / size, d.z / size}, curvature.along, curvature.across};
}

struct Pair {
  const char* name;
  ContactShape a, b;
};

/// A motion of both bodies with a constant rate of its numbers.
struct Motion {
  const Model& model;
  std::vector<double> q, v, vdot;
  KinematicsWorkspace places;

  explicit Motion(const Model& of) : model(of), q(14), v(12), vdot(12), places(of) {}

  /// The state after a time; `places` are there.
  void go(double t, std::vector<double>& v_then) {
    std::vector<double> way(12), q_then(14);
    v_then.resize(12);
    for (std::size_t i = 0; i < 12; ++i) {
      way[i] = v[i] * t + 0.5 * vdot[i] * t * t;
      v_then[i] = v[i] + vdot[i] * t;
    }
    integrate(model, q, way, q_then);
    kinematics(model, q_then, v_then, vdot, places);
  }
};

ContactFrame contact_frame_of(const ContactPoint& point, const Pose<>& X_AB) {
  const Mat3<> R = frame_along(point.normal);
  ContactFrame touch;
  touch.link_a = 0;
  touch.link_b = 1;
  touch.X_AC = {R, point.on_a};
  touch.X_BC = inverse(X_AB) * Pose<>{R, point.on_b};
  touch.a = in_tangents(point.curvature_a, R);
  touch.b = in_tangents(point.curvature_b, R);
  return touch;
}

/// The same of bodies whose surfaces move: vectors in the axes of each body.
ContactFrame contact_frame_of(const ContactPoint& point, const Pose<>& X_AB, const SurfaceVelocity& a,
                              const SurfaceVelocity& b) {
  ContactFrame touch = contact_frame_of(point, X_AB);
  touch.surfaces_move = a.moves() || b.moves();
  touch.surface_a = {transpose_times(touch.X_AC.rotation, a.linear), transpose_times(touch.X_AC.rotation, a.around)};
  touch.surface_b = {transpose_times(touch.X_BC.rotation, b.linear), transpose_times(touch.X_BC.rotation, b.around)};
  return touch;
}

}  // namespace

TEST_CASE("contact rows: speeds and their rates are those of the gap and of the point that migrates") {
  const Pair pairs[] = {
      {"sphere on ellipsoid", Ellipsoid{{0.3, 0.2, 0.5}}, Sphere{0.2}},
      {"ellipsoids", Ellipsoid{{0.3, 0.2, 0.5}}, Ellipsoid{{0.4, 0.3, 0.2}}},
      {"sphere on face", Box{{1.0, 2.0, 0.5}}, Sphere{0.2}},
      {"boxes: corner on face, or edges", Box{{1.0, 0.7, 0.5}}, Box{{0.4, 0.3, 0.2}}},
      {"sphere on side of cylinder", Cylinder{0.3, 2.0}, Sphere{0.2}},
      {"corner on ellipsoid, or edge", Ellipsoid{{0.7, 0.8, 0.9}}, Box{{0.4, 0.3, 0.2}}},
      {"rim on ellipsoid", Ellipsoid{{0.7, 0.8, 0.9}}, Cylinder{0.3, 0.4}},
  };
  const Model model = two_bodies();
  RandomStream streams[] = {RandomStream(3, 0), RandomStream(3, 0)}, belts(4, 0);
  const double h = 1e-4;
  double worst_speed = 0.0, worst_rate = 0.0, worst_slip = 0.0;
  int counted = 0;
  for (const Pair& pair : pairs) {
    for (int i = 0; i < 80; ++i) {
      RandomStream& stream = streams[i % 2];  // every motion twice, with and without conveyor belts
      SurfaceVelocity surface_a, surface_b;
      if (i % 2 == 1) {
        for (Vec3<>* const part : {&surface_a.linear, &surface_a.around, &surface_b.linear, &surface_b.around})
          *part = {belts.uniform(-1, 1), belts.uniform(-1, 1), belts.uniform(-1, 1)};
      }
      Motion motion(model);
      for (double& x : motion.v) x = stream.uniform(-1, 1);
      for (double& x : motion.vdot) x = stream.uniform(-1, 1);
      for (std::size_t body = 0; body < 2; ++body) {
        Quaternion<> turn{stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)};
        turn = normalized(turn);
        const double numbers[7] = {
            stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1), turn.x, turn.y, turn.z, turn.w};
        for (std::size_t k = 0; k < 7; ++k) motion.q[7 * body + k] = numbers[k];
      }
      std::vector<double> v(12);
      const auto between = [&] { return inverse_times(motion.places.X_WL[0], motion.places.X_WL[1]); };
      motion.go(0.0, v);
      // B is moved until it touches.
      const Separation apart = separation(pair.a, pair.b, between());
      const Vec3<> back = motion.places.X_WL[0].rotation * (apart.distance * apart.normal);
      motion.q[7] -= back.x, motion.q[8] -= back.y, motion.q[9] -= back.z;
      motion.go(0.0, v);
      const ContactManifold manifold = contact_manifold(pair.a, pair.b, between(), 1e-9);
      REQUIRE(manifold.count >= 1);
      const ContactPoint now = manifold.points[0];
      const ContactFrame touch = contact_frame_of(now, between(), surface_a, surface_b);
      // Closed, as contacts are: what B has of an approach is taken away.
      const double approach = contact_frame_motion(motion.places, touch).speed.x;
      const Vec3<> n_B = column(touch.X_BC.rotation, 0);
      motion.v[6] -= approach * n_B.x, motion.v[7] -= approach * n_B.y, motion.v[8] -= approach * n_B.z;
      motion.go(0.0, v);
      const ContactFrameMotion found = contact_frame_motion(motion.places, touch);
      REQUIRE(found.determined);
      double gap[2] = {};
      Vec3<> slip[2];
      bool followed = true;
      for (int side = 0; side < 2; ++side) {
        motion.go(side == 0 ? -h : h, v);
        const auto then = contact_point(pair.a, pair.b, between(), now.feature);
        followed = followed && then.has_value();
        if (!followed) break;
        gap[side] = then->distance;
        const ContactFrame moved = contact_frame_of(*then, between(), surface_a, surface_b);
        slip[side] = moved.X_AC.rotation * contact_frame_motion(motion.places, moved).speed;
      }
      if (!followed) continue;
      ++counted;
      worst_speed = std::max(worst_speed, std::abs((gap[1] - gap[0]) / (2 * h) - found.speed.x));
      worst_rate = std::max(worst_rate, std::abs((gap[1] - 2 * now.distance + gap[0]) / (h * h) - found.speed_rate.x));
      const Vec3<> rate = transpose_times(touch.X_AC.rotation, (slip[1] - slip[0]) / (2 * h));
      worst_slip = std::max(worst_slip, std::abs(rate.y - found.speed_rate.y) + std::abs(rate.z - found.speed_rate.z));
    }
  }
  CHECK(counted > 400);
  // By differences over 1e-4 s; seen: 1.3e-7, 7e-6, 8e-7.
  CHECK(worst_speed <= 1e-5);
  CHECK(worst_rate <= 1e-4);
  CHECK(worst_slip <= 1e-4);
}

TEST_CASE("contact rows: the slip of surfaces that move is against them, and their gap does not notice") {
  const Model model = two_bodies();
  RandomStream stream(5, 0);
  Motion motion(model);
  for (double& x : motion.v) x = stream.uniform(-1, 1);
  motion.q = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0.5, 0, 0, 0, 1};
  std::vector<double> v;
  motion.go(0.0, v);
  const Pose<> X_AB = inverse_times(motion.places.X_WL[0], motion.places.X_WL[1]);
  const ContactPoint point = contact_manifold(Box{{1, 1, 0.6}}, Sphere{0.2}, X_AB, 1e-9).points[0];
  const ContactFrame still = contact_frame_of(point, X_AB);
  const Vec3<> on_a{0.3, -0.2, 0.7}, axis_b{0.1, 0.4, 0.9};
  const ContactFrame moves = contact_frame_of(point, X_AB, {on_a, {0, 0, 0}}, {{0, 0, 0}, axis_b});
  const Twist<> u = contact_velocity(motion.places, still), slip = contact_velocity(motion.places, moves);
  // n = z of A: of on_a what is along x and y counts, and around b, whose normal is -z, runs axis_b x -z.
  const Vec3<> expected = Vec3<>{-axis_b.y, axis_b.x, 0.0} - Vec3<>{on_a.x, on_a.y, 0.0};
  CHECK(norm(moves.X_AC.rotation * (slip.linear - u.linear) - expected) <= 1e-15);
  CHECK(norm(slip.angular - u.angular) == 0.0);
  const ContactFrameMotion of_still = contact_frame_motion(motion.places, still);
  const ContactFrameMotion of_moving = contact_frame_motion(motion.places, moves);
  CHECK(norm(of_moving.speed - slip.linear) <= 1e-15);
  CHECK(of_moving.speed_rate.x == of_still.speed_rate.x);
  CHECK(of_moving.over_a == of_still.over_a);
  CHECK(of_moving.over_b == of_still.over_b);
}

TEST_CASE("contact rows: a rolling ball does not feel its own turning, and a bowl presses") {
  // Of B = a ball of radius r on A, the world; the point of contact is the lowest of the ball. In C x is up.
  const Model model = two_bodies();
  const double r = 0.2, v = 1.5;
  std::vector<double> q{0, 0, 5, 0, 0, 0, 1, 0, 0, r, 0, 0, 0, 1}, speeds(12), derivatives(12);
  speeds[6] = v;               // along world x
  speeds[10] = v / r;          // about world y: it rolls
  derivatives[8] = v * v / r;  // in the turning axes of the ball; its centre does not accelerate
  KinematicsWorkspace places(model);
  kinematics(model, q, speeds, derivatives, places);
  ContactFrame touch;
  touch.link_b = 1;
  const Mat3<> up = from_columns(Vec3<>{0, 0, 1}, Vec3<>{1, 0, 0}, Vec3<>{0, 1, 0});
  touch.X_AC = {up, {0, 0, 0}};
  touch.X_BC = {up, {0, 0, -r}};
  touch.b = {{1, 0}, 1 / r, 1 / r};
  ContactFrameMotion motion = contact_frame_motion(places, touch);
  CHECK(std::abs(motion.speed.y) <= 1e-15);
  CHECK(std::abs(motion.speed_rate.x) <= 1e-13);  // on a plane the normal force is m g
  CHECK(motion.over_b[0] == doctest::Approx(v).epsilon(1e-14));
  for (const double R : {0.5, 2.0}) {
    touch.a = {{1, 0}, -1 / R, -1 / R};
    motion = contact_frame_motion(places, touch);
    // Held in a bowl of radius R the centre has the acceleration v^2/(R - r) upwards: without it the gap closes so
    // fast.
    CHECK(motion.speed_rate.x == doctest::Approx(-v * v / (R - r)).epsilon(1e-13));
  }
  touch.a = {{1, 0}, 0.0, kInfinity<double>};
  CHECK(contact_frame_motion(places, touch).determined);
  touch.b = {{1, 0}, 0.0, 0.0};
  CHECK_FALSE(contact_frame_motion(places, touch).determined);
}
