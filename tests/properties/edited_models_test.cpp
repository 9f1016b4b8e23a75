// A mechanism that was put together, held fast, loaded or given another root moves as it must.
#include <doctest/doctest.h>

#include <string>

#include "base/count_allocations.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/model/compiled/joint_state.h"
#include "pintle/model/edit/attach.h"
#include "pintle/model/edit/lock_joints.h"
#include "pintle/model/edit/map_state.h"
#include "pintle/model/edit/payload.h"
#include "pintle/model/edit/reroot.h"
#include "pintle/model/links/configuration_impl.h"
#include "properties/dynamics_of.h"
#include "properties/positive_definite.h"
#include "support/law.h"

using namespace test;

namespace {

/// Trees of moderate mass ratio: accelerations are compared, and their rounding error grows with it.
RandomModelOptions moderate(std::uint64_t run) {
  RandomModelOptions options = variety(run, 14);
  options.mass_ratio = 10.0;
  return options;
}

/// The numbers of a dof by the name of its joint, from one model's array to another's; zero where there is none.
Numbers by_name(const Model& from, const Numbers& v, const Model& to) {
  Numbers result(size(to.nv()));
  for (const JointNumbering& joint : joint_numbering(to)) {
    if (!joint.driver.empty() || from.joints()[size(from.joint(joint.joint))].link < 0) continue;
    const JointValues values = joint_velocity(from, v, joint.joint);
    for (std::size_t i = 0; i < values.size(); ++i) result[size(joint.first_v) + i] = values[i];
  }
  return result;
}

/// How every body moves at (q, v, vdot): pose, velocity and acceleration, the last two in its own axes.
struct Moving {
  Moving(const Model& model, const Numbers& q, const Numbers& v, const Numbers& vdot) : work(model), of(model) {
    kinematics(model, q, v, vdot, work);
  }
  Place place(const std::string& body) const { return body_place(of, of.body(body)); }
  Pose<> pose(const std::string& body) { return pose_of(work, place(body)); }
  Twist<> velocity(const std::string& body) { return velocity_of(work, place(body), Axes::local); }
  Twist<> acceleration(const std::string& body) { return acceleration_of(work, place(body), Axes::local); }

  KinematicsWorkspace work;
  Model of;
};

double size_of(const Twist<>& V) {
  return max(pintle::norm(V.linear), pintle::norm(V.angular));
}

/// The largest difference in the accelerations of the bodies.
double acceleration_difference(const Model& a, Moving& in_a, Moving& in_b) {
  double most = 0.0;
  for (const ModelBody& body : a.bodies()) {
    const double difference = size_of(in_a.acceleration(body.name) - in_b.acceleration(body.name));
    if (!(difference <= most)) most = difference;
  }
  return most;
}

/// The same over the largest acceleration of any.
double worst_acceleration(const Model& a, Moving& in_a, Moving& in_b) {
  double largest = 1.0;
  for (const ModelBody& body : a.bodies()) largest = max(largest, size_of(in_a.acceleration(body.name)));
  return acceleration_difference(a, in_a, in_b) / largest;
}

/// How far the accelerations of bodies may lie apart when efforts differ by the sizes of their terms: what those do to
/// vdot by the condition of M, carried out to the bodies.
double acceleration_limit(DynamicsOf& dynamics, Moving& at, const Numbers& q, const Numbers& v, const Numbers& vdot) {
  const Numbers M = dynamics.mass(q), L = cholesky(M, v.size());
  const Numbers limits = acceleration_scale(M, L, dynamics.scale(q, v, vdot));
  double most = 0.0;
  for (const ModelBody& body : dynamics.model.bodies()) {
    Numbers J(6 * v.size());
    jacobian(dynamics.model, at.work, at.place(body.name), Axes::local, J);
    for (double& x : J) x = abs(x);
    most = max(most, norm(times(J, limits)));
  }
  return most;
}

double worst_motion(const Model& a, Moving& in_a, Moving& in_b) {
  double most = 0.0;
  for (const ModelBody& body : a.bodies()) {
    const double apart = static_cast<double>(distance(in_a.pose(body.name), in_b.pose(body.name)));
    const double faster = size_of(in_a.velocity(body.name) - in_b.velocity(body.name));
    for (const double difference : {apart, faster})
      if (!(difference <= most)) most = difference;
  }
  return most;
}

bool is_under(const ModelSpec& spec, std::string body, const std::string& top) {
  while (body != kWorld) {
    if (body == top) return true;
    for (const JointSpec& joint : spec.joints) {
      if (joint.child != body) continue;
      body = joint.parent;
      break;
    }
  }
  return false;
}

// ---- attach

/// A tree cut in two at a joint: what is on its child's side hangs on a world of its own, which is at X_TW of the frame
/// "cut" on the base.
struct Cut {
  Cut(const ModelSpec& whole, const JointSpec& at, RandomStream& stream) {
    base = part(whole, at.child, false);
    other = part(whole, at.child, true);
    FrameSpec frame;
    frame.name = "cut";
    frame.body = at.parent;
    frame.X_BF = random_pose(stream);
    base.frames.push_back(frame);
    options.prefix = "x_";
    options.to = "cut";
    options.X_TW = random_pose(stream);
    for (JointSpec& joint : other.joints) {
      if (joint.name != at.name) continue;
      joint.parent = kWorld;
      joint.X_PJ = inverse(frame.X_BF * options.X_TW) * joint.X_PJ;
    }
  }

