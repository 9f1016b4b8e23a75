#include "pintle/dynamics/momentum_rate.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/centroidal_momentum.h"
#include "pintle/dynamics/hybrid_dynamics.h"
#include "properties/five_points.h"
#include "properties/motion_sizes.h"
#include "support/pillar.h"

using namespace test;

namespace {

template <class Six>
Numbers numbers(const Six& six) {
  const auto a = to_array(six);
  return Numbers(a.begin(), a.end());
}

/// A tree with, now and then, a pillar that is welded to the world, or a first joint that is free.
ModelSpec some_spec(RandomStream& stream, std::uint64_t run) {
  ModelSpec spec = random_spec(stream, variety(run));
  if (run % 3 == 0) add_pillar(spec, stream);
  bool bound = false;
  for (const CouplingSpec& coupling : spec.couplings) bound = bound || coupling.driver == spec.joints[0].name;
  if (run % 4 == 0 && !bound) spec.joints[0].kind = JointKind::free;
  return spec;
}

/// The sizes of the terms of the rate of momentum about the world's origin: of all that acts on the links.
Numbers rate_sizes(DynamicsOf& dynamics, const Numbers& v, const Numbers& vdot, const KinematicsWorkspace& work,
                   std::span<const Wrench<>> external) {
  const Model& model = dynamics.model;
  KinematicsWorkspace copy = work;
  const MotionSizes sizes(model.links(), copy.motion.view(), dynamics.joint_v(v), dynamics.joint_v(vdot),
                          norm(model.gravity()));
  const double world = norm(work.root.velocity.linear) + norm(work.root.velocity.angular) +
                       norm(work.root.acceleration.linear) + norm(work.root.acceleration.angular);
  double force = 0.0, torque = 0.0;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const SpatialInertia<>& I = model.links()[i].inertia;
    const double lever = norm(work.X_WL[i].translation), moved = world * (1.0 + lever);
    const double u = sizes.u[i] + moved, w = sizes.w[i] + world;
    const double a = sizes.a[i] + moved * (1.0 + world), alpha = sizes.alpha[i] + moved * (1.0 + world);
    const double h = norm(I.first_moment), J = trace(I.inertia), p = I.mass * u + h * w, L = J * w + h * u;
    const double f = I.mass * a + h * alpha + w * p, n = J * alpha + h * a + w * L + u * p;
    force += f;
    torque += n + lever * f;
  }
  for (std::size_t b = 0; b < external.size(); ++b) {
    if (model.bodies()[b].link < 0) continue;
    force += norm(external[b].force);
    torque += norm(external[b].torque) +
              norm(pose_of(work, body_place(model, static_cast<int>(b))).translation) * norm(external[b].force);
  }
  return {force, force, force, torque, torque, torque};
}

/// The external wrenches on bodies that can move, about the world's origin.
Wrench<> outside(const Model& model, const KinematicsWorkspace& work, std::span<const Wrench<>> external) {
  Wrench<> sum = zero_wrench();
  for (std::size_t b = 0; b < external.size(); ++b)
    if (model.bodies()[b].link >= 0) sum += pose_of(work, body_place(model, static_cast<int>(b))) * external[b];
  return sum;
}

}  // namespace

