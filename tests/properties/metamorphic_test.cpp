// One mechanism described in two ways moves the same way.
//
// Every law compares through efforts: the inverse dynamics of one description must give what the other one gives, and
// accelerations found by one, put into the other's inverse dynamics, must need the efforts they were found for. So no
// condition number enters, and the bound is some n eps of the sizes of all terms (DynamicsOf::scale). Forward dynamics
// has a wider one for mass ratios of 1e6: where a heavy body is carried by several light ones in a row, the articulated
// recursion loses a digit or two (one tree in a thousand).
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "properties/body_motion.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

constexpr double kInverseBound = 7.0;   // the worst seen is 2.4
constexpr double kForwardBound = 12.0;  // the worst seen is 4.0

/// How the numbers of one description become those of the other, dof by dof: other = factor * one. Efforts
/// carry their own factors.
struct Translation {
  std::vector<std::size_t> q, v;  ///< where number i of the one stands in the other
  Numbers q_factor, v_factor, tau_factor;

  /// Nothing changes.
  explicit Translation(const Model& model)
      : q(size(model.nq())),
        v(size(model.nv())),
        q_factor(q.size(), 1.0),
        v_factor(v.size(), 1.0),
        tau_factor(v_factor) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = i;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = i;
  }

  static Numbers carry(const Numbers& numbers, const std::vector<std::size_t>& to, const Numbers& factors) {
    Numbers result(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) result[to[i]] = factors[i] * numbers[i];
    return result;
  }
  static Numbers back(const Numbers& numbers, const std::vector<std::size_t>& from, const Numbers& factors) {
    Numbers result(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) result[i] = numbers[from[i]] / factors[i];
    return result;
  }
};

/// Compares inverse and forward dynamics of two descriptions, the latter refined if so told.
void compare(DynamicsOf& one, DynamicsOf& other, const RandomState& state, const Translation& to, bool refine) {
  const double n = static_cast<double>(one.model.links().size());
  const Numbers q = Translation::carry(state.q, to.q, to.q_factor);
  const Numbers v = Translation::carry(state.v, to.v, to.v_factor);
  const Numbers vdot = Translation::carry(state.vdot, to.v, to.v_factor);
  const Numbers tau = Translation::carry(state.tau, to.v, to.tau_factor);

  const Numbers needed = one.inverse(state.q, state.v, state.vdot);
  const Numbers also = Translation::back(other.inverse(q, v, vdot), to.v, to.tau_factor);
  const double inverse_error = worst(needed, also, one.scale(state.q, state.v, state.vdot)) / n;
  CHECK(inverse_error <= kInverseBound);

  const Numbers found = Translation::back(other.forward(q, v, tau, {.refine = refine}), to.v, to.v_factor);
  const double forward_error =
      worst(one.inverse(state.q, state.v, found), state.tau, one.scale(state.q, state.v, found)) / n;
  CHECK(forward_error <= kForwardBound);
}

/// Compares every variety of tree with what `change` makes of it.
void for_every_tree(std::uint64_t seed, const std::function<ModelSpec(ModelSpec, RandomStream&)>& change,
                    const std::function<void(const Model&, const Model&, Translation&)>& translate = {},
                    bool passive = true) {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(seed, run);
    RandomModelOptions options = variety(run);
    options.passive = options.passive && passive;
    const ModelSpec spec = random_spec(stream, options);
    DynamicsOf one(spec), other(change(spec, stream));
    const RandomState state(one.model, stream);
    Translation to(one.model);
    if (translate) translate(one.model, other.model, to);
    compare(one, other, state, to, options.mass_ratio > 100.0);
  }
}

/// Numbers of equally named joints stand for each other.
void by_name(const Model& one, const Model& other, Translation& to) {
  for (const IndependentJoint& joint : one.independent_joints()) {
    const std::string& name = one.joints()[size(joint.joint)].name;
    for (const IndependentJoint& twin : other.independent_joints()) {
      if (other.joints()[size(twin.joint)].name != name) continue;
      for (int i = 0; i < facts(joint.kind).nq; ++i) to.q[size(joint.q + i)] = size(twin.q + i);
      for (int i = 0; i < facts(joint.kind).nv; ++i) to.v[size(joint.v + i)] = size(twin.v + i);
    }
  }
}

}  // namespace