  static ModelSpec part(const ModelSpec& whole, const std::string& top, bool under) {
    ModelSpec spec;
    spec.gravity = under ? Vec3<>{1, 2, 3} : whole.gravity;  // that of the base holds
    for (const BodySpec& body : whole.bodies)
      if (is_under(whole, body.name, top) == under) spec.bodies.push_back(body);
    for (const JointSpec& joint : whole.joints)
      if (is_under(whole, joint.child, top) == under) spec.joints.push_back(joint);
    for (const CouplingSpec& coupling : whole.couplings) {
      bool all_here = true;
      for (const std::string& name : {coupling.joint, coupling.driver})
        for (const JointSpec& joint : whole.joints)
          if (joint.name == name) all_here = all_here && is_under(whole, joint.child, top) == under;
      if (all_here) spec.couplings.push_back(coupling);
    }
    return spec;
  }

  ModelSpec base, other;
  AttachOptions options;
};

// ---- reroot

/// Passive properties a joint keeps when it is reversed.
void make_reversible(JointSpec& joint) {
  if (joint.passive.empty()) return;
  const JointPassive own = joint.passive[0];
  std::vector<JointPassive> each;
  for (int i = 0; i < facts(joint.kind).nv; ++i) {
    const bool turns = reversed_dof(joint.kind, i).mixes;
    const bool rotation = quaternion_place(joint.kind) >= 0 && i >= quaternion_place(joint.kind);
    each.push_back(turns && !rotation ? JointPassive{} : own);
    if (turns) each.back().friction = 0.0;
  }
  joint.passive = each;
}

/// A random forest that floats.
ModelSpec floating_spec(RandomStream& stream, const RandomModelOptions& options) {
  ModelSpec spec = random_spec(stream, options);
  for (JointSpec& joint : spec.joints) {
    if (joint.parent != kWorld) {
      make_reversible(joint);
      continue;
    }
    joint.kind = JointKind::free;
    joint.passive.clear();
    std::erase_if(spec.couplings,
                  [&](const CouplingSpec& c) { return c.joint == joint.name || c.driver == joint.name; });
  }
  return spec;
}

}  // namespace

