#include "pintle/simulation/integrators/free_body.h"

#include <doctest/doctest.h>

#include <cmath>

#include "pintle/simulation/integrators/free_body_impl.h"
#include "pintle/simulation/integrators/stepper.h"
#include "simulation/convergence.h"
#include "simulation/free_body_distance.h"
#include "support/law.h"

using namespace test;

namespace {

constexpr auto kNothing = [](const auto&, const auto& state, const auto&) {
  using T = std::decay_t<decltype(state.position.x)>;
  return zero_wrench<T>();
};

enum class Steps { charted, seed };

template <class T, class WrenchOf>
FreeBodyState<T> one_step(Steps kind, const FreeBody<T>& body, const FreeBodyState<T>& from, T t, T h,
                          WrenchOf&& wrench_of) {
  return kind == Steps::seed ? rk4_quaternion_step(body, from, t, h, wrench_of) : rk4_step(body, from, t, h, wrench_of);
}

/// n steps over a time.
template <class WrenchOf>
FreeBodyState<> after_steps(Steps kind, const FreeBody<>& body, FreeBodyState<> state, double duration, int n,
                            WrenchOf&& wrench_of) {
  const double h = duration / n;
  for (int i = 0; i < n; ++i) state = one_step(kind, body, state, i * h, h, wrench_of);
  return state;
}

const Vec3<> kOffCenter{0.05, -0.1, 0.2};

FreeBody<> some_body() {
  return free_body(2.0, kOffCenter, diagonal(Vec3<>{0.02, 0.03, 0.045}));
}

FreeBodyState<> some_state(const FreeBody<>& body) {
  FreeBodyState<> state{{0.3, -0.2, 0.5}, normalized(Quaternion<>{0.1, 0.3, -0.2, 0.9}), {}};
  state.momentum = momentum(body, state.orientation, Twist<>{{0.4, -0.3, 0.2}, {1.0, 2.0, -0.7}});
  return state;
}

/// Depends on time, place, orientation and speed.
constexpr auto kSpringsAndDrag = [](double t, const FreeBodyState<>& state, const Twist<>& V) {
  const Vec3<> hook = rotate(state.orientation, Vec3<>{0.1, 0.2, 0.0});
  const Vec3<> force = -3.0 * (state.position + hook) - 0.5 * V.linear + t * Vec3<>{0.2, 0.1, 0.0};
  return Wrench<>{force, cross(hook, force) - 0.01 * V.angular};
};

}  // namespace

TEST_CASE_TEMPLATE("free body: momentum and velocity are each other's inverse, and those of a spatial inertia", T,
                   PINTLE_EVERY_SCALAR) {
  for_random<T>([](Sampler<T>& sampler) {
    const SpatialInertia<T> I = sampler.inertia();
    const FreeBody<T> body = free_body(I);
    const Quaternion<T> q = sampler.unit_quaternion();
    const Twist<T> V = sampler.twist();
    const Vec3<T> r = sampler.vec3();
    const Momentum<T> M = momentum(body, q, V);
    // The inertia's condition is below 40, and it is formed by a difference of terms ten times its size.
    check_close<T>(velocity(body, FreeBodyState<T>{r, q, M}), V, 400.0);
    const Mat3<T> R = rotation_matrix(q);
    const Wrench<T> in_body = I * Twist<T>{transpose_times(R, V.linear), transpose_times(R, V.angular)};
    check_close<T>(M, Momentum<T>{R * in_body.force, R * in_body.torque}, 100.0);
    const T energy = kinetic_energy(body, FreeBodyState<T>{r, q, M});
    check_close<T>(energy, base_t<T>(0.5) * dot(V, M), 1000.0);
  });
}

TEST_CASE("free body: both steps are of order 4, under forces of time, place, orientation and speed") {
  const FreeBody<> body = some_body();
  const FreeBodyState<> start = some_state(body);
  const double duration = 0.5;
  const FreeBodyState<> exact = after_steps(Steps::charted, body, start, duration, 4096, kSpringsAndDrag);
  for (const Steps kind : {Steps::charted, Steps::seed}) {
    double errors[6];
    for (int i = 0; i < 6; ++i)
      errors[i] = apart(after_steps(kind, body, start, duration, 8 << i, kSpringsAndDrag), exact);
    CHECK(std::abs(slope(errors) - 4.0) <= 0.1);
  }
}

TEST_CASE("free body: in free flight p holds to the bit, L_b + r_b x p to rounding, over 10^6 steps about any point") {
#ifdef NDEBUG
  const int steps = 1000000;
#else
  const int steps = 20000;  // with assertions or under sanitizers, for time's sake
#endif
  const double h = 1e-3;
  for (const Steps kind : {Steps::charted, Steps::seed}) {
    for (const Vec3<>& center : {kOffCenter, Vec3<>{0, 0, 0}}) {
      const FreeBody<> body = free_body(2.0, center, diagonal(Vec3<>{0.02, 0.03, 0.045}));
      const FreeBodyState<> start = some_state(body);
      FreeBodyState<> state = start;
      const double energy = kinetic_energy(body, start);
      for (int i = 0; i < steps; ++i) state = one_step(kind, body, state, i * h, h, kNothing);
      const Momentum<> before = momentum_about_origin(start), now = momentum_about_origin(state);
      CHECK(largest(now.linear - before.linear) == 0.0);
      // Every step rounds r_b (up to |v| t long) and L_b once, by half a unit in the last place at most. About a point
      // off the centre of mass the roundings are a random walk, so the square root of the steps counts; about the
      // centre r_b grows by the same number in every step, whose rounding repeats itself, so all steps count. Seen:
      // 0.16 and 0.07 of the bounds.
      const bool repeats = norm(center) == 0.0;
      const double size = norm(start.momentum.linear) * norm(state.position) + norm(start.momentum.angular);
      const double roundings = repeats ? 0.5 * steps : std::sqrt(steps);
      CHECK(largest(now.angular - before.angular) <= kEpsilon<double> * roundings * size);
      // The energy is kept as well as the method turns the body: h^4 |w|^5 t / 120, and less here.
      CHECK(abs(kinetic_energy(body, state) - energy) <= 1e-9 * energy);
    }
  }
}