TEST_CASE("metamorphic: a world turned together with gravity") {
  for_every_tree(81, [](ModelSpec spec, RandomStream& stream) {
    const Pose<> turn = pose(uniform_rotation(stream), Vec3<>{0, 0, 0});
    spec.gravity = turn.rotation * spec.gravity;
    for (JointSpec& joint : spec.joints)
      if (joint.parent == kWorld) joint.X_PJ = turn * joint.X_PJ;
    return spec;
  });
}

TEST_CASE("metamorphic: hundreds of kilometres from the origin every bit is as near it") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomModelOptions options = variety(run);
    RandomStream stream(82, run), same(82, run);
    DynamicsOf near(random_spec(stream, options));
    options.root_offset = {1e5, -2e5, 3e5};
    DynamicsOf far(random_spec(same, options));
    RandomState state(near.model, stream);
    CHECK(near.inverse(state.q, state.v, state.vdot) == far.inverse(state.q, state.v, state.vdot));
    CHECK(near.forward(state.q, state.v, state.tau) == far.forward(state.q, state.v, state.tau));
    CHECK(near.mass(state.q) == far.mass(state.q));
    // A free base that has gone there itself.
    Numbers q = state.q;
    for (const IndependentJoint& joint : near.model.independent_joints()) {
      const ModelJoint& own = near.model.joints()[size(joint.joint)];
      if (own.parent_body >= 0 || (joint.kind != JointKind::free && joint.kind != JointKind::translational)) continue;
      for (std::size_t i = 0; i < 3; ++i) q[size(joint.q) + i] += 1e5;
    }
    const DynamicsOptions bare{.passive = false};  // springs know where they are
    CHECK(near.inverse(q, state.v, state.vdot, bare) == near.inverse(state.q, state.v, state.vdot, bare));
    CHECK(near.forward(q, state.v, state.tau, bare) == near.forward(state.q, state.v, state.tau, bare));
  }
}

TEST_CASE("metamorphic: time reversal: a conservative mechanism accelerates the same with v and -v") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(83, run);
    RandomModelOptions options = variety(run);
    options.passive = false;
    ModelSpec spec = random_spec(stream, options);
    for (JointSpec& joint : spec.joints) {
      if (joint.passive.empty() || run % 2 == 0) continue;
      joint.passive[0].stiffness = stream.uniform(0.0, 5.0);  // springs give back what they take
    }
    DynamicsOf dynamics(spec);
    const RandomState state(dynamics.model, stream);
    Numbers backwards = state.v;
    for (double& v : backwards) v = -v;
    // To the bit: only products of two velocities occur.
    CHECK(dynamics.forward(state.q, state.v, state.tau) == dynamics.forward(state.q, backwards, state.tau));
  }
}

namespace {

constexpr Mat3<> kMirror{-1, 0, 0, 0, 1, 0, 0, 0, 1};

/// A direction with a length, and a direction of turning, seen in the mirror.
Vec3<> polar(const Vec3<>& a) {
  return kMirror * a;
}
Vec3<> axial(const Vec3<>& a) {
  return -(kMirror * a);
}

Pose<> mirrored(const Pose<>& X) {
  return {kMirror * X.rotation * kMirror, polar(X.translation)};
}

/// The signs that a joint's numbers change by in the mirror, its axes being mirrored as axial vectors (prismatic: as a
/// polar one).
std::vector<double> velocity_signs(JointKind kind) {
  switch (kind) {
    case JointKind::cylindrical:
      return {-1, 1};
    case JointKind::planar:
      return {1, 1, 1};
    case JointKind::spherical:
      return {1, -1, -1};
    case JointKind::translational:
      return {-1, 1, 1};
    case JointKind::free:
      return {-1, 1, 1, 1, -1, -1};
    default:
      return std::vector<double>(size(facts(kind).nv), 1.0);
  }
}

std::vector<double> configuration_signs(JointKind kind) {
  if (kind == JointKind::spherical) return {1, -1, -1, 1};
  if (kind == JointKind::free) return {-1, 1, 1, 1, -1, -1, 1};
  return velocity_signs(kind);
}

}  // namespace

