// Joints of several dofs against chains of simpler ones through bodies without mass, and other joints that are
// limits or combinations of each other.
#include <doctest/doctest.h>

#include "properties/body_motion.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

JointSpec simple(const JointSpec& whole, JointKind kind, const Vec3<>& axis, const std::string& suffix) {
  JointSpec part;
  part.name = whole.name + suffix;
  part.kind = kind;
  part.axis = axis;
  return part;
}

/// The chain of simpler joints that a joint is, in the order of its numbers; the joint itself where it is simple.
std::vector<JointSpec> parts_of(const JointSpec& joint) {
  const Vec3<> a = joint.axis, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  constexpr JointKind kTurn = JointKind::revolute, kSlide = JointKind::prismatic;
  switch (joint.kind) {
    case JointKind::cylindrical:
      return {simple(joint, kSlide, a, ".travel"), simple(joint, kTurn, a, ".angle")};
    case JointKind::universal:
      return {simple(joint, kTurn, a, ".parent"), simple(joint, kTurn, joint.second_axis, ".child")};
    case JointKind::planar: {
      const Vec3<> n = normalized(a), along = joint.second_axis - dot(joint.second_axis, n) * n;
      return {simple(joint, kSlide, along, ".x"), simple(joint, kSlide, cross(n, along), ".y"),
              simple(joint, kTurn, a, ".angle")};
    }
    case JointKind::translational:
      return {simple(joint, kSlide, x, ".x"), simple(joint, kSlide, y, ".y"), simple(joint, kSlide, z, ".z")};
    case JointKind::spherical:
      return {simple(joint, kTurn, x, ".x"), simple(joint, kTurn, y, ".y"), simple(joint, kTurn, z, ".z")};
    case JointKind::free:
      return {simple(joint, JointKind::translational, z, ".position"),
              simple(joint, JointKind::spherical, z, ".orientation")};
    default:
      return {joint};
  }
}

/// The spec with every joint for which `taken` says so replaced by its parts.
template <class Taken>
ModelSpec taken_apart(const ModelSpec& spec, Taken taken) {
  ModelSpec result = spec;
  result.joints.clear();
  for (const JointSpec& joint : spec.joints) {
    std::vector<JointSpec> parts{joint};
    if (taken(joint.kind)) parts = parts_of(joint);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      JointSpec& part = parts[i];
      part.passive = joint.passive;
      part.parent = i == 0 ? joint.parent : parts[i - 1].child;
      part.X_PJ = i == 0 ? joint.X_PJ : identity_pose<double>();
      part.child = joint.child;
      part.X_CJ = joint.X_CJ;
      if (i + 1 < parts.size()) {
        BodySpec between;
        between.name = joint.child + " before " + std::to_string(i + 1);
        between.inertia = zero_inertia<double>();
        part.child = between.name;
        part.X_CJ = identity_pose<double>();
        result.bodies.push_back(between);
      }
      result.joints.push_back(part);
    }
  }
  return result;
}

/// The engine's acceleration of every body of a spec by inverse dynamics, less gravity, in the body's frame; and the
/// wrench of its joint on it.
struct BodyState {
  std::vector<Twist<>> A;
  std::vector<Wrench<>> F;
};

BodyState body_state(DynamicsOf& dynamics, const RandomState& motion, std::size_t bodies) {
  const InverseDynamicsBuffers<double> at = dynamics.recursion(motion.q, motion.v, motion.vdot);
  BodyState state;
  for (const ModelBody& body : dynamics.model.bodies().first(bodies)) {
    state.A.push_back(inverse_times(body.X_LB, at.A[size(body.link)]));
    state.F.push_back(inverse_times(body.X_LB, at.F[size(body.link)]));
  }
  return state;
}

template <class Screw>
double largest(const std::vector<Screw>& screws) {
  double most = 0.0;
  for (const Screw& screw : screws)
    for (const double x : to_array(screw)) most = max(most, abs(x));
  return most;
}
template <class Screw>
double distance(const std::vector<Screw>& a, const std::vector<Screw>& b) {
  std::vector<Screw> difference;
  for (std::size_t i = 0; i < a.size(); ++i) difference.push_back(a[i] - b[i]);
  return largest(difference);
}