TEST_CASE("law: momentum about the world's origin changes by root joints, weight and external wrenches") {
  double most = 0.0, max_inverse = 0.0, max_weight = 0.0;
  int several = 0;
  for (std::uint64_t run = 0; run < 2000; ++run) {
    CAPTURE(run);
    RandomStream stream(311, run);
    DynamicsOf dynamics(some_spec(stream, run));
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    const std::size_t n = state.v.size();
    std::vector<Wrench<>> external(model.bodies().size());
    for (Wrench<>& F : external) F = {5.0 * uniform_direction(stream), uniform_direction(stream)};
    DynamicsOptions options{.friction = run % 5 != 0, .external = external};
    RootMotion root;
    if (run % 2 == 0) {
      root = {{uniform_direction(stream), uniform_direction(stream)},
              {uniform_direction(stream), uniform_direction(stream)}};
    }
    options.root = &root;
    std::vector<unsigned char> given(n);
    for (unsigned char& mark : given) mark = run % 3 == 0 && stream.below(3) == 0;
    Numbers tau = state.tau, vdot = state.vdot;
    REQUIRE(hybrid_dynamics_of(model, state.q, state.v, given, dynamics.forward_work, tau, vdot, options).ok());

    KinematicsWorkspace work(model);
    CentroidalWorkspace scratch(model);
    MassMomentWorkspace moments(model);
    kinematics(model, state.q, state.v, vdot, work, root);
    const CentroidalMomentum whole = centroidal_momentum(model, work, scratch);
    const Pose<> X_WG{identity3(), whole.center};
    const Numbers rate = numbers(X_WG * whole.rate), scale = rate_sizes(dynamics, state.v, vdot, work, external);
    const double links = static_cast<double>(model.links().size());
    int roots = 0;
    for (const Link& link : model.links()) roots += link.parent < 0;
    several += roots > 1;

    const Wrench<> acts = outside(model, work, external);
    (void)dynamics.inverse(state.q, state.v, vdot, options);
    Wrench<> sum =
        root_wrench(model, dynamics.inverse_work) + weight_wrench(model, dynamics.inverse_work, moments) + acts;
    max_inverse = max(max_inverse, worst(numbers(sum), rate, scale) / links);
    MomentumCauses causes = momentum_causes(model, dynamics.inverse_work, moments);
    CHECK(numbers(causes.supports) == numbers(root_wrench(model, dynamics.inverse_work)));
    CHECK(numbers(causes.weight) == numbers(weight_wrench(model, dynamics.inverse_work, moments)));
    max_weight = max(max_weight, worst(numbers(weight_wrench(model, work)), numbers(causes.weight), scale) / links);
    if (!model.couplings().empty()) {
      CHECK_THROWS_WITH_AS((void)root_wrench(model, dynamics.forward_work), doctest::Contains("couplings"), UsageError);
      CHECK_THROWS_WITH_AS((void)weight_wrench(model, dynamics.forward_work, moments), doctest::Contains("couplings"),
                           UsageError);
      CHECK_THROWS_WITH_AS((void)momentum_causes(model, dynamics.forward_work, moments), doctest::Contains("couplings"),
                           UsageError);
      continue;
    }
    sum = root_wrench(model, dynamics.forward_work) + weight_wrench(model, dynamics.forward_work, moments) + acts;
    most = max(most, worst(numbers(sum), rate, scale) / links);
    causes = momentum_causes(model, dynamics.forward_work, moments);
    CHECK(numbers(causes.supports) == numbers(root_wrench(model, dynamics.forward_work)));
    CHECK(numbers(causes.supports) == numbers(root_wrench(model, dynamics.forward_work, moments)));
    CHECK(numbers(causes.weight) == numbers(weight_wrench(model, dynamics.forward_work, moments)));
  }
  CHECK(max_weight <= 6.0);
  CHECK(max_inverse <= 6.0);  // the worst seen is 2.1
  CHECK(most <= 6.0);         // the worst seen is 2.0
  CHECK(several > 400);
}

TEST_CASE("law: total momentum is that about the centre of mass, moved; its rate by differences is what acts") {
  double most = 0.0, max_rate = 0.0;
  for (std::uint64_t run = 0; run < 500; ++run) {
    CAPTURE(run);
    RandomStream stream(312, run);
    DynamicsOf dynamics(some_spec(stream, run));
    const Model& model = dynamics.model;
    RandomState state(model, stream);
    KinematicsWorkspace work(model);
    CentroidalWorkspace scratch(model);
    MassMomentWorkspace moments(model);
    kinematics(model, state.q, state.v, state.vdot, work);
    const CentroidalMomentum whole = centroidal_momentum(model, work, scratch);
    const Momentum<> at_origin = momentum_about(whole, {0, 0, 0});
    const Numbers scale = rate_sizes(dynamics, state.v, state.vdot, work, {});
    double p = 0.0, L = 0.0;
    const MotionSizes sizes(model.links(), work.motion.view(), dynamics.joint_v(state.v), dynamics.joint_v(state.vdot));
    for (std::size_t i = 0; i < model.links().size(); ++i) {
      const SpatialInertia<>& I = model.links()[i].inertia;
      const double part = I.mass * sizes.u[i] + norm(I.first_moment) * sizes.w[i];
      p += part;
      L += trace(I.inertia) * sizes.w[i] + norm(I.first_moment) * sizes.u[i] + norm(work.X_WL[i].translation) * part;
    }
    L += norm(whole.center) * p;
    most = max(most, worst(numbers(total_momentum(model, work)), numbers(at_origin), Numbers{p, p, p, L, L, L}) /
                         static_cast<double>(model.links().size()));

    (void)dynamics.inverse(state.q, state.v, state.vdot);
    const Wrench<> acts =
        root_wrench(model, dynamics.inverse_work) + weight_wrench(model, dynamics.inverse_work, moments);
    const auto later = [&](double t) {  // on the path with dq/dt = v + vdot t, up to terms of order t^3 in q
      Numbers v = state.v, along = state.v, q(state.q.size());
      for (std::size_t i = 0; i < v.size(); ++i) {
        v[i] += t * state.vdot[i];
        along[i] = t * (state.v[i] + 0.5 * t * state.vdot[i]);
      }
      integrate(model, state.q, along, q);
      kinematics(model, q, v, state.vdot, work);
      return numbers(total_momentum(model, work));
    };
    Numbers sizes_of_rate = scale;
    for (std::size_t i = 0; i < 6; ++i) sizes_of_rate[i] += i < 3 ? p : L;
    const double step = short_step(dynamics.joint_v(state.v));
    max_rate = max(max_rate, worst(rate_of(later, step), numbers(acts), sizes_of_rate) * kEpsilon<double>);
  }
  CHECK(most <= 0.4);        // the worst seen is 0.13
  CHECK(max_rate <= 2e-12);  // the worst seen is 6.8e-13
}

