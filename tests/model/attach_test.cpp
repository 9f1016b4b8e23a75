#include "pintle/model/edit/attach.h"

#include <doctest/doctest.h>

#include "pintle/model/edit/model_builder.h"
#include "spec_parts.h"
#include "support/law.h"

using namespace test;

namespace {

ModelSpec remainder() {
  ModelBuilder builder("robot");
  builder.gravity({0, 0, -5}).body("trunk", ball()).free("root").frame("shoulder", {0, 1, 0});
  return builder.spec();
}

ModelSpec arm() {
  ModelBuilder builder("arm");
  builder.frame("socket", {0, 0, 0.5}).body("upper", ball()).revolute().at({0.1, 0, 0});
  builder.body("lower", ball()).revolute().at({0.2, 0, 0}).coupled_to("upper", 0.5, 0.25).frame("tip", {0, 0, 1});
  return builder.spec();
}

}  // namespace

TEST_CASE("attach: names get their prefix, the other's world becomes the place, name and gravity stay the base's") {
  AttachOptions options;
  options.prefix = "left_";
  options.to = "shoulder";
  options.X_TW = {rotation_z(0.0, 1.0), Vec3<>{0, 0, 2}};
  const Result<ModelSpec> attached = attach(remainder(), arm(), options);
  REQUIRE(attached.ok());
  REQUIRE(attached.diagnostics().size() == 1);
  CHECK(attached.diagnostics()[0].severity == Severity::note);
  CHECK(attached.diagnostics()[0].what ==
        "attach: 'arm' has a different gravity from 'robot'; that of 'robot' is used");
  const ModelSpec spec = *attached;
  CHECK(spec.name == "robot");
  CHECK(spec.gravity.z == -5);
  REQUIRE(spec.bodies.size() == 3);
  CHECK(spec.bodies[1].name == "left_upper");
  REQUIRE(spec.joints.size() == 3);
  CHECK(spec.joints[1].name == "left_upper");
  CHECK(spec.joints[1].parent == "trunk");
  check_close<double>(spec.joints[1].X_PJ.translation, Vec3<>{0, 1.1, 2}, 2);
  check_close<double>(spec.joints[1].X_PJ.rotation, rotation_z(0.0, 1.0), 2);
  CHECK(spec.joints[2].parent == "left_upper");
  CHECK(spec.joints[2].child == "left_lower");
  check_close<double>(spec.joints[2].X_PJ.translation, Vec3<>{0.2, 0, 0}, 0);
  REQUIRE(spec.frames.size() == 3);
  CHECK(spec.frames[1].name == "left_socket");
  CHECK(spec.frames[1].body == "trunk");
  check_close<double>(spec.frames[1].X_BF.translation, Vec3<>{0, 1, 2.5}, 2);
  CHECK(spec.frames[2].body == "left_lower");
  REQUIRE(spec.couplings.size() == 1);
  CHECK(spec.couplings[0].joint == "left_lower");
  CHECK(spec.couplings[0].driver == "left_upper");
  CHECK(compile(spec).ok());
  // The same arm once more, on the world.
  AttachOptions right;
  right.prefix = "right_";
  ModelSpec second = arm();
  second.gravity = spec.gravity;
  const Result<ModelSpec> both = attach(spec, second, right);
  REQUIRE(both.ok());
  CHECK(both.diagnostics().empty());
  const ModelSpec two_arms = *both;
  CHECK(two_arms.joints[3].parent == kWorld);
  CHECK(compile(two_arms).ok());
}

TEST_CASE("attach: every name that would be double is an error") {
  const Result<ModelSpec> twice = attach(arm(), arm(), {});
  REQUIRE(!twice.ok());
  CHECK(twice.diagnostics().size() == 6);
  CHECK(twice.diagnostics()[0].what == "both mechanisms have a body called 'upper'");
  CHECK(twice.diagnostics()[0].fix == "give another prefix");
  CHECK(twice.diagnostics()[5].what == "both mechanisms have a frame called 'tip'");
}

TEST_CASE("attach: a place that is not there, or two things at once; invalid parts; a place that is no rotation") {
  AttachOptions options;
  options.to = "sholder";
  Result<ModelSpec> result = attach(remainder(), arm(), options);
  REQUIRE(!result.ok());
  CHECK(codes(result.diagnostics()) == "place-unknown ");
  CHECK(result.diagnostics()[0].what == "attach names 'sholder', which is neither a body nor a frame");
  CHECK(result.diagnostics()[0].fix == "did you mean 'shoulder'?");

  ModelSpec ambiguous = remainder();
  ambiguous.frames[0].name = "trunk";
  options.to = "trunk";
  CHECK(codes(attach(ambiguous, arm(), options).diagnostics()) == "place-ambiguous ");

  ModelSpec bad_base = remainder(), bad_arm = arm();
  bad_base.bodies[0].inertia.mass = -1;
  bad_arm.joints[0].axis = {0, 0, 0};
  CHECK(codes(attach(bad_base, bad_arm, {}).diagnostics()) == "inertia-mass axis-zero ");

  options = {};
  options.X_TW.rotation.xx = 2.0;
  CHECK(codes(attach(remainder(), arm(), options).diagnostics()) == "pose-not-a-rotation pose-not-a-rotation ");
  options = {};
  options.prefix = "w";
  ModelSpec orld = arm();
  orld.bodies[0].name = orld.joints[0].child = orld.joints[1].parent = "orld";
  CHECK(!attach(remainder(), orld, options).ok());
}