/// R = Rx Ry Rz turning in time, with its angular velocity in the child's axes from R'dR/dt.
struct BallMotion {
  BallMotion(const double* angles, const double* derivatives, const double* second) {
    const Jet nil(0.0), one(1.0);
    const auto angle = [&](int i) { return jet(angles[i], derivatives[i], second[i]); };
    const Mat3<Jet> R = rotation_about(Vec3<Jet>{one, nil, nil}, angle(0)) *
                        rotation_about(Vec3<Jet>{nil, one, nil}, angle(1)) *
                        rotation_about(Vec3<Jet>{nil, nil, one}, angle(2));
    const auto entries = [&](auto pick) {
      return from_rows(Vec3{pick(R.xx), pick(R.xy), pick(R.xz)}, Vec3{pick(R.yx), pick(R.yy), pick(R.yz)},
                       Vec3{pick(R.zx), pick(R.zy), pick(R.zz)});
    };
    rotation = quaternion(entries([](const Jet& e) { return e.value.value; }));
    w = skew_part(transpose_times(entries([](const Jet& e) { return e.value; }),
                                  entries([](const Jet& e) { return e.derivative[0]; })));
  }

  Quaternion<> rotation;
  Vec3<Rate> w;
};

/// Its numbers are among the independent ones.
const IndependentJoint& independent(const Model& model, const std::string& name) {
  for (const IndependentJoint& joint : model.independent_joints())
    if (model.joints()[size(joint.joint)].name == name) return joint;
  throw std::runtime_error("no independent joint " + name);
}

/// Gives a joint another kind, and frees it of its couplings.
void change(ModelSpec& spec, JointSpec& joint, JointKind kind) {
  joint.kind = kind;
  std::erase_if(spec.couplings, [&](const CouplingSpec& c) { return c.joint == joint.name || c.driver == joint.name; });
}

/// Trees of every variety. Extreme mass ratios are what the refinement of forward dynamics is for.
struct Trees {
  explicit Trees(std::uint64_t run) : options(variety(run)) {}
  DynamicsOptions forward() const { return {.refine = options.mass_ratio > 100.0}; }

  RandomModelOptions options;
};

}  // namespace

TEST_CASE("equivalence: cylindrical = P R, universal = R R, planar = P P R, translational = P P P") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(91, run);
    const Trees trees(run);
    const ModelSpec spec = random_spec(stream, trees.options);
    DynamicsOf whole(spec);
    DynamicsOf apart(
        taken_apart(spec, [](JointKind kind) { return kind != JointKind::spherical && kind != JointKind::free; }));
    const RandomState state(whole.model, stream);
    REQUIRE(apart.model.nv() == whole.model.nv());
    // The numbers are the same ones, in the same order.
    const double n = static_cast<double>(apart.model.links().size());
    const double error = worst(whole.inverse(state.q, state.v, state.vdot), apart.inverse(state.q, state.v, state.vdot),
                               whole.scale(state.q, state.v, state.vdot)) /
                         n;
    CHECK(error <= 2.5);  // the worst seen is 0.86
    const Numbers vdot = apart.forward(state.q, state.v, state.tau, trees.forward());
    const double forward_error =
        worst(whole.inverse(state.q, state.v, vdot), state.tau, whole.scale(state.q, state.v, vdot)) / n;
    CHECK(forward_error <= 1.2);  // the worst seen is 0.39
  }
}

TEST_CASE("equivalence: a ball joint is three pins, away from their singularity") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(92, run);
    const Trees trees(run);
    ModelSpec spec = random_spec(stream, trees.options);
    for (JointSpec& joint : spec.joints) {
      if (stream.uniform() < 0.3 && joint.kind != JointKind::fixed) change(spec, joint, JointKind::spherical);
      if (joint.kind == JointKind::spherical) joint.passive.clear();  // it is not the same about other axes
    }
    DynamicsOf ball(spec), pins(taken_apart(spec, [](JointKind kind) { return kind == JointKind::spherical; }));
    RandomState state(pins.model, stream);
    const auto first_pin = [&](const IndependentJoint& joint) -> const IndependentJoint& {
      const std::string& name = ball.model.joints()[size(joint.joint)].name;
      return independent(pins.model, joint.kind == JointKind::spherical ? name + ".x" : name);
    };
    // The middle one stays 30 degrees and more away from a right angle.
    for (const IndependentJoint& joint : ball.model.independent_joints())
      if (joint.kind == JointKind::spherical) state.q[size(first_pin(joint).q) + 1] *= 0.3;
    const auto motion = [&](const Numbers& pin_vdot) {
      RandomState by_ball(ball.model, stream);
      for (const IndependentJoint& joint : ball.model.independent_joints()) {
        const IndependentJoint& first = first_pin(joint);
        const std::size_t from = size(first.v), to = size(joint.v);
        if (joint.kind == JointKind::spherical) {
          const BallMotion turning(&state.q[size(first.q)], &state.v[from], &pin_vdot[from]);
          for (std::size_t i = 0; i < 4; ++i) by_ball.q[size(joint.q) + i] = to_array(turning.rotation)[i];
          for (std::size_t i = 0; i < 3; ++i) by_ball.v[to + i] = to_array(turning.w)[i].value;
          for (std::size_t i = 0; i < 3; ++i) by_ball.vdot[to + i] = to_array(turning.w)[i].derivative[0];
          continue;
        }
        for (int i = 0; i < facts(joint.kind).nq; ++i) by_ball.q[size(joint.q + i)] = state.q[size(first.q + i)];
        for (std::size_t i = 0; i < size(facts(joint.kind).nv); ++i) {
          by_ball.v[to + i] = state.v[from + i];
          by_ball.vdot[to + i] = pin_vdot[from + i];
        }
      }
      return by_ball;
    };
    const RandomState moving = motion(state.vdot);
    const std::size_t bodies = spec.bodies.size();
    const Numbers needed = ball.inverse(moving.q, moving.v, moving.vdot);
    const BodyState by_ball = body_state(ball, moving, bodies);
    const Numbers pin_tau = pins.inverse(state.q, state.v, state.vdot);
    const BodyState by_pins = body_state(pins, state, bodies);
    const double n = static_cast<double>(pins.model.links().size());
    const double error_A = distance(by_ball.A, by_pins.A) / (n * kEpsilon<double> * largest(by_ball.A));
    const double error_F = distance(by_ball.F, by_pins.F) / (n * kEpsilon<double> * largest(by_ball.F));
    CHECK(error_A <= 3.0);  // the worst seen is 1.0
    CHECK(error_F <= 3.0);  // 0.96

    // Forward: under the efforts that the pins need they move so that the ball needs its own.
    const RandomState found = motion(pins.forward(state.q, state.v, pin_tau, trees.forward()));
    const double forward_error =
        worst(ball.inverse(found.q, found.v, found.vdot), needed, ball.scale(found.q, found.v, found.vdot)) / n;
    CHECK(forward_error <= 1.5);  // the worst seen is 0.51
  }
}

