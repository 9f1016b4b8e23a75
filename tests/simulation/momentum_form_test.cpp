#include "pintle/simulation/integrators/momentum_form.h"

#include <doctest/doctest.h>

#include <cmath>

#include "base/count_allocations.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/centroidal_momentum.h"
#include "simulation/convergence.h"

using namespace test;

namespace {

/// A floating tree; `kinds` are those of the joints on its root.
ModelSpec floating(RandomStream& stream, const std::vector<JointKind>& kinds, const Vec3<>& gravity) {
  ModelSpec spec =
      random_spec(stream, {.links = 1 + static_cast<int>(kinds.size()), .branching = 0.0, .armature = false});
  spec.joints[0].kind = JointKind::free;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    JointSpec& joint = spec.joints[i + 1];
    joint.kind = kinds[i];
    joint.parent = i == 2 ? "body0" : "body" + std::to_string(i);
    joint.passive = {{.armature = 0.2, .damping = 0.3, .stiffness = 1.0}};
  }
  spec.gravity = gravity;
  return spec;
}

/// A tree on which nothing acts from outside but its weight, and which says so.
class FloatingSystem : public MechanismSystem {
 public:
  explicit FloatingSystem(const ModelSpec& spec, bool work_of_passive = true)
      : MechanismSystem(spec, work_of_passive), place_(model()), scratch_(model()) {}

  bool derivatives(double t, std::span<const double> q, std::span<const double> v, std::span<const double> auxiliary,
                   std::span<double> vdot, std::span<double> auxiliary_derivative) override {
    const bool ok = MechanismSystem::derivatives(t, q, v, auxiliary, vdot, auxiliary_derivative);
    if (norm(model().gravity()) > 0.0) kinematics(model(), q, v, vdot, place_);
    return ok;
  }
  bool outside_wrench(const Vec3<>& point, Wrench<>& wrench) override {
    if (!tells) return false;
    wrench = zero_wrench();
    if (norm(model().gravity()) == 0.0) return true;
    const CentroidalMomentum whole = centroidal_momentum(model(), place_, scratch_);
    const Vec3<> weight = whole.mass * model().gravity();
    wrench = {weight, cross(whole.center - point, weight)};
    return true;
  }

  bool tells = true;

 private:
  KinematicsWorkspace place_;
  CentroidalWorkspace scratch_;
};

double largest(const Vec3<>& a) {
  return max(abs(a.x), max(abs(a.y), abs(a.z)));
}

const std::vector<std::vector<JointKind>> kTrees = {{JointKind::revolute, JointKind::revolute},
                                                    {JointKind::spherical, JointKind::revolute, JointKind::screw},
                                                    {JointKind::universal, JointKind::planar, JointKind::free}};

}  // namespace

TEST_CASE("momentum form: the momentum is that of the tree about b, and gives the root's velocity back") {
  for (std::uint64_t run = 0; run < 60; ++run) {
    CAPTURE(run);
    RandomStream stream(321, run);
    FloatingSystem system(floating(stream, kTrees[run % 3], {0, 0, -9.81}));
    const Model& model = system.model();
    const Vec3<> b{stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)};
    MomentumForm form(system, b);
    MotionState state = random_state(form, stream);
    form.take_momentum(state);
    KinematicsWorkspace place(model);
    CentroidalWorkspace scratch(model);
    const std::vector<double> zero(state.v.size());
    kinematics(model, state.q, state.v, zero, place);
    const Vec3<> r_b = pose_of(place, point_place(model, model.body("body0"), b)).translation;
    const Momentum<> M = momentum_about(centroidal_momentum(model, place, scratch), r_b);
    // Sums over up to four links of momenta of size 10: a few roundings each.
    CHECK(largest(form.position(state) - r_b) <= 30 * kEpsilon<double>);
    CHECK(largest(form.momentum(state).linear - M.linear) <= 300 * kEpsilon<double>);
    CHECK(largest(form.momentum(state).angular - M.angular) <= 300 * kEpsilon<double>);
    MotionState again = state;
    for (int i = 0; i < 6; ++i) again.v[static_cast<std::size_t>(i)] = 7.0;
    for (int i = 0; i < 3; ++i) again.q[static_cast<std::size_t>(i)] = 7.0;
    form.prescribe(0.0, again.q, again.v, again.auxiliary);
    // The condition of the inertia of the whole, below 1e3.
    CHECK(distance(form, state, again) <= 1e3 * kEpsilon<double>);
  }
}

TEST_CASE("momentum form: a tree moves as it does in velocities, whether its weight is told or found") {
  for (std::size_t m = 0; m < kTrees.size(); ++m) {
    for (const bool tells : {true, false}) {
      CAPTURE(m);
      CAPTURE(tells);
      RandomStream stream(322, m);
      FloatingSystem system(floating(stream, kTrees[m], {0.5, 0, -2.0}));
      system.tells = tells;
      MomentumForm form(system, {0.2, -0.1, 0.3});
      MotionState start = random_state(form, stream);
      form.take_momentum(start);
      MotionState plain = start;
      plain.auxiliary.resize(1);
      const MotionState by_velocity = after(system, Method::dormand_prince, plain, 1e-3, 500);
      for (const Method method : {Method::dormand_prince, Method::rk4, Method::rk4_quaternion}) {
        MotionState by_momentum = after(form, method, start, 1e-3, 500);
        by_momentum.auxiliary.resize(1);
        // Seen: 5e-14, rounding, and 3e-11, the error of the steps of order 4.
        const double allowed = method == Method::dormand_prince ? 2e-13 : 1e-10;
        CHECK(distance(system, by_velocity, by_momentum) <= allowed);
      }
    }
  }
}

