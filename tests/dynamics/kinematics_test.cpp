#include "pintle/dynamics/kinematics.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/certificate/certificate.h"
#include "pintle/dynamics/energy.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/mass_matrix.h"
#include "properties/five_points.h"
#include "properties/motion_sizes.h"

using namespace test;

namespace {

constexpr Axes kEveryAxes[] = {Axes::local, Axes::world, Axes::local_world_aligned};

/// The largest difference of six numbers.
double distance(const Numbers& a, const Twist<>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < 6; ++i) {
    const double difference = abs(a[i] - to_array(b)[i]);
    if (!(difference <= most)) most = difference;
  }
  return most;
}

Numbers numbers(const Twist<>& V) {
  const std::array<double, 6> a = to_array(V);
  return Numbers(a.begin(), a.end());
}

/// A model, a state, and a place on its last body.
struct Case {
  explicit Case(std::uint64_t run, Vec3<> offset = {0, 0, 0})
      : stream(31, run),
        model(compile(random_spec(stream, options(run, offset))).value()),
        state(model, stream),
        work(model),
        place(body_place(model, static_cast<int>(model.bodies().size()) - 1)) {
    place.X_LF = place.X_LF * random_pose(stream);
  }

  static RandomModelOptions options(std::uint64_t run, const Vec3<>& offset) {
    RandomModelOptions result = variety(run);
    result.root_offset = offset;
    return result;
  }

  /// Sizes of what the velocity and the acceleration of the place are sums of, in any axes, at the last `kinematics`:
  /// every lever taken in full.
  struct Sizes {
    double velocity, acceleration;
  };
  Sizes sizes() const { return sizes(place); }
  Sizes sizes(const Place& at) const {
    if (at.link < 0) return {0.0, 0.0};
    KinematicsWorkspace now = work;
    const MotionSizes all(model.links(), now.motion.view(), now.velocities, now.accelerations);
    const std::size_t i = size(at.link);
    const double reach = 1.0 + norm(at.X_LF.translation) + norm(pose_of(work, at).translation);
    const double u = all.u[i] + reach * all.w[i], w = all.w[i];
    return {u + w, all.a[i] + (1.0 + reach) * all.alpha[i] + w * u};
  }

  /// The same mechanism a little later, along constant vdot: q moves by h v + h^2 vdot / 2. For ball and free joints
  /// the error is odd in h and of third order; the differences of four points do not see that.
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
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    Case c(run);
    kinematics(c.model, c.state.q, c.state.v, c.state.vdot, c.work);
    Numbers J(6 * c.state.v.size());
    const double scale = c.sizes().velocity;
    for (const Axes axes : kEveryAxes) {
      jacobian(c.model, c.work, c.place, axes, J);
      const double error = distance(times(J, c.state.v), velocity_of(c.work, c.place, axes)) / scale;
      CHECK(error <= 6e-16);  // the worst seen is 2.1e-16
    }
  }
}

TEST_CASE("kinematics: the columns of a Jacobian are the differences of poses along each dof") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    Case c(run);
    const std::size_t n = c.state.v.size();
    kinematics(c.model, c.state.q, c.state.v, c.state.vdot, c.work);
    Numbers J(6 * n);
    jacobian(c.model, c.work, c.place, Axes::local_world_aligned, J);
    const Mat3<> R = pose_of(c.work, c.place).rotation;
    Numbers q(c.state.q.size());
    for (std::size_t j = 0; j < n; ++j) {
      const Numbers e = unit(n, j);
      // Position, and the rotation since: its skew part is its rotation vector but for third order.
      const auto moved = [&](double t) {
        Numbers along(n);
        along[j] = t;
        integrate(c.model, c.state.q, along, q);
        kinematics(c.model, q, e, Numbers(n), c.work);
        const Pose<> X = pose_of(c.work, c.place);
        return numbers({X.translation, skew_part(X.rotation * transpose(R))});
      };
      const Numbers found = rate_of(moved, short_step({}));
      const double scale = 1.0 + norm(pose_of(c.work, c.place).translation) + c.sizes().velocity;
      const Twist<> column{{J[j], J[n + j], J[2 * n + j]}, {J[3 * n + j], J[4 * n + j], J[5 * n + j]}};
      const double error = distance(found, column) / scale;
      CHECK(error <= 4e-11);  // a chain of couplings takes one joint far in a step; the worst seen is 1.1e-11
    }
  }
}

