#include "pintle/model/edit/reroot.h"

#include <doctest/doctest.h>

#include "pintle/model/edit/model_builder.h"
#include "pintle/model/links/configuration_impl.h"
#include "pintle/model/spec/joint_rotations.h"
#include "spec_parts.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

namespace {

/// world -free- root -`kind`- arm -revolute- hand, each joint anywhere.
ModelSpec floating(JointKind kind, RandomStream& stream) {
  RandomModelOptions options;
  options.links = 3;
  options.branching = 0.0;
  options.armature = false;
  ModelSpec spec = random_spec(stream, options);
  spec.joints[0].kind = JointKind::free;
  spec.joints[1].kind = kind;
  spec.joints[2].kind = JointKind::revolute;
  return spec;
}

Pose<> pose_across(const JointSpec& joint, const double* q) {
  return joint.X_PJ * joint_pose(joint, q) * inverse(joint.X_CJ);
}

}  // namespace

TEST_CASE("reroot: joints change parent and child, the free joint carries the new root, everything else stays") {
  RandomStream stream(91);
  const ModelSpec spec = floating(JointKind::universal, stream);
  const ModelSpec turned = reroot(spec, "body2").value();
  CHECK(turned.joints[0].name == "joint0");
  CHECK(turned.joints[0].parent == kWorld);
  CHECK(turned.joints[0].child == "body2");
  CHECK(distance(turned.joints[0].X_PJ, spec.joints[0].X_PJ) == 0);
  CHECK(distance(turned.joints[0].X_CJ, identity_pose<double>()) == 0);
  CHECK(turned.joints[1].parent == "body1");
  CHECK(turned.joints[1].child == "body0");
  CHECK(turned.joints[2].parent == "body2");
  CHECK(turned.joints[2].child == "body1");
  CHECK(compile(turned).ok());
  // Back again, all is as it was but for the place of the free joint on its child.
  const ModelSpec back = reroot(turned, "body0").value();
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(back.joints[i].parent == spec.joints[i].parent);
    CHECK(back.joints[i].child == spec.joints[i].child);
    if (i == 0) continue;
    CHECK(distance(back.joints[i].axis, spec.joints[i].axis) == 0);
    CHECK(distance(back.joints[i].second_axis, spec.joints[i].second_axis) == 0);
    CHECK(distance(back.joints[i].X_CJ, spec.joints[i].X_CJ) == 0);
  }
  CHECK(distance(reroot(spec, "body0").value().joints[0].X_CJ, spec.joints[0].X_CJ) == 0);
}

// Four products of poses that reach 3 m. Worst seen: 9 eps.
TEST_CASE("reroot: numbers that keep their meaning keep it: q of the reversed joint gives the inverse pose") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    bool turns = false;
    for (int i = 0; i < fact.nv; ++i) turns = turns || reversed_dof(fact.kind, i).mixes;
    if (turns) continue;
    for (std::uint64_t run = 0; run < 20; ++run) {
      RandomStream stream(92, run);
      const ModelSpec spec = floating(fact.kind, stream);
      const ModelSpec turned = reroot(spec, "body1").value();
      double q[3], q_turned[3];
      for (int i = 0; i < fact.nv; ++i) {
        q[i] = stream.uniform(-3, 3);
        const ReversedDof to = reversed_dof(fact.kind, i);
        q_turned[to.place] = to.sign * q[i];
      }
      check_close<double>(pose_across(spec.joints[1], q) * pose_across(turned.joints[1], q_turned),
                          identity_pose<double>(), 27);
    }
  }
}

