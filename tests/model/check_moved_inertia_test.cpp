#include "pintle/model/check_moved_inertia.h"

#include <doctest/doctest.h>

#include "support/random_model.h"

using namespace test;

namespace {

const SymMat3<> kNone{0, 0, 0, 0, 0, 0};

/// One body on one joint at the world's origin.
ModelSpec one(JointKind kind, const SpatialInertia<>& inertia) {
  ModelSpec spec;
  BodySpec body;
  body.name = "body";
  body.inertia = inertia;
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.name = "joint";
  joint.kind = kind;
  joint.parent = kWorld;
  joint.child = "body";
  joint.origin = Origin("arm.toml", 7, 3);
  spec.joints.push_back(joint);
  return spec;
}

void hang(ModelSpec& spec, const char* body, JointKind kind, const SpatialInertia<>& inertia) {
  ModelSpec more = one(kind, inertia);
  more.bodies[0].name = body;
  more.joints[0].name = std::string("joint of ") + body;
  more.joints[0].parent = spec.bodies.back().name;
  more.joints[0].child = body;
  spec.bodies.push_back(more.bodies[0]);
  spec.joints.push_back(more.joints[0]);
}

}  // namespace

TEST_CASE("moved inertia: a massless body on a moving joint is refused, with the joint and its place") {
  for (const JointFacts& fact : kJointFacts) {
    if (fact.nv == 0) continue;
    CAPTURE(fact.name);
    const Result<Model> model = compile(one(fact.kind, zero_inertia()));
    REQUIRE_FALSE(model.ok());
    CHECK(model.diagnostics().size() == static_cast<std::size_t>(fact.nv));
    const Diagnostic& problem = model.diagnostics().front();
    CHECK(problem.code == "joint-without-inertia");
    CHECK(problem.what.find("'joint'") != std::string::npos);
    CHECK(problem.origin.line == 7);
    CHECK(problem.fix.find("prescribe") != std::string::npos);
  }
}

TEST_CASE("moved inertia: a rotor, a prescribed motion or a body further out make it good") {
  ModelSpec rotor = one(JointKind::revolute, zero_inertia());
  rotor.joints[0].passive = {JointPassive{.armature = 0.01}};
  CHECK(compile(rotor).ok());
  ModelSpec driven = one(JointKind::revolute, zero_inertia());
  driven.joints[0].prescribed = true;
  CHECK(compile(driven).ok());
  ModelSpec gimbal = one(JointKind::revolute, zero_inertia());
  hang(gimbal, "ring", JointKind::revolute, zero_inertia());
  hang(gimbal, "ball", JointKind::spherical, spatial_inertia(1.0, Vec3{0.1, 0.2, 0.3}, diagonal(Vec3{1, 1, 1})));
  CHECK(compile(gimbal).ok());
}

TEST_CASE("moved inertia: a point mass resists sliding and turning about other lines, not turning on its own axis") {
  const SpatialInertia<> on_axis = spatial_inertia(1.0, Vec3{0.0, 0.0, 0.5}, kNone);
  const SpatialInertia<> off_axis = spatial_inertia(1.0, Vec3{0.1, 0.0, 0.5}, kNone);
  CHECK(compile(one(JointKind::prismatic, on_axis)).ok());
  CHECK(compile(one(JointKind::revolute, off_axis)).ok());
  CHECK_FALSE(compile(one(JointKind::revolute, on_axis)).ok());
  // A thin rod along z on a pin about z.
  CHECK_FALSE(
      compile(one(JointKind::revolute, spatial_inertia(1.0, Vec3{0, 0, 0}, diagonal(Vec3{1.0, 1.0, 0.0})))).ok());
  CHECK(compile(one(JointKind::translational, on_axis)).ok());
}

TEST_CASE("moved inertia: random mechanisms with mass have nothing to complain about") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    RandomStream stream(61, run);
    CHECK(compile(random_spec(stream, {.links = 12, .mass_ratio = 1e6, .armature = false, .couplings = true})).ok());
  }
}
