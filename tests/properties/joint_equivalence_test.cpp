// Joints of several freedoms against chains of simpler ones through bodies without mass, and other joints that are
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

/// The engine's acceleration of every body of a spec after inverse dynamics, less gravity, in the body's frame; and the
/// wrench of its joint on it.
struct BodyState {
  std::vector<Twist<>> A;
  std::vector<Wrench<>> F;
};

BodyState body_state(DynamicsOf& dynamics, std::size_t bodies) {
  const InverseDynamicsBuffers<double> at = dynamics.inverse_work.view();
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

RandomModelOptions trees(std::uint64_t run) {
  return {.links = 1 + static_cast<int>(run % 12),
          .branching = run % 3 == 0 ? 0.0 : 0.4,
          .armature = run % 2 == 0,
          .passive = run % 4 == 0};
}

}  // namespace

TEST_CASE("equivalence: cylindrical = P R, universal = R R, planar = P P R, translational = P P P") {
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    RandomStream stream(91, run);
    const ModelSpec spec = random_spec(stream, trees(run));
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
    CHECK(error <= 2.0);  // the worst seen is 0.55
    const Numbers vdot = apart.forward(state.q, state.v, state.tau);
    const double forward_error =
        worst(whole.inverse(state.q, state.v, vdot), state.tau, whole.scale(state.q, state.v, vdot)) / n;
    CHECK(forward_error <= 1.0);  // the worst seen is 0.33
  }
}

TEST_CASE("equivalence: a ball joint is three pins, away from their singularity") {
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    RandomStream stream(92, run);
    ModelSpec spec = random_spec(stream, trees(run));
    for (JointSpec& joint : spec.joints) {
      if (stream.uniform() < 0.3) joint.kind = JointKind::spherical;
      if (joint.kind == JointKind::spherical) joint.passive.clear();  // it is not the same about other axes
    }
    DynamicsOf ball(spec), pins(taken_apart(spec, [](JointKind kind) { return kind == JointKind::spherical; }));
    const RandomState state(pins.model, stream);
    Numbers pin_q = state.q, q(size(ball.model.nq())), v(state.v.size()), vdot(v.size());
    for (const ModelJoint& joint : ball.model.joints()) {
      const bool is_ball = joint.kind == JointKind::spherical;
      const ModelJoint& first = pins.model.joints()[size(pins.model.joint(joint.name + (is_ball ? ".x" : "")))];
      const std::size_t from = size(first.v), to = size(joint.v);
      if (!is_ball) {
        for (int i = 0; i < facts(joint.kind).nq; ++i) q[size(joint.q + i)] = state.q[size(first.q + i)];
        for (std::size_t i = 0; i < size(facts(joint.kind).nv); ++i) {
          v[to + i] = state.v[from + i];
          vdot[to + i] = state.vdot[from + i];
        }
        continue;
      }
      double* const angles = &pin_q[size(first.q)];
      angles[1] *= 0.3;  // the middle one stays 30 degrees and more away from a right angle
      // R = Rx Ry Rz turning in time, its angular velocity in the child's axes from R'dR/dt.
      const auto turning = [&](const double* rates, const double* second) {
        const Jet x = jet(angles[0], rates[0], second[0]), y = jet(angles[1], rates[1], second[1]),
                  z = jet(angles[2], rates[2], second[2]);
        const Jet nil(0.0), one(1.0);
        const Mat3<Jet> R = rotation_about(Vec3<Jet>{one, nil, nil}, x) * rotation_about(Vec3<Jet>{nil, one, nil}, y) *
                            rotation_about(Vec3<Jet>{nil, nil, one}, z);
        return R;
      };
      const auto angular = [](const Mat3<Jet>& R) {
        const auto entry = [&](auto pick) {
          return from_rows(Vec3<Rate>{pick(R.xx), pick(R.xy), pick(R.xz)},
                           Vec3<Rate>{pick(R.yx), pick(R.yy), pick(R.yz)},
                           Vec3<Rate>{pick(R.zx), pick(R.zy), pick(R.zz)});
        };
        return skew_part(transpose_times(entry([](const Jet& e) { return e.value; }),
                                         entry([](const Jet& e) { return e.derivative[0]; })));
      };
      const Mat3<Jet> R = turning(&state.v[from], &state.vdot[from]);
      const Vec3<Rate> w = angular(R);
      const auto value = [](const Jet& e) { return e.value.value; };
      const Quaternion<> r = quaternion(Mat3<>{value(R.xx), value(R.xy), value(R.xz), value(R.yx), value(R.yy),
                                               value(R.yz), value(R.zx), value(R.zy), value(R.zz)});
      for (std::size_t i = 0; i < 4; ++i) q[size(joint.q) + i] = to_array(r)[i];
      for (std::size_t i = 0; i < 3; ++i) {
        v[to + i] = to_array(w)[i].value;
        vdot[to + i] = to_array(w)[i].derivative[0];
      }
    }
    const std::size_t bodies = spec.bodies.size();
    const Numbers needed = ball.inverse(q, v, vdot);
    const BodyState by_ball = body_state(ball, bodies);
    (void)pins.inverse(pin_q, state.v, state.vdot);
    const BodyState by_pins = body_state(pins, bodies);
    const double n = static_cast<double>(pins.model.links().size());
    const double error_A = distance(by_ball.A, by_pins.A) / (n * kEpsilon<double> * largest(by_ball.A));
    const double error_F = distance(by_ball.F, by_pins.F) / (n * kEpsilon<double> * largest(by_ball.F));
    CHECK(error_A <= 2.0);  // the worst seen is 0.70
    CHECK(error_F <= 3.0);  // 0.96

    // Forward: the efforts that the pins need for the motion make the ball move like that, too.
    const Numbers pin_tau = pins.inverse(pin_q, state.v, state.vdot);
    const Numbers pin_found = pins.forward(pin_q, state.v, pin_tau);
    const Numbers found = ball.forward(q, v, needed);
    (void)ball.inverse(q, v, found);
    const BodyState ball_moves = body_state(ball, bodies);
    (void)pins.inverse(pin_q, state.v, pin_found);
    const BodyState pins_move = body_state(pins, bodies);
    // Accelerations lose the condition of M: the worst seen is 270.
    const double error = distance(ball_moves.A, pins_move.A) / (n * kEpsilon<double> * largest(by_ball.A));
    CHECK(error <= 800.0);
  }
}