TEST_CASE("momentum rate: a pendulum that hangs still is held against its weight; a falling body by nothing") {
  ModelSpec spec{.name = "two"};
  spec.bodies = {{.name = "bob", .inertia = spatial_inertia(2.0, Vec3<>{0, 0, -0.5}, diagonal(Vec3<>{1, 1, 1}))},
                 {.name = "stone", .inertia = spatial_inertia(3.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{1, 1, 1}))}};
  JointSpec pin, fall;
  pin.name = "pin";
  pin.kind = JointKind::revolute;
  pin.parent = kWorld;
  pin.child = "bob";
  pin.axis = {0, 1, 0};
  pin.X_PJ.translation = {4, 0, 0};
  fall.name = "fall";
  fall.kind = JointKind::free;
  fall.parent = kWorld;
  fall.child = "stone";
  spec.joints = {pin, fall};
  const Model model = compile(spec).value();
  ForwardDynamicsWorkspace<> work(model);
  MassMomentWorkspace moments(model);
  const Numbers q{0.0, 0.0, 7.0, 0.0, 0.0, 0.0, 0.0, 1.0}, v(7), tau(7);
  Numbers vdot(7);
  REQUIRE(forward_dynamics(model, q, v, tau, work, vdot).ok());
  const double bob = 2.0 * 9.81, stone = 3.0 * 9.81;
  const auto near = [](const Wrench<>& F, const Numbers& expected) {
    for (std::size_t i = 0; i < 6; ++i) CHECK(abs(to_array(F)[i] - expected[i]) <= 1e-13 * 300.0);
  };
  near(root_wrench(model, work), {0, 0, bob, 0, -4.0 * bob, 0});
  near(weight_wrench(model, work, moments), {0, 0, -bob - stone, -7.0 * stone, 4.0 * bob, 0});
}

TEST_CASE("momentum rate: workspaces of another model are refused") {
  RandomStream stream(313);
  const Model model = compile(random_spec(stream, {.links = 5})).value();
  const Model other = compile(random_spec(stream, {.links = 3})).value();
  ForwardDynamicsWorkspace<> forward(other), right(model);
  InverseDynamicsWorkspace<> inverse(other), right_inverse(model);
  KinematicsWorkspace moving(other);
  MassMomentWorkspace moments(other), right_moments(model);
  const auto refused = [](const char* function, auto action) {
    CHECK_THROWS_WITH_AS(action(), doctest::Contains(function), UsageError);
  };
  refused("total_momentum", [&] { (void)total_momentum(model, moving); });
  refused("root_wrench", [&] { (void)root_wrench(model, forward); });
  refused("root_wrench", [&] { (void)root_wrench(model, inverse); });
  refused("weight_wrench", [&] { (void)weight_wrench(model, forward, right_moments); });
  refused("weight_wrench", [&] { (void)weight_wrench(model, inverse, right_moments); });
  refused("weight_wrench", [&] { (void)weight_wrench(model, right, moments); });
  refused("weight_wrench", [&] { (void)weight_wrench(model, right_inverse, moments); });
  refused("momentum_causes", [&] { (void)momentum_causes(model, forward, right_moments); });
  refused("momentum_causes", [&] { (void)momentum_causes(model, right_inverse, moments); });
}