TEST_CASE("free body: under its weight p gains m g t, and the centre of mass falls on its parabola") {
  const FreeBody<> body = some_body();
  const FreeBodyState<> start = some_state(body);
  const Vec3<> g{0, 0, -9.81};
  const auto weight = [&](double, const FreeBodyState<>& state, const Twist<>&) {
    const Vec3<> force = body.mass * g;
    return Wrench<>{force, cross(rotate(state.orientation, body.center), force)};
  };
  const auto center = [&](const FreeBodyState<>& state) {
    return state.position + rotate(state.orientation, body.center);
  };
  const double T = 2.0;
  const FreeBodyState<> end = after_steps(Steps::charted, body, start, T, 2000, weight);
  const Vec3<> p = start.momentum.linear;
  // 2000 additions to numbers of size 40 and 20.
  CHECK(largest(end.momentum.linear - (p + (T * body.mass) * g)) <= 2000 * kEpsilon<double> * 40.0);
  const Vec3<> there = center(start) + (T / body.mass) * p + (0.5 * T * T) * g;
  CHECK(largest(center(end) - there) <= 1e-10);
}

TEST_CASE("free body: moves as the free joint of a model, integrated in velocities, does") {
  const FreeBody<> body = some_body();
  const FreeBodyState<> start = some_state(body);
  ModelSpec spec{.name = "free"};
  BodySpec thing;
  thing.name = "thing";
  thing.inertia = spatial_inertia(body.mass, body.center, body.inertia);
  JointSpec joint;
  joint.name = "free";
  joint.kind = JointKind::free;
  joint.parent = kWorld;
  joint.child = "thing";
  spec.bodies = {thing};
  spec.joints = {joint};
  MechanismSystem system(spec);
  MotionState from = neutral_state(system);
  const Quaternion<> q = start.orientation;
  const Twist<> V = velocity(body, start);
  const Vec3<> v = rotate(conjugate(q), V.linear), w = rotate(conjugate(q), V.angular);
  from.q = {start.position.x, start.position.y, start.position.z, q.x, q.y, q.z, q.w};
  from.v = {v.x, v.y, v.z, w.x, w.y, w.z};
  const auto weight = [&](double, const FreeBodyState<>& state, const Twist<>&) {
    const Vec3<> force = body.mass * system.model().gravity();
    return Wrench<>{force, cross(rotate(state.orientation, body.center), force)};
  };
  const MotionState to = after(system, Method::dormand_prince, from, 1e-3, 1000);
  for (const Steps kind : {Steps::charted, Steps::seed}) {
    const FreeBodyState<> end = after_steps(kind, body, start, 1.0, 5000, weight);
    FreeBodyState<> other{{to.q[0], to.q[1], to.q[2]}, {to.q[3], to.q[4], to.q[5], to.q[6]}, {}};
    const Quaternion<>& r = other.orientation;
    other.momentum = momentum(
        body, r, Twist<>{rotate(r, Vec3<>{to.v[0], to.v[1], to.v[2]}), rotate(r, Vec3<>{to.v[3], to.v[4], to.v[5]})});
    CHECK(apart(end, other) <= 2e-11);  // numbers of size 20 over 5000 steps; seen 6e-12
  }
}

TEST_CASE("free body: the seed's free cylinder, exact digits at t = 2 with 6000 to 50000 steps") {
  const FreeBody<> body = free_body(2.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0.0018, 0.0018, 0.0009}));
  FreeBodyState<> start{{0, 0, 0}, identity_quaternion(), {}};
  start.momentum = momentum(body, start.orientation, Twist<>{{0, 0, 0}, {0, 5, -1}});
  const Quaternion<> exact{0.453934750436129658, -0.830921987131941419, -0.0643239531694395, 0.315236931046871818};
  const Vec3<> omega{0.291136174791876, 5.08964881063528, -0.103511893647194};
  // Seen: 2e-13 and 3e-13, mostly rounding.
  for (const Steps kind : {Steps::charted, Steps::seed}) {
    for (const int n : {6000, 20000, 50000}) {
      CAPTURE(n);
      const FreeBodyState<> end = after_steps(kind, body, start, 2.0, n, kNothing);
      const Quaternion<> q = copysign(1.0, dot(end.orientation, exact)) * end.orientation;
      CHECK(norm(q - exact) <= 1e-12);
      CHECK(largest(velocity(body, end).angular - omega) <= 1e-12);
    }
  }
}