TEST_CASE("momentum form: every method keeps its order") {
  RandomStream stream(323);
  FloatingSystem system(floating(stream, kTrees[2], {0, 0, -1.0}));
  MomentumForm form(system, {0.2, -0.1, 0.3});
  MotionState start = random_state(form, stream, 0.5);
  form.take_momentum(start);
  for (const MethodFacts& method : kMethodFacts) {
    if (method.method == Method::symplectic_midpoint) continue;
    CAPTURE(method.name);
    const bool high = method.method == Method::dormand_prince;
    const double duration = high ? 2.0 : 0.4;
    const int first = high ? 16 : method.order >= 4 ? 8 : 128;
    const MotionState exact = after(form, Method::dormand_prince, start, duration / (first * 96), first * 96);
    // The terms of order 5 and 6 of Dormand and Prince part late: its first halvings show the better one.
    const double more = measured_order(form, method.method, start, duration, first, exact) - method.order;
    CHECK(more >= -0.1);
    CHECK(more <= (high ? 0.25 : 0.1));
  }
}

TEST_CASE("momentum form: in free flight p holds to the bit and L_b + r_b x p to rounding, over 10^6 steps of a tree") {
#ifdef NDEBUG
  const int steps = 1000000;
#else
  const int steps = 5000;  // with assertions or under sanitizers, for time's sake
#endif
  RandomStream stream(324);
  FloatingSystem system(floating(stream, kTrees[0], {0, 0, 0}), false);
  MomentumForm form(system, {0.2, -0.1, 0.3});
  MotionState from = random_state(form, stream), to = from;
  form.take_momentum(from);
  const auto about_origin = [&](const MotionState& state) {
    return transfer(form.momentum(state), -form.position(state));
  };
  const Momentum<> before = about_origin(from);
  const double angular = norm(form.momentum(from).angular);
  Stepper stepper(form, Method::rk4);
  for (int i = 0; i < steps; ++i) {
    REQUIRE(stepper.step(from, 1e-3, to).ok());
    std::swap(from, to);
  }
  const Momentum<> now = about_origin(from);
  CHECK(largest(now.linear - before.linear) == 0.0);
  // Each step rounds r_b and L_b once, by half a unit in the last place: a random walk. Seen: 0.13 of the bound.
  const double size = norm(before.linear) * norm(form.position(from)) + angular;
  CHECK(largest(now.angular - before.angular) <= kEpsilon<double> * std::sqrt(steps) * size);
  // And it is the momentum of the bodies.
  MotionState fresh = from;
  form.take_momentum(fresh);
  CHECK(largest(form.momentum(fresh).linear - before.linear) <= 300 * kEpsilon<double>);
}

TEST_CASE("momentum form: under its weight p gains m g t to rounding, told or found") {
  const Vec3<> g{0.5, 0, -2.0};
  for (const bool tells : {true, false}) {
    RandomStream stream(325);
    FloatingSystem system(floating(stream, kTrees[1], g));
    system.tells = tells;
    MomentumForm form(system, {0.2, -0.1, 0.3});
    MotionState start = random_state(form, stream);
    form.take_momentum(start);
    const int steps = 20000;
    const MotionState end = after(form, Method::rk4, start, 1e-3, steps);
    double mass = 0.0;
    for (const Link& link : system.model().links()) mass += link.inertia.mass;
    const Vec3<> gain = (mass * end.t) * g;
    const double off = largest(form.momentum(end).linear - form.momentum(start).linear - gain);
    // The same increment in every step, so that its rounding repeats itself; found from accelerations: the roundings
    // of all joint forces, too. Seen: 0.04 of the bound.
    CHECK(off <= kEpsilon<double> * steps * norm(gain));
  }
}

TEST_CASE("momentum form: no step allocates; a tree on the ground and wrong sizes are wrong calls") {
  RandomStream stream(326);
  FloatingSystem system(floating(stream, kTrees[2], {0, 0, -9.81}));
  system.tells = false;
  MomentumForm form(system);
  MotionState from = random_state(form, stream), to = from, between = from;
  form.take_momentum(from);
  Stepper stepper(form, Method::rk4);
  const std::size_t before = count_allocations();
  const bool done = stepper.step(from, 1e-3, to).ok() && stepper.interpolate(from, to, 0.5, between);
  CHECK(count_allocations() == before);
  CHECK(done);
  CHECK_THROWS_AS((void)Stepper(form, Method::symplectic_midpoint), UsageError);
  ModelSpec grounded = floating(stream, kTrees[0], {0, 0, 0});
  grounded.joints[0].kind = JointKind::spherical;
  MechanismSystem on_the_ground(grounded);
  CHECK_THROWS_AS((void)MomentumForm(on_the_ground), UsageError);
  from.auxiliary.pop_back();
  CHECK_THROWS_AS(form.take_momentum(from), UsageError);
  CHECK_THROWS_AS((void)form.momentum(from), UsageError);
  CHECK_THROWS_AS((void)form.position(from), UsageError);
}