TEST_CASE("metamorphic: a mirror: axial vectors and pitches change their signs") {
  const auto mirror = [](ModelSpec spec, RandomStream&) {
    spec.gravity = polar(spec.gravity);
    for (BodySpec& body : spec.bodies) {
      body.inertia.first_moment = polar(body.inertia.first_moment);
      body.inertia.inertia = congruence(kMirror, body.inertia.inertia);
    }
    for (JointSpec& joint : spec.joints) {
      joint.X_PJ = mirrored(joint.X_PJ);
      joint.X_CJ = mirrored(joint.X_CJ);
      joint.axis = joint.kind == JointKind::prismatic ? polar(joint.axis) : axial(joint.axis);
      joint.second_axis = joint.kind == JointKind::planar ? polar(joint.second_axis) : axial(joint.second_axis);
      joint.pitch_m_per_rad = -joint.pitch_m_per_rad;
    }
    return spec;
  };
  const auto signs = [](const Model& one, const Model&, Translation& to) {
    for (const IndependentJoint& joint : one.independent_joints()) {
      const std::vector<double> q = configuration_signs(joint.kind), v = velocity_signs(joint.kind);
      for (std::size_t i = 0; i < q.size(); ++i) to.q_factor[size(joint.q) + i] = q[i];
      for (std::size_t i = 0; i < v.size(); ++i)
        to.v_factor[size(joint.v) + i] = to.tau_factor[size(joint.v) + i] = v[i];
    }
  };
  for_every_tree(84, mirror, signs, false);
}

TEST_CASE("metamorphic: the order in which a spec names bodies, joints and couplings") {
  const auto shuffle = [](auto& elements, RandomStream& stream) {
    for (std::size_t i = elements.size(); i-- > 1;) std::swap(elements[i], elements[stream.below(i + 1)]);
  };
  for_every_tree(
      85,
      [&](ModelSpec spec, RandomStream& stream) {
        shuffle(spec.bodies, stream);
        shuffle(spec.joints, stream);
        shuffle(spec.couplings, stream);
        return spec;
      },
      by_name);
}

TEST_CASE("metamorphic: millimetres and tonnes instead of metres and kilograms") {
  constexpr double length = 1e3, mass = 1e-3;
  const auto travels = [](JointKind kind, int i) {
    switch (kind) {
      case JointKind::prismatic:
      case JointKind::translational:
        return true;
      case JointKind::cylindrical:
        return i == 0;
      case JointKind::planar:
        return i < 2;
      case JointKind::free:
        return i < 3;
      default:
        return false;
    }
  };
  const auto rescale = [&](ModelSpec spec, RandomStream&) {
    spec.gravity = length * spec.gravity;
    // A coupling of a turning to a travelling joint has a length in its ratio.
    std::map<std::string, double> unit_of;
    for (const JointSpec& joint : spec.joints) unit_of[joint.name] = travels(joint.kind, 0) ? length : 1.0;
    for (CouplingSpec& coupling : spec.couplings) {
      coupling.ratio *= unit_of[coupling.joint] / unit_of[coupling.driver];
      coupling.offset *= unit_of[coupling.joint];
    }
    for (BodySpec& body : spec.bodies) {
      body.inertia.mass *= mass;
      body.inertia.first_moment *= mass * length;
      body.inertia.inertia = (mass * length * length) * body.inertia.inertia;
    }
    for (JointSpec& joint : spec.joints) {
      joint.X_PJ.translation *= length;
      joint.X_CJ.translation *= length;
      joint.pitch_m_per_rad *= length;
      if (joint.passive.empty()) continue;
      const JointPassive same = joint.passive[0];
      joint.passive.clear();
      for (int i = 0; i < facts(joint.kind).nv; ++i) {
        const double unit = mass * (travels(joint.kind, i) ? 1.0 : length * length);
        JointPassive passive = same;
        passive.armature *= unit;
        joint.passive.push_back(passive);
      }
    }
    return spec;
  };
  const auto units = [&](const Model& one, const Model&, Translation& to) {
    for (const IndependentJoint& joint : one.independent_joints()) {
      for (int i = 0; i < facts(joint.kind).nv; ++i) {
        const double unit = travels(joint.kind, i) ? length : 1.0;
        to.v_factor[size(joint.v + i)] = unit;
        to.tau_factor[size(joint.v + i)] = mass * length * length / unit;
        // Quaternions come last and have no unit.
        if (unit != 1.0) to.q_factor[size(joint.q + i)] = unit;
      }
    }
  };
  for_every_tree(86, rescale, units, false);
}