TEST_CASE("reroot: passive properties and limits go with their dofs") {
  RandomStream stream(93);
  ModelSpec spec = floating(JointKind::universal, stream);
  spec.joints[1].passive = {{.damping = 1, .rest = 0.1}, {.damping = 2, .rest = 0.2}};
  spec.joints[1].limits = {{.lower = -1, .upper = 2}, {.lower = -3, .upper = 4}};
  JointSpec turned = reroot(spec, "body1").value().joints[1];
  CHECK(turned.passive[0].damping == 2);
  CHECK(turned.passive[1].damping == 1);
  CHECK(turned.passive[0].rest == 0.2);
  CHECK(turned.limits[0].lower == -3);
  CHECK(turned.limits[1].upper == 2);

  spec = floating(JointKind::translational, stream);
  spec.joints[1].passive = {{.stiffness = 5, .rest = 0.1}};
  spec.joints[1].limits = {{.lower = -1, .upper = 2, .effort = 7}};
  turned = reroot(spec, "body1").value().joints[1];
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(turned.passive[i].stiffness == 5);
    CHECK(turned.passive[i].rest == -0.1);
    CHECK(turned.limits[i].lower == -2);
    CHECK(turned.limits[i].upper == 1);
    CHECK(turned.limits[i].effort == 7);
  }

  spec = floating(JointKind::screw, stream);
  spec.joints[1].passive = {{.friction = 1, .rest = 0.5}};
  spec.joints[1].limits = {{.lower = -1, .upper = 2}};
  spec.couplings = {coupling("joint2", "joint1", 2.0, 0.25)};
  const ModelSpec whole = reroot(spec, "body2").value();
  turned = whole.joints[1];
  CHECK(turned.passive[0].friction == 1);
  CHECK(turned.passive[0].rest == 0.5);
  CHECK(turned.limits[0].lower == -1);
  CHECK(turned.pitch_m_per_rad == spec.joints[1].pitch_m_per_rad);
  CHECK(whole.couplings[0].ratio == 2.0);
  CHECK(compile(whole).ok());
}

TEST_CASE("reroot: what a reversed joint cannot express is an error with its cause") {
  RandomStream stream(94);
  const auto problem_of = [&](JointKind kind, std::vector<JointPassive> passive, std::vector<JointLimits> limits) {
    ModelSpec spec = floating(kind, stream);
    spec.joints[1].passive = std::move(passive);
    spec.joints[1].limits = std::move(limits);
    return codes(reroot(spec, "body1").diagnostics());
  };
  const JointPassive none{}, damper{.damping = 1}, rotor{.armature = 1}, brake{.friction = 1};
  const JointLimits slow{.speed = 1};
  CHECK(problem_of(JointKind::spherical, {damper}, {}) == "");
  CHECK(problem_of(JointKind::spherical, {damper, damper, none}, {}) == "reroot-passive ");
  CHECK(problem_of(JointKind::spherical, {brake}, {}) == "reroot-passive ");
  CHECK(problem_of(JointKind::spherical, {}, {slow}) == "reroot-limits ");
  CHECK(problem_of(JointKind::planar, {none, none, damper}, {}) == "");
  CHECK(problem_of(JointKind::planar, {none, none, brake}, {JointLimits{}, JointLimits{}, slow}) == "");
  CHECK(problem_of(JointKind::planar, {damper, damper, none}, {slow}) == "reroot-passive reroot-limits ");
  CHECK(problem_of(JointKind::free, {none, none, none, rotor, rotor, rotor}, {}) == "");
  CHECK(problem_of(JointKind::free, {rotor, rotor, rotor, none, none, none}, {}) == "reroot-passive ");
  CHECK(problem_of(JointKind::revolute, {brake}, {slow}) == "");

  ModelSpec spec = floating(JointKind::revolute, stream);
  spec.joints[0].passive = {damper};
  CHECK(codes(reroot(spec, "body1").diagnostics()) == "reroot-root ");
  CHECK(reroot(spec, "body0").ok());
  spec.joints[0].passive.clear();
  spec.joints[0].prescribed = true;
  CHECK(codes(reroot(spec, "body1").diagnostics()) == "reroot-root ");
  spec = floating(JointKind::revolute, stream);
  spec.joints[0].kind = JointKind::spherical;
  const Result<ModelSpec> held = reroot(spec, "body1");
  REQUIRE(!held.ok());
  CHECK(held.diagnostics()[0].what == "reroot: joint 'joint0' connects the tree to the world and is spherical");
  spec = floating(JointKind::revolute, stream);
  const Result<ModelSpec> typo = reroot(spec, "boddy1");
  REQUIRE(!typo.ok());
  CHECK(typo.diagnostics()[0].fix == "did you mean 'body1'?");
  spec.joints[2].axis = {0, 0, 0};
  CHECK(codes(reroot(spec, "body1").diagnostics()) == "axis-zero ");
}