TEST_CASE("kinematics: velocities and accelerations are the rates of poses and velocities") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    Case c(run);
    kinematics(c.model, c.state.q, c.state.v, c.state.vdot, c.work);
    const Case::Sizes sizes = c.sizes();
    const Pose<> X = pose_of(c.work, c.place);
    const Twist<> V = velocity_of(c.work, c.place, Axes::local_world_aligned);
    const Twist<> A = acceleration_of(c.work, c.place, Axes::local_world_aligned);
    const Twist<> A_world = acceleration_of(c.work, c.place, Axes::world);
    const Twist<> A_local = acceleration_of(c.work, c.place, Axes::local);
    KinematicsWorkspace first_order(c.model);
    first_order_kinematics(c.model, c.state.q, c.state.v, first_order);
    CHECK(to_array(pose_of(first_order, c.place).rotation) == to_array(X.rotation));
    CHECK(to_array(pose_of(first_order, c.place).translation) == to_array(X.translation));
    CHECK(to_array(relative_pose(c.model, first_order, c.place, {}).translation) ==
          to_array(relative_pose(c.model, c.work, c.place, {}).translation));
    CHECK(to_array(velocity_of(first_order, c.place, Axes::local_world_aligned)) == to_array(V));
    const double h = short_step(c.work.velocities);
    const auto at = [&](double t) {
      const RandomState then = c.later(t);
      kinematics(c.model, then.q, then.v, c.state.vdot, c.work);
    };
    const auto pose_then = [&](double t) {
      at(t);
      const Pose<> X_then = pose_of(c.work, c.place);
      return numbers({X_then.translation, skew_part(X_then.rotation * transpose(X.rotation))});
    };
    const auto velocity_then = [&](Axes axes) {
      return [&c, at, axes](double t) {
        at(t);
        return numbers(velocity_of(c.work, c.place, axes));
      };
    };
    const double error_V = distance(rate_of(pose_then, h), V) / (1.0 + norm(X.translation) + sizes.velocity);
    const double scale = sizes.velocity + sizes.acceleration;
    const double error_A = distance(rate_of(velocity_then(Axes::local_world_aligned), h), A) / scale;
    const double error_world = distance(rate_of(velocity_then(Axes::world), h), A_world) / scale;
    const double error_local = norm(X.rotation * A_local.linear - A.linear) / scale;
    CHECK(error_V <= 8e-12);        // the worst seen is 2.7e-12
    CHECK(error_A <= 4.5e-12);      // 1.5e-12
    CHECK(error_world <= 4.5e-12);  // 1.4e-12
    CHECK(error_local <= 1e-15);    // none
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
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    Case c(run);
    const std::size_t n = c.state.v.size();
    MassMatrixWorkspace<> mass(c.model);
    InverseDynamicsWorkspace<> inverse(c.model);
    Numbers M(n * n), g(n);
    mass_matrix(c.model, c.state.q, mass, M);
    gravity_efforts(c.model, c.state.q, inverse, g);
    double by_matrix = 0.0, power = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      power += c.state.v[i] * g[i];
      for (std::size_t j = 0; j < n; ++j) by_matrix += 0.5 * c.state.v[i] * M[i * n + j] * c.state.v[j];
    }
    kinematics(c.model, c.state.q, c.state.v, c.state.vdot, c.work);
    CHECK(kinetic_energy(c.model, c.work) == doctest::Approx(by_matrix).epsilon(1e-13));
    double scale = 0.0;  // the weights times how fast they move and how high they are
    for (std::size_t b = 0; b < c.model.bodies().size(); ++b) {
      const ModelBody& body = c.model.bodies()[b];
      const Place place = body_place(c.model, static_cast<int>(b));
      scale += 9.81 * body.inertia.mass * (1.0 + norm(pose_of(c.work, place).translation) + c.sizes(place).velocity);
    }
    const double h = short_step(c.work.velocities);
    const auto potential = [&](double t) {
      const RandomState then = c.later(t);
      kinematics(c.model, then.q, then.v, c.state.vdot, c.work);
      return Numbers{gravity_energy(c.model, c.work)};
    };
    const double error = abs(rate_of(potential, h)[0] - power) / scale;
    CHECK(error <= 4.5e-12);  // the worst seen is 1.5e-12
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
    inverse_dynamics(model, state.q, state.v, state.vdot, inverse, tau, {.root = &root});
    inverse_dynamics(whole, all.q, all.v, all.vdot, whole_inverse, whole_tau);
    double largest = 1.0;
    for (const double t : whole_tau) largest = max(largest, abs(t));
    for (std::size_t i = 0; i < tau.size(); ++i) CHECK(abs(tau[i] - whole_tau[6 + i]) <= 1e-13 * largest);
    REQUIRE(forward_dynamics(model, state.q, state.v, tau, forward, vdot, {.refine = true, .root = &root}).ok());
    std::vector<double> again(tau.size());
    inverse_dynamics(model, state.q, state.v, vdot, inverse, again, {.root = &root});
    for (std::size_t i = 0; i < tau.size(); ++i) CHECK(abs(tau[i] - again[i]) <= 1e-12 * largest);
    CertificateWorkspace checks(model);
    const Certificate c = certify(
        model, {.q = state.q, .v = state.v, .vdot = state.vdot, .tau = tau, .options = {.root = &root}}, checks);
    CHECK(c.worst() <= 1e-13);
  }
}