TEST_CASE("metamorphic: a body split into two by a weld") {
  for_every_tree(
      87,
      [](ModelSpec spec, RandomStream& stream) {
        const std::size_t bodies = spec.bodies.size();
        for (std::size_t b = 0; b < bodies; ++b) {
          // A part with a pose of its own; parts on the world's side or the tip's alike.
          const double share = stream.uniform(0.2, 0.8);
          const Pose<> X_BP = random_pose(stream);
          BodySpec part;
          part.name = "part of " + spec.bodies[b].name;
          part.inertia = inverse(X_BP) * (share * spec.bodies[b].inertia);
          spec.bodies[b].inertia = (1.0 - share) * spec.bodies[b].inertia;
          JointSpec weld;
          weld.name = "weld of " + spec.bodies[b].name;
          weld.parent = spec.bodies[b].name;
          weld.child = part.name;
          weld.X_PJ = X_BP;
          // Joints that hung on the body hang on its part.
          for (JointSpec& joint : spec.joints) {
            if (joint.parent != weld.parent || stream.uniform() < 0.5) continue;
            joint.parent = part.name;
            joint.X_PJ = inverse(X_BP) * joint.X_PJ;
          }
          spec.bodies.push_back(part);
          spec.joints.push_back(weld);
        }
        return spec;
      },
      by_name);
}

TEST_CASE("metamorphic: a revolute joint is a screw without pitch, to the bit") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(88, run);
    ModelSpec spec = random_spec(stream, variety(run));
    DynamicsOf revolute(spec);
    for (JointSpec& joint : spec.joints) {
      if (joint.kind != JointKind::revolute) continue;
      joint.kind = JointKind::screw;
      joint.pitch_m_per_rad = 0.0;
    }
    DynamicsOf screw(spec);
    const RandomState state(revolute.model, stream);
    CHECK(revolute.inverse(state.q, state.v, state.vdot) == screw.inverse(state.q, state.v, state.vdot));
    CHECK(revolute.forward(state.q, state.v, state.tau) == screw.forward(state.q, state.v, state.tau));
    CHECK(revolute.mass(state.q) == screw.mass(state.q));
  }
}

TEST_CASE("metamorphic: a constant velocity of the world adds nothing (a free base on a moving train)") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(89, run);
    RandomModelOptions options = variety(run);
    options.branching = 0.0;
    options.passive = false;
    options.couplings = false;
    ModelSpec spec = random_spec(stream, options);
    spec.joints[0].kind = JointKind::free;
    spec.joints[0].passive.clear();  // a rotor would feel the train
    DynamicsOf dynamics(spec);
    const RandomState state(dynamics.model, stream);
    // In body axes, where a constant velocity turns against the body.
    const Quaternion<> r{state.q[3], state.q[4], state.q[5], state.q[6]};
    const Vec3<> boost = rotate(conjugate(r), Vec3<>{3.0, -2.0, 1.0});
    const Vec3<> turning = cross(boost, Vec3<>{state.v[3], state.v[4], state.v[5]});
    Numbers v = state.v, vdot = state.vdot;
    for (std::size_t i = 0; i < 3; ++i) {
      v[i] += to_array(boost)[i];
      vdot[i] += to_array(turning)[i];
    }
    const double n = static_cast<double>(dynamics.model.links().size());
    const double error = worst(dynamics.inverse(state.q, state.v, state.vdot), dynamics.inverse(state.q, v, vdot),
                               dynamics.scale(state.q, v, vdot)) /
                         n;
    CHECK(error <= 1.5);  // the worst seen is 0.41
    Numbers found = dynamics.forward(state.q, v, state.tau);
    for (std::size_t i = 0; i < 3; ++i) found[i] -= to_array(turning)[i];
    const double forward_error =
        worst(dynamics.inverse(state.q, state.v, found), state.tau, dynamics.scale(state.q, v, found)) / n;
    CHECK(forward_error <= 1.5);  // the worst seen is 0.51
  }
}