TEST_CASE("equivalence: a free joint is a translational and a ball joint") {
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    RandomStream stream(93, run);
    ModelSpec spec = random_spec(stream, trees(run));
    spec.joints[0].kind = JointKind::free;
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
      for (const ModelJoint& joint : free.model.joints())
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
    CHECK(error <= 4.0);  // the worst seen is 1.3
    Numbers found = apart.forward(state.q, v, tau);
    each_free([&](std::size_t at, std::size_t q) {
      turned(at, q, three(found, at), found, false);
      const Vec3<> carried = cross(three(state.v, at + 3), three(state.v, at));
      for (std::size_t i = 0; i < 3; ++i) found[at + i] -= to_array(carried)[i];
    });
    const double forward_error =
        worst(free.inverse(state.q, state.v, found), state.tau, free.scale(state.q, state.v, found)) / n;
    CHECK(forward_error <= 1.2);  // the worst seen is 0.39
  }
}

TEST_CASE("equivalence: a screw tends to the prismatic joint as its pitch grows") {
  for (std::uint64_t run = 0; run < 50; ++run) {
    CAPTURE(run);
    RandomStream stream(94, run);
    ModelSpec spec = random_spec(stream, {.links = 1 + static_cast<int>(run % 8), .armature = false});
    const std::size_t chosen = stream.below(spec.joints.size());
    spec.joints[chosen].kind = JointKind::prismatic;
    DynamicsOf prismatic(spec);
    const RandomState state(prismatic.model, stream);
    const std::size_t at_q = size(prismatic.model.joints()[chosen].q), at = size(prismatic.model.joints()[chosen].v);
    const Numbers expected = prismatic.forward(state.q, state.v, state.tau);
    spec.joints[chosen].kind = JointKind::screw;
    double before = __builtin_inf();
    for (double pitch = 1e2; pitch <= 1e6; pitch *= 1e2) {
      spec.joints[chosen].pitch_m_per_rad = pitch;
      DynamicsOf screw(spec);
      RandomState turned = state;  // the same travel, told as an angle
      turned.q[at_q] /= pitch;
      turned.v[at] /= pitch;
      turned.tau[at] *= pitch;
      Numbers found = screw.forward(turned.q, turned.v, turned.tau);
      found[at] *= pitch;
      double difference = 0.0;
      for (std::size_t i = 0; i < found.size(); ++i) difference = max(difference, abs(found[i] - expected[i]));
      // The rotation that goes with the travel is in proportion to 1 / pitch, and so is its effect: a hundredth each
      // time, within a factor of four; the least, 1e-6 of it, is far above rounding.
      CHECK(difference <= 0.04 * before);
      before = difference;
    }
    CHECK(before <= 1e-3 * norm(expected));
  }
}

TEST_CASE("equivalence: a gear pair is two wheels with the constraint solved by hand") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(95, run);
    ModelSpec spec = random_spec(stream, {.links = 2, .branching = 0.0, .passive = run % 2 == 0});
    const auto one_freedom = [&] { return static_cast<JointKind>(1 + stream.below(3)); };
    spec.joints[0].kind = one_freedom();
    spec.joints[1].kind = one_freedom();
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