TEST_CASE("kinematics: the branched Jacobian is the difference of two, without what the branches share") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
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
      const double reach = 1.0 + norm(X_RF.translation) + norm(X_WR.translation) + norm(X_WF.translation);
      const double error_pose = norm(transform_point(X_WR, X_RF.translation) - X_WF.translation) / reach;
      CHECK(error_pose <= 5e-15);  // the worst seen is 1.6e-15
      for (const Axes axes : kEveryAxes) {
        Numbers J(6 * c.state.v.size());
        relative_jacobian(c.model, c.work, c.place, reference, axes, J);
        // The reference's motion as seen at the place.
        const Twist<> V_R = inverse_times(X_RF, velocity_of(c.work, reference, Axes::local));
        const Twist<> V = velocity_of(c.work, c.place, axes) - in_axes(V_R, X_WF, axes);
        const double scale = c.sizes().velocity + reach * c.sizes(reference).velocity;
        const double error = distance(times(J, c.state.v), V) / scale;
        CHECK(error <= 6e-16);  // the worst seen is 2.1e-16
      }
      // Joints that move both have a column of zeros.
      Numbers J(6 * c.state.v.size());
      relative_jacobian(c.model, c.work, c.place, c.place, Axes::local, J);
      for (const double x : J) REQUIRE(x == 0.0);
    }
  }
}

TEST_CASE("kinematics: (dJ/dt) v is the acceleration without J vdot, and the rate of J times v") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    Case c(run);
    const std::size_t n = c.state.v.size();
    const Numbers some = c.state.vdot;
    for (double& a : c.state.vdot) a = 0.0;  // v stays: a change of J v is one of J
    for (const Axes axes : kEveryAxes) {
      kinematics(c.model, c.state.q, c.state.v, some, c.work);
      const double scale = c.sizes().velocity + c.sizes().acceleration, h = short_step(c.work.velocities);
      const Twist<> found = jacobian_rate_times_v(c.model, c.work, c.place, axes);
      Numbers J(6 * n);
      jacobian(c.model, c.work, c.place, axes, J);
      const Twist<> A = acceleration_of(c.work, c.place, axes);
      const Twist<> V = velocity_of(c.work, c.place, Axes::local);
      const Vec3<> swirl = axes == Axes::local ? cross(V.angular, V.linear) : Vec3<>{0, 0, 0};
      const Twist<> rest = Twist<>{A.linear - swirl, A.angular} - found;
      const double error = distance(times(J, some), rest) / scale;
      CHECK(error <= 5e-16);  // the worst seen is 1.6e-16
      const auto then = [&](double t) {
        kinematics(c.model, c.later(t).q, c.state.v, c.state.vdot, c.work);
        jacobian(c.model, c.work, c.place, axes, J);
        return times(J, c.state.v);
      };
      const double error_rate = distance(rate_of(then, h), found) / scale;
      CHECK(error_rate <= 6e-12);  // the worst seen is 1.9e-12
    }
  }
}