TEST_CASE("equivalence: a free joint is a translational and a ball joint") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(93, run);
    const Trees trees(run);
    ModelSpec spec = random_spec(stream, trees.options);
    change(spec, spec.joints[0], JointKind::free);
    for (JointSpec& joint : spec.joints)
      if (joint.kind == JointKind::free) joint.passive.clear();
    DynamicsOf free(spec), apart(taken_apart(spec, [](JointKind kind) { return kind == JointKind::free; }));
    const RandomState state(free.model, stream);
    // Positions and quaternions are the same numbers; linear velocities are in the child's axes against the parent's.
    Numbers v = state.v, vdot = state.vdot, tau = state.tau;
    const auto turned = [&](std::size_t at, std::size_t first_q, const Vec3<>& a, Numbers& numbers, bool forth) {
      const Quaternion<> r{state.q[first_q + 3], state.q[first_q + 4], state.q[first_q + 5], state.q[first_q + 6]};
      const Vec3<> b = rotate(forth ? r : conjugate(r), a);
      for (std::size_t i = 0; i < 3; ++i) numbers[at + i] = to_array(b)[i];
    };
    const auto three = [](const Numbers& numbers, std::size_t at) {
      return Vec3<>{numbers[at], numbers[at + 1], numbers[at + 2]};
    };
    const auto each_free = [&](auto action) {
      for (const IndependentJoint& joint : free.model.independent_joints())
        if (joint.kind == JointKind::free) action(size(joint.v), size(joint.q));
    };
    each_free([&](std::size_t at, std::size_t q) {
      const Vec3<> u = three(state.v, at), w = three(state.v, at + 3);
      turned(at, q, u, v, true);
      turned(at, q, three(state.vdot, at) + cross(w, u), vdot, true);
      turned(at, q, three(state.tau, at), tau, true);
    });
    const double n = static_cast<double>(apart.model.links().size());
    Numbers efforts = apart.inverse(state.q, v, vdot);
    each_free([&](std::size_t at, std::size_t q) { turned(at, q, three(efforts, at), efforts, false); });
    const double error =
        worst(free.inverse(state.q, state.v, state.vdot), efforts, free.scale(state.q, state.v, state.vdot)) / n;
    CHECK(error <= 6.0);  // the worst seen is 2.1
    Numbers found = apart.forward(state.q, v, tau, trees.forward());
    each_free([&](std::size_t at, std::size_t q) {
      turned(at, q, three(found, at), found, false);
      const Vec3<> carried = cross(three(state.v, at + 3), three(state.v, at));
      for (std::size_t i = 0; i < 3; ++i) found[at + i] -= to_array(carried)[i];
    });
    const double forward_error =
        worst(free.inverse(state.q, state.v, found), state.tau, free.scale(state.q, state.v, found)) / n;
    CHECK(forward_error <= 1.6);  // the worst seen is 0.52
  }
}

