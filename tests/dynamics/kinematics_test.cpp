#include "pintle/dynamics/kinematics.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/certificate.h"
#include "pintle/dynamics/energy.h"
#include "pintle/dynamics/forward_dynamics.h"
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

TEST_CASE("kinematics: a world that moves is a model on a free body that moves so") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(32, run);
    const ModelSpec spec = random_spec(stream, {.links = 1 + static_cast<int>(run % 8), .couplings = run % 3 == 0});
    ModelSpec on_ship = spec;
    on_ship.bodies.insert(on_ship.bodies.begin(), {.name = "ship", .inertia = random_inertia(stream, 1.0)});
    for (JointSpec& joint : on_ship.joints)
      if (joint.parent == kWorld) joint.parent = "ship";
    JointSpec sea;
    sea.name = "sea";
    sea.kind = JointKind::free;
    sea.parent = kWorld;
    sea.child = "ship";
    on_ship.joints.insert(on_ship.joints.begin(), sea);
    const Model model = compile(spec).value(), whole = compile(on_ship).value();
    const RandomState state(model, stream);

    // The ship at the neutral pose: its axes are the world's.
    RandomState all(whole, stream);
    neutral(whole, all.q);
    for (std::size_t i = 0; i < state.q.size(); ++i) all.q[7 + i] = state.q[i];
    for (std::size_t i = 0; i < state.v.size(); ++i) all.v[6 + i] = state.v[i];
    for (std::size_t i = 0; i < state.v.size(); ++i) all.vdot[6 + i] = state.vdot[i];
    const auto part = [](const std::vector<double>& numbers, std::size_t at) {
      return Vec3<>{numbers[at], numbers[at + 1], numbers[at + 2]};
    };
    RootMotion root{{part(all.v, 0), part(all.v, 3)}, {part(all.vdot, 0), part(all.vdot, 3)}};
    root.acceleration.linear += cross(root.velocity.angular, root.velocity.linear);  // the true one

    KinematicsWorkspace work(model), whole_work(whole);
    kinematics(model, state.q, state.v, state.vdot, work, root);
    kinematics(whole, all.q, all.v, all.vdot, whole_work);
    for (int b = -1; b < static_cast<int>(model.bodies().size()); ++b) {
      const Place place = b < 0 ? Place{-1, random_pose(stream)} : body_place(model, b);
      const Place same = b < 0 ? Place{0, place.X_LF} : body_place(whole, b + 1);
      for (const Axes axes : kEveryAxes) {
        const Twist<> V = velocity_of(work, place, axes) - velocity_of(whole_work, same, axes);
        const Twist<> A = acceleration_of(work, place, axes) - acceleration_of(whole_work, same, axes);
        CHECK(norm(V.linear) + norm(V.angular) <= 1e-13);  // sums of a few dozen numbers of unit size
        CHECK(norm(A.linear) + norm(A.angular) <= 1e-12);
      }
    }
    // And the efforts, forwards and backwards.
    std::vector<double> tau(state.v.size()), whole_tau(all.v.size()), vdot(state.v.size());
    InverseDynamicsWorkspace<> inverse(model), whole_inverse(whole);
    ForwardDynamicsWorkspace<> forward(model);
    inverse_dynamics(model, state.q, state.v, state.vdot, inverse, tau, {.root = root});
    inverse_dynamics(whole, all.q, all.v, all.vdot, whole_inverse, whole_tau);
    double largest = 1.0;
    for (const double t : whole_tau) largest = max(largest, abs(t));
    for (std::size_t i = 0; i < tau.size(); ++i) CHECK(abs(tau[i] - whole_tau[6 + i]) <= 1e-13 * largest);
    REQUIRE(forward_dynamics(model, state.q, state.v, tau, forward, vdot, {.refine = true, .root = root}).ok());
    std::vector<double> again(tau.size());
    inverse_dynamics(model, state.q, state.v, vdot, inverse, again, {.root = root});
    for (std::size_t i = 0; i < tau.size(); ++i) CHECK(abs(tau[i] - again[i]) <= 1e-12 * largest);
    CertificateWorkspace checks(model);
    const Certificate c =
        certify(model, {.q = state.q, .v = state.v, .vdot = state.vdot, .tau = tau, .options = {.root = root}}, checks);
    CHECK(c.worst() <= 1e-13);
  }
}