// The cut costs three products of poses and the reordering of the dofs; accelerations carry the rounding of the
// mass matrix times its condition. Worst seen: 1.5e-14 of motion, 4.7e-14 of accelerations.
TEST_CASE("attach: a tree cut at any joint and put together again accelerates as before") {
  int cuts = 0;
  for (std::uint64_t run = 0; run < 150; ++run) {
    CAPTURE(run);
    RandomStream stream(101, run);
    ModelSpec whole = random_spec(stream, moderate(run));
    const JointSpec at = whole.joints[stream.below(whole.joints.size())];
    const Cut cut(whole, at, stream);
    whole.couplings = cut.base.couplings;
    whole.couplings.insert(whole.couplings.end(), cut.other.couplings.begin(), cut.other.couplings.end());
    const Result<ModelSpec> joined = attach(cut.base, cut.other, cut.options);
    REQUIRE(joined.ok());
    ModelSpec renamed = *joined;  // without the prefix, to compare by names
    const auto strip = [](std::string& name) {
      if (name.rfind("x_", 0) == 0) name = name.substr(2);
    };
    for (BodySpec& body : renamed.bodies) strip(body.name);
    for (JointSpec& joint : renamed.joints)
      for (std::string* name : {&joint.name, &joint.parent, &joint.child}) strip(*name);
    for (CouplingSpec& coupling : renamed.couplings)
      for (std::string* name : {&coupling.joint, &coupling.driver}) strip(*name);
    cuts += renamed.bodies.size() > cut.other.bodies.size() ? 1 : 0;

    DynamicsOf a(whole), b(renamed);
    const RandomState state(a.model, stream);
    Numbers q_b(state.q.size()), v_b(state.v.size());
    REQUIRE(map_state(a.model, state.q, state.v, b.model, q_b, v_b).ok());
    const Numbers vdot = a.forward(state.q, state.v, state.tau);
    const Numbers vdot_b = b.forward(q_b, v_b, by_name(a.model, state.tau, b.model));
    Moving in_a(a.model, state.q, state.v, vdot), in_b(b.model, q_b, v_b, vdot_b);
    CHECK(worst_motion(a.model, in_a, in_b) <= 5e-14);
    CHECK(worst_acceleration(a.model, in_a, in_b) <= 1.5e-13);
  }
  CHECK(cuts > 50);
}

// ---- lock_joints

// Worst seen: 4.9e-15 of the geometric mean of the diagonal, and 3.9 eps of the terms of an effort.
TEST_CASE("lock: the mass matrix of what is left is the one of the whole, rows and columns of the locked hit out") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    RandomStream stream(102, run);
    const ModelSpec spec = random_spec(stream, moderate(run));
    DynamicsOf whole(spec);
    RandomState state(whole.model, stream);
    std::vector<JointPosition> positions;
    for (const ModelJoint& joint : whole.model.joints()) {
      if (stream.uniform() < 0.6) continue;
      const JointValues q = joint_position(whole.model, state.q, joint.name);
      positions.push_back({joint.name, {q.begin(), q.end()}});
    }
    DynamicsOf locked(lock_joints(spec, positions).value());
    // The locked joints stand still; the others move as they like.
    Numbers v_l = by_name(whole.model, state.v, locked.model), q_l(size(locked.model.nq()));
    const Numbers v = by_name(locked.model, v_l, whole.model);
    REQUIRE(map_state(whole.model, state.q, v, locked.model, q_l, v_l).ok());

    const Numbers M = whole.mass(state.q), M_l = locked.mass(q_l);
    Numbers places(size(whole.model.nv()));
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<double>(i);
    const Numbers place = by_name(whole.model, places, locked.model);  // of the dofs left among those of the whole
    const std::size_t n = size(whole.model.nv()), n_l = size(locked.model.nv());
    for (std::size_t i = 0; i < n_l; ++i) {
      for (std::size_t j = 0; j < n_l; ++j) {
        const std::size_t a = static_cast<std::size_t>(place[i]), b = static_cast<std::size_t>(place[j]);
        CHECK(abs(M_l[i * n_l + j] - M[a * n + b]) <= 1.5e-14 * sqrt(M[a * n + a] * M[b * n + b]));
      }
    }

    // And its accelerations are those of the whole when the locked joints are held.
    const Numbers tau_l = by_name(whole.model, state.tau, locked.model);
    const Numbers vdot_l = locked.forward(q_l, v_l, tau_l);
    const Numbers vdot = by_name(locked.model, vdot_l, whole.model);
    const Numbers tau = by_name(whole.model, whole.inverse(state.q, v, vdot), locked.model);
    const Numbers scale = by_name(whole.model, whole.scale(state.q, v, vdot), locked.model);
    CHECK(worst(tau, tau_l, scale) <= 12.0);
  }
}

// ---- payload