TEST_CASE("equivalence: a screw tends to the prismatic joint as its pitch grows") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(94, run);
    Trees trees(run);
    trees.options.armature = trees.options.passive = false;
    ModelSpec spec = random_spec(stream, trees.options);
    std::size_t chosen = stream.below(spec.joints.size());
    if (spec.joints[chosen].kind == JointKind::fixed) --chosen;  // a weld comes after the joint of its parent
    change(spec, spec.joints[chosen], JointKind::prismatic);
    DynamicsOf prismatic(spec);
    const RandomState state(prismatic.model, stream);
    const IndependentJoint joint = independent(prismatic.model, spec.joints[chosen].name);
    const Numbers needed = prismatic.inverse(state.q, state.v, state.vdot);
    const Numbers scale = prismatic.scale(state.q, state.v, state.vdot);
    spec.joints[chosen].kind = JointKind::screw;
    double before = __builtin_inf(), forward_before = before;
    // A heavy body turns with inertia / pitch^2, which must be little to the lightest: pitch^2 far above the mass
    // ratio.
    for (double pitch = 1e4; pitch <= 1e8; pitch *= 1e2) {
      spec.joints[chosen].pitch_m_per_rad = pitch;
      DynamicsOf screw(spec);
      RandomState turned = state;  // the same travel, told as an angle
      turned.q[size(joint.q)] /= pitch;
      turned.v[size(joint.v)] /= pitch;
      turned.vdot[size(joint.v)] /= pitch;
      turned.tau[size(joint.v)] *= pitch;
      Numbers efforts = screw.inverse(turned.q, turned.v, turned.vdot);
      efforts[size(joint.v)] /= pitch;
      Numbers vdot = screw.forward(turned.q, turned.v, turned.tau, trees.forward());
      vdot[size(joint.v)] *= pitch;
      // The rotation that goes with the travel is in proportion to 1 / pitch, and so is its effect: a hundredth each
      // time, within a factor of four, down to rounding.
      const double floor = 20.0 * static_cast<double>(spec.joints.size());
      const double difference = worst(efforts, needed, scale);
      CHECK(difference <= 0.04 * before + floor);
      before = difference;
      const double forward_difference =
          worst(prismatic.inverse(state.q, state.v, vdot), state.tau, prismatic.scale(state.q, state.v, vdot));
      CHECK(forward_difference <= 0.04 * forward_before + floor);
      forward_before = forward_difference;
    }
    const double error = max(before, forward_before) * kEpsilon<double>;
    CHECK(error <= 3.5e-8);  // the worst seen is 1.1e-8
  }
}

TEST_CASE("equivalence: a gear pair is two wheels with the constraint solved by hand") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(95, run);
    ModelSpec spec = random_spec(stream, {.links = 2, .branching = 0.0, .passive = run % 2 == 0});
    const auto one_dof = [&] { return static_cast<JointKind>(1 + stream.below(3)); };
    spec.joints[0].kind = one_dof();
    spec.joints[1].kind = one_dof();
    if (run % 3 != 0) spec.joints[1].parent = kWorld;  // side by side, or the second on the first
    DynamicsOf loose(spec);
    CouplingSpec gear;
    gear.joint = "joint1";
    gear.driver = "joint0";
    gear.ratio = stream.uniform(-3.0, 3.0);
    gear.offset = stream.uniform(-1.0, 1.0);
    spec.couplings.push_back(gear);
    DynamicsOf geared(spec);
    REQUIRE(geared.model.nv() == 1);
    const double q0 = stream.uniform(-1, 1), v0 = stream.uniform(-1, 1), tau0 = stream.uniform(-1, 1), r = gear.ratio;
    const Numbers q{q0, r * q0 + gear.offset}, v{v0, r * v0};
    // M vdot + b = (tau, 0) + lambda (-r, 1) with vdot = (1, r) x: the multiplier drops out of row 0 + r row 1.
    const Numbers M = loose.mass(q), b = loose.inverse(q, v, {0.0, 0.0});
    const double inertia = M[0] + 2.0 * r * M[1] + r * r * M[3];
    const double x = (tau0 - b[0] - r * b[1]) / inertia;
    const double found = geared.forward({q0}, {v0}, {tau0})[0];
    const Numbers scale = geared.scale({q0}, {v0}, {found});
    const double sizes = abs(M[0]) + abs(2.0 * r * M[1]) + abs(r * r * M[3]);
    CHECK(abs(geared.mass({q0})[0] - inertia) <= 4 * kEpsilon<double> * sizes);
    CHECK(abs(found - x) <= 8 * kEpsilon<double> * (scale[0] + sizes * abs(x)) / inertia);
    // The gear's effort on the driven wheel, from row 1, balances row 0 at the driver through the ratio.
    const double lambda = M[2] * x + M[3] * r * x + b[1];
    CHECK(abs(M[0] * x + M[1] * r * x + b[0] - (tau0 - r * lambda)) <=
          8 * kEpsilon<double> * (scale[0] + sizes * abs(x)));
  }
}