TEST_CASE("kinematics: the branched Jacobian is the difference of two, without what the branches share") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    Case c(run);
    kinematics(c.model, c.state.q, c.state.v, c.state.vdot, c.work);
    const int bodies = static_cast<int>(c.model.bodies().size());
    Place other = body_place(c.model, static_cast<int>(c.stream.below(static_cast<std::uint64_t>(bodies))));
    other.X_LF = other.X_LF * random_pose(c.stream);
    const Place ground{-1, random_pose(c.stream)};
    for (const Place& reference : {other, ground}) {
      const Pose<> X_RF = relative_pose(c.model, c.work, c.place, reference);
      const Pose<> X_WR = pose_of(c.work, reference), X_WF = pose_of(c.work, c.place);
      CHECK(norm(transform_point(X_WR, X_RF.translation) - X_WF.translation) <= 1e-14 * 20.0);
      for (const Axes axes : kEveryAxes) {
        std::vector<double> J(6 * c.state.v.size());
        relative_jacobian(c.model, c.work, c.place, reference, axes, J);
        // The reference's motion as seen at the place.
        const Twist<> V_R = inverse_times(X_RF, velocity_of(c.work, reference, Axes::local));
        const Twist<> V = velocity_of(c.work, c.place, axes) - in_axes(V_R, X_WF, axes);
        const std::vector<double> found = times(J, c.state.v);
        for (std::size_t i = 0; i < 6; ++i) CHECK(abs(found[i] - to_array(V)[i]) < 4e-13);
      }
      // Joints that move both have a column of zeros.
      std::vector<double> J(6 * c.state.v.size());
      relative_jacobian(c.model, c.work, c.place, c.place, Axes::local, J);
      for (const double x : J) CHECK(x == 0.0);
    }
  }
}

TEST_CASE("kinematics: (dJ/dt) v is the acceleration without J vdot, and the rate of J times v") {
  const double h = 1e-5;  // as above
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    Case c(run);
    const std::size_t n = c.state.v.size();
    for (double& a : c.state.vdot) a = 0.0;  // v stays: a change of J v is one of J
    const RandomState after = c.later(h), before = c.later(-h);
    for (const Axes axes : kEveryAxes) {
      std::vector<double> J_after(6 * n), J_before(6 * n);
      kinematics(c.model, after.q, c.state.v, c.state.vdot, c.work);
      jacobian(c.model, c.work, c.place, axes, J_after);
      kinematics(c.model, before.q, c.state.v, c.state.vdot, c.work);
      jacobian(c.model, c.work, c.place, axes, J_before);
      std::vector<double> some(n);
      for (double& a : some) a = c.stream.uniform(-1, 1);
      kinematics(c.model, c.state.q, c.state.v, some, c.work);
      const Twist<> found = jacobian_rate_times_v(c.model, c.work, c.place, axes);
      const std::vector<double> high = times(J_after, c.state.v), low = times(J_before, c.state.v);
      for (std::size_t i = 0; i < 6; ++i)
        CHECK(to_array(found)[i] == doctest::Approx((high[i] - low[i]) / (2.0 * h)).epsilon(1e-8).scale(10.0));
      std::vector<double> J(6 * n);
      jacobian(c.model, c.work, c.place, axes, J);
      const Twist<> A = acceleration_of(c.work, c.place, axes);
      const Twist<> V = velocity_of(c.work, c.place, Axes::local);
      const Vec3<> swirl = axes == Axes::local ? cross(V.angular, V.linear) : Vec3<>{0, 0, 0};
      const std::vector<double> by_vdot = times(J, some);
      const std::array<double, 6> rest = to_array(Twist<>{A.linear - swirl, A.angular} - found);
      for (std::size_t i = 0; i < 6; ++i) CHECK(abs(by_vdot[i] - rest[i]) < 1e-12);
    }
  }
}