// Worst seen: 0.9 eps of the terms of an effort.
TEST_CASE("payload: a mechanism with a payload is one whose body has that much more inertia") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(103, run);
    ModelSpec spec = random_spec(stream, moderate(run));
    FrameSpec tool;
    tool.name = "tool";
    const std::size_t at = stream.below(spec.bodies.size());
    tool.body = spec.bodies[at].name;
    tool.X_BF = random_pose(stream);
    spec.frames.push_back(tool);
    const SpatialInertia<> inertia = random_inertia(stream, 10.0);
    DynamicsOf loaded(set_payload(spec, "tool", "part", inertia).value());
    ModelSpec heavier = spec;
    heavier.bodies[at].inertia = heavier.bodies[at].inertia + tool.X_BF * inertia;
    DynamicsOf expected(heavier);
    const RandomState state(expected.model, stream);
    const Numbers scale = expected.scale(state.q, state.v, state.vdot);
    CHECK(worst(loaded.inverse(state.q, state.v, state.vdot), expected.inverse(state.q, state.v, state.vdot), scale) <=
          3.0);
    DynamicsOf unloaded(remove_payload(set_payload(spec, "tool", "part", inertia).value(), "part").value());
    CHECK(unloaded.inverse(state.q, state.v, state.vdot) == DynamicsOf(spec).inverse(state.q, state.v, state.vdot));
  }
}

// ---- the state by names

TEST_CASE("joint state: reading and writing a joint by its name allocates nothing") {
  RandomStream stream(105);
  const Model model = compile(random_spec(stream)).value();
  RandomState state(model, stream);
  const std::size_t before = count_allocations();
  for (const ModelJoint& joint : model.joints()) {
    for (double& x : position_in(model, state.q, joint.name)) x *= 2.0;
    velocity_in(model, state.v, joint.name)[0] = joint_position(model, state.q, joint.name)[0];
    effort_in(model, state.tau, joint.name)[0] = joint_velocity(model, state.v, joint.name)[0];
  }
  CHECK(count_allocations() == before);
}

// ---- reroot

// Friction, springs, dampers and rotors included, as far as a reversed joint can have them; efforts on joints whose
// numbers keep their meaning. A universal joint whose axes are nearly parallel loses digits by the sine of their angle,
// and a long chain multiplies them by its reach.
TEST_CASE("reroot: every body moves and accelerates as before, whatever body is the root") {
  int moderate_trees = 0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(104, run);
    const RandomModelOptions options = variety(run);
    const ModelSpec spec = floating_spec(stream, options);
    const Result<ModelSpec> turned = reroot(spec, spec.bodies[stream.below(spec.bodies.size())].name);
    REQUIRE(turned.ok());
    DynamicsOf a(spec), b(*turned);
    const RandomState state(a.model, stream);
    Numbers q_b(state.q.size()), v_b(state.v.size()), tau_a(state.v.size()), tau_b(state.v.size());
    const Result<void> mapped = map_state(a.model, state.q, state.v, b.model, q_b, v_b);
    REQUIRE(mapped.ok());
    for (const JointNumbering& joint : joint_numbering(a.model)) {
      if (joint.nv != 1 || !joint.driver.empty()) continue;
      // One-dof joints keep their numbers.
      CHECK(abs(joint_position(a.model, state.q, joint.joint)[0] - joint_position(b.model, q_b, joint.joint)[0]) <=
            1e-14);  // the worst seen is 3.4e-15
      CHECK(abs(joint_velocity(a.model, state.v, joint.joint)[0] - joint_velocity(b.model, v_b, joint.joint)[0]) <=
            1e-14);  // 3.2e-15
      effort_in(a.model, tau_a, joint.joint)[0] = effort_in(b.model, tau_b, joint.joint)[0] = stream.uniform(-1, 1);
    }
    const DynamicsOptions refined{.refine = true};
    const Numbers vdot = a.forward(state.q, state.v, tau_a, refined), vdot_b = b.forward(q_b, v_b, tau_b, refined);
    Moving in_a(a.model, state.q, state.v, vdot), in_b(b.model, q_b, v_b, vdot_b);
    const double motion_error = worst_motion(a.model, in_a, in_b);
    CHECK(motion_error <= 4.2e-13);  // the worst seen is 1.4e-13 m or m/s
    const double limit =
        acceleration_limit(a, in_a, state.q, state.v, vdot) + acceleration_limit(b, in_b, q_b, v_b, vdot_b);
    const double links = static_cast<double>(a.model.links().size());
    const double error = acceleration_difference(a.model, in_a, in_b) / (links * kEpsilon<double> * limit);
    CHECK(error <= 0.03);  // the worst seen is 0.0093: such bounds are wide
    if (options.mass_ratio > 100.0 || options.links > 14) continue;
    ++moderate_trees;
    const double relative = worst_acceleration(a.model, in_a, in_b);
    CHECK(relative <= 1.3e-13);  // the worst seen is 4.4e-14
  }
  CHECK(moderate_trees > 300);
}
