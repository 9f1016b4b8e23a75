#include "pintle/dynamics/kinematics.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/energy.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/mass_matrix.h"
#include "support/random_model.h"

using namespace test;

namespace {

constexpr Axes kEveryAxes[] = {Axes::local, Axes::world, Axes::local_world_aligned};

std::vector<double> times(const std::vector<double>& J, const std::vector<double>& v) {
  std::vector<double> result(6);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < v.size(); ++j) result[i] += J[i * v.size() + j] * v[j];
  return result;
}

/// A model, a state, and a place on its last body.
struct Case {
  explicit Case(std::uint64_t run, Vec3<> offset = {0, 0, 0})
      : stream(31, run),
        model(compile(random_spec(stream, {.links = 1 + static_cast<int>(run % 12),
                                           .couplings = run % 3 == 0,
                                           .welds = run % 2 == 0,
                                           .root_offset = offset}))
                  .value()),
        state(model, stream),
        work(model),
        place(body_place(model, static_cast<int>(model.bodies().size()) - 1)) {
    place.X_LF = place.X_LF * random_pose(stream);
  }

  /// The same mechanism a little later, along constant vdot: q moves by h v + h^2 vdot / 2 (exact to third order in h).
  RandomState later(double h) {
    RandomState moved = state;
    std::vector<double> step(state.v.size());
    for (std::size_t i = 0; i < step.size(); ++i) {
      step[i] = h * (state.v[i] + 0.5 * h * state.vdot[i]);
      moved.v[i] = state.v[i] + h * state.vdot[i];
    }
    integrate(model, state.q, step, moved.q);
    return moved;
  }

  RandomStream stream;
  Model model;
  RandomState state;
  KinematicsWorkspace work;
  Place place;
};

}  // namespace

TEST_CASE("kinematics: the velocity of a place is its Jacobian times v, in all axes") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    Case c(run);
    kinematics(c.model, c.state.q, c.state.v, c.state.vdot, c.work);
    std::vector<double> J(6 * c.state.v.size());
    for (const Axes axes : kEveryAxes) {
      jacobian(c.model, c.work, c.place, axes, J);
      const std::vector<double> expected = times(J, c.state.v);
      const std::array<double, 6> V = to_array(velocity_of(c.work, c.place, axes));
      // Sums of up to 72 terms of size 10.
      for (std::size_t i = 0; i < 6; ++i) CHECK(abs(V[i] - expected[i]) < 2e-13);
    }
  }
}

TEST_CASE("kinematics: velocities and accelerations are the rates of poses and velocities") {
  // A symmetric difference with h = 1e-5: h^2 of the third derivative, about 1e-8 of what is differentiated.
  const double h = 1e-5;
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    Case c(run);
    const RandomState after = c.later(h), before = c.later(-h);
    kinematics(c.model, after.q, after.v, c.state.vdot, c.work);
    const Pose<> X_after = pose_of(c.work, c.place);
    const Twist<> V_after = velocity_of(c.work, c.place, Axes::local_world_aligned);
    const Twist<> W_after = velocity_of(c.work, c.place, Axes::world);
    kinematics(c.model, before.q, before.v, c.state.vdot, c.work);
    const Pose<> X_before = pose_of(c.work, c.place);
    const Twist<> V_before = velocity_of(c.work, c.place, Axes::local_world_aligned);
    const Twist<> W_before = velocity_of(c.work, c.place, Axes::world);
    kinematics(c.model, c.state.q, c.state.v, c.state.vdot, c.work);
    const Twist<> V = velocity_of(c.work, c.place, Axes::local_world_aligned);
    const Twist<> A = acceleration_of(c.work, c.place, Axes::local_world_aligned);
    const Twist<> A_world = acceleration_of(c.work, c.place, Axes::world);
    const double size = 1.0 + norm(V.linear) + norm(V.angular) + norm(A.linear) + norm(A.angular);
    const double bound = 1e-7 * size * size;
    CHECK(norm((X_after.translation - X_before.translation) / (2 * h) - V.linear) < bound);
    const Mat3<> rate = (1.0 / (2 * h)) * (X_after.rotation - X_before.rotation);
    CHECK(norm(skew_part(rate * transpose(pose_of(c.work, c.place).rotation)) - V.angular) < bound);
    CHECK(norm((V_after.linear - V_before.linear) / (2 * h) - A.linear) < bound);
    CHECK(norm((V_after.angular - V_before.angular) / (2 * h) - A.angular) < bound);
    CHECK(norm((W_after.linear - W_before.linear) / (2 * h) - A_world.linear) < 10 * bound);
    const Twist<> A_local = acceleration_of(c.work, c.place, Axes::local);
    CHECK(norm(pose_of(c.work, c.place).rotation * A_local.linear - A.linear) < 1e-13 * size * size);
  }
}

TEST_CASE("kinematics: 100 km from the origin Jacobians and velocities are the same to rounding") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    Case near(run), far(run, {6e4, -8e4, 1e4});
    kinematics(near.model, near.state.q, near.state.v, near.state.vdot, near.work);
    kinematics(far.model, far.state.q, far.state.v, far.state.vdot, far.work);
    std::vector<double> J(6 * near.state.v.size()), K(J.size());
    for (const Axes axes : {Axes::local, Axes::local_world_aligned}) {
      jacobian(near.model, near.work, near.place, axes, J);
      jacobian(far.model, far.work, far.place, axes, K);
      CHECK(J == K);
    }
  }
}

TEST_CASE("kinematics: a place on the world stands still") {
  ModelSpec spec{.name = "post"};
  spec.bodies.push_back({.name = "post", .inertia = spatial_inertia(1.0, Vec3{0, 0, 1}, diagonal(Vec3{1, 1, 1}))});
  JointSpec weld;
  weld.name = "weld";
  weld.parent = kWorld;
  weld.child = "post";
  spec.joints.push_back(weld);
  spec.frames.push_back({.name = "top", .body = "post", .X_BF = Pose<>{identity3(), {0, 0, 2}}});
  spec.frames.push_back({.name = "corner", .body = kWorld});
  const Model model = compile(spec).value();
  KinematicsWorkspace work(model);
  kinematics(model, {}, {}, {}, work);
  const Place top = frame_place(model, model.frame("top"));
  CHECK(pose_of(work, top).translation.z == 2.0);
  CHECK(pose_of(work, frame_place(model, model.frame("corner"))).translation.z == 0.0);
  CHECK(pose_of(work, point_place(model, model.body("post"), {1, 0, 0})).translation.x == 1.0);
  CHECK(norm(velocity_of(work, top, Axes::world).linear) == 0.0);
  CHECK(norm(acceleration_of(work, top, Axes::world).linear) == 0.0);
  CHECK(gravity_energy(model, work) == doctest::Approx(9.81));
  CHECK_THROWS_AS(body_place(model, 1), UsageError);
  CHECK_THROWS_AS(frame_place(model, -1), UsageError);
}

TEST_CASE("energy: T = v'Mv/2, and the rate of the potential is v'g") {
  const double h = 1e-5;
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    Case c(run);
    const std::size_t n = c.state.v.size();
    MassMatrixWorkspace<> mass(c.model);
    InverseDynamicsWorkspace<> inverse(c.model);
    std::vector<double> M(n * n), g(n);
    mass_matrix(c.model, c.state.q, mass, M);
    gravity_efforts(c.model, c.state.q, inverse, g);
    double by_matrix = 0.0, power = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      power += c.state.v[i] * g[i];
      for (std::size_t j = 0; j < n; ++j) by_matrix += 0.5 * c.state.v[i] * M[i * n + j] * c.state.v[j];
    }
    kinematics(c.model, c.state.q, c.state.v, c.state.vdot, c.work);
    CHECK(kinetic_energy(c.model, c.work) == doctest::Approx(by_matrix).epsilon(1e-13));
    const RandomState after = c.later(h), before = c.later(-h);
    kinematics(c.model, after.q, after.v, c.state.vdot, c.work);
    const double U_after = gravity_energy(c.model, c.work);
    kinematics(c.model, before.q, before.v, c.state.vdot, c.work);
    const double U_before = gravity_energy(c.model, c.work);
    CHECK(abs((U_after - U_before) / (2 * h) - power) < 1e-6 * (1.0 + abs(power)) * static_cast<double>(n));
  }
}
