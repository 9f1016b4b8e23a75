#include "pintle/model/edit/model_builder.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "spec_parts.h"
#include "support/law.h"

using namespace test;

namespace {

constexpr Vec3<> kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};

}  // namespace

TEST_CASE("builder: every kind of joint with its axes and pitch, named like its body unless it has a name") {
  ModelBuilder builder("everything");
  builder.body("a", ball()).fixed("bolt");
  builder.body("b", ball()).revolute(kY);
  builder.body("c", ball()).prismatic(kX, "slide");
  builder.body("d", ball()).screw(kY, 0.25, "spindle");
  builder.body("e", ball()).cylindrical(kX);
  builder.body("f", ball()).universal(kX, kY, "cardan");
  builder.body("g", ball()).planar(kY, kZ);
  builder.body("h", ball()).spherical("shoulder");
  builder.body("i", ball()).translational();
  builder.body("j", ball()).free("flight");
  const ModelSpec& spec = builder.spec();
  CHECK(spec.name == "everything");
  REQUIRE(spec.joints.size() == kJointKinds);
  const char* const names[] = {"bolt", "b", "slide", "spindle", "e", "cardan", "g", "shoulder", "i", "flight"};
  const Vec3<> axes[] = {kZ, kY, kX, kY, kX, kX, kY, kZ, kZ, kZ};
  const Vec3<> second_axes[] = {kX, kX, kX, kX, kX, kY, kZ, kX, kX, kX};
  for (std::size_t i = 0; i < spec.joints.size(); ++i) {
    const JointSpec& joint = spec.joints[i];
    CAPTURE(joint.name);
    CHECK(joint.kind == kJointFacts[i].kind);
    CHECK(joint.name == names[i]);
    CHECK(joint.child == spec.bodies[i].name);
    CHECK(joint.parent == (i == 0 ? std::string(kWorld) : spec.bodies[i - 1].name));
    CHECK(distance(joint.axis, axes[i]) == 0);
    CHECK(distance(joint.second_axis, second_axes[i]) == 0);
    CHECK(joint.pitch_m_per_rad == (joint.kind == JointKind::screw ? 0.25 : 0.0));
    CHECK(distance(joint.X_PJ, identity_pose<double>()) == 0);
  }
  CHECK(builder.compile().ok());
}

TEST_CASE("builder: options go to the last joint") {
  RandomStream stream(71);
  Sampler<double> sampler{stream};
  const Pose<> X_PJ = sampler.pose(), X_CJ = sampler.pose(), X_BF = sampler.pose();
  ModelBuilder builder;
  builder.gravity({1, 2, 3});
  builder.frame("table", {0, 0, 0.7});
  builder.body("trunk", ball()).free();
  builder.body("left", ball()).revolute().at({0.1, 0.2, 0.3}).at_child({0.4, 0, 0}).frame("tip", X_BF);
  builder.body("right", ball()).revolute(kX).on("trunk").at(X_PJ).at_child(X_CJ).coupled_to("left", -2.0, 0.5);
  builder.body("wheel", ball()).revolute().on(kWorld).prescribed().frame("rim");
  const ModelSpec& spec = builder.spec();
  CHECK(distance(spec.gravity, Vec3<>{1, 2, 3}) == 0);
  CHECK(distance(spec.joints[1].X_PJ, Pose<>{identity3<double>(), Vec3<>{0.1, 0.2, 0.3}}) == 0);
  CHECK(distance(spec.joints[1].X_CJ, Pose<>{identity3<double>(), Vec3<>{0.4, 0, 0}}) == 0);
  CHECK(spec.joints[2].parent == "trunk");
  CHECK(distance(spec.joints[2].X_PJ, X_PJ) == 0);
  CHECK(distance(spec.joints[2].X_CJ, X_CJ) == 0);
  CHECK(spec.joints[3].parent == kWorld);
  CHECK(spec.joints[3].prescribed);
  CHECK(!spec.joints[2].prescribed);
  REQUIRE(spec.couplings.size() == 1);
  CHECK(spec.couplings[0].joint == "right");
  CHECK(spec.couplings[0].driver == "left");
  CHECK(spec.couplings[0].ratio == -2.0);
  CHECK(spec.couplings[0].offset == 0.5);
  REQUIRE(spec.frames.size() == 3);
  CHECK(spec.frames[0].body == kWorld);
  CHECK(spec.frames[0].X_BF.translation.z == 0.7);
  CHECK(spec.frames[1].body == "left");
  CHECK(distance(spec.frames[1].X_BF, X_BF) == 0);
  CHECK(spec.frames[2].body == "wheel");
  CHECK(builder.compile().ok());
}

TEST_CASE("builder: passive properties and limits of all dofs, or of one") {
  ModelBuilder builder;
  builder.body("a", ball()).revolute().armature(1).damping(2).friction(3).spring(4, 5).limits(-6, 7);
  const JointSpec& hinge = builder.spec().joints[0];
  REQUIRE(hinge.passive.size() == 1);
  CHECK(hinge.passive[0].armature == 1);
  CHECK(hinge.passive[0].damping == 2);
  CHECK(hinge.passive[0].friction == 3);
  CHECK(hinge.passive[0].stiffness == 4);
  CHECK(hinge.passive[0].rest == 5);
  REQUIRE(hinge.limits.size() == 1);
  CHECK(hinge.limits[0].lower == -6);
  CHECK(hinge.limits[0].upper == 7);

  builder.body("b", ball()).planar().passive({.damping = 1}).passive(2, {.armature = 3}).friction(0.5);
  builder.limits({.effort = 10}).limits(1, {.speed = 2}).limits(-1, 1);
  const JointSpec& cart = builder.spec().joints[1];
  REQUIRE(cart.passive.size() == 3);
  const double damping[] = {1, 1, 0}, armature[] = {0, 0, 3};
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(cart.passive[k].damping == damping[k]);
    CHECK(cart.passive[k].armature == armature[k]);
    CHECK(cart.passive[k].friction == 0.5);
    CHECK(cart.limits[k].lower == -1);
    CHECK(cart.limits[k].effort == (k == 1 ? JointLimits{}.effort : 10));
    CHECK(cart.limits[k].speed == (k == 1 ? 2 : JointLimits{}.speed));
  }
  CHECK(builder.compile().ok());
}

TEST_CASE("builder: the robot of docs/models.md") {
  ModelBuilder robot("robot");
  robot.body("trunk", ball()).free("root").frame("shoulder", {0.0, 0.2, 0.4});
  robot.body("upper_arm", ball()).revolute(kY, "shoulder_pitch").at({0.0, 0.2, 0.4}).damping(0.1).limits(-2.0, 2.0);
  robot.body("forearm", ball()).revolute(kY, "elbow").at({0.25, 0.0, 0.0}).armature(0.01);
  robot.body("left_finger", ball()).prismatic(kX).at({0.25, 0.0, 0.0});
  robot.body("right_finger", ball()).prismatic(kX).on("forearm").at({0.25, 0.0, 0.0});
  robot.coupled_to("left_finger", -1.0);
  const Result<Model> model = robot.compile();
  REQUIRE(model.ok());
  CHECK(model->nv() == 9);
  CHECK(model->joint_nv() == 10);
}

TEST_CASE("builder: a call out of order says what to call first") {
  ModelBuilder builder;
  CHECK_THROWS_WITH_AS(builder.revolute(),
                       "ModelBuilder::revolute: there is no body yet; call body(name, inertia) first", UsageError);
  CHECK_THROWS_WITH_AS(builder.damping(1),
                       "ModelBuilder::damping: there is no joint yet; call body(name, inertia) and a kind of joint "
                       "such as revolute(axis) first",
                       UsageError);
  builder.body("arm", ball());
  CHECK_THROWS_WITH_AS(builder.at({0, 0, 1}),
                       "ModelBuilder::at: body 'arm' has no joint yet; call a kind of joint such as revolute(axis) "
                       "first",
                       UsageError);
  builder.revolute(kZ, "hinge");
  CHECK_THROWS_WITH_AS(builder.prismatic(),
                       "ModelBuilder::prismatic: body 'arm' is already the child of joint 'hinge'; call body(name, "
                       "inertia) first to add the next body",
                       UsageError);
  CHECK_THROWS_WITH_AS(builder.passive(1, {}),
                       "ModelBuilder::passive: joint 'hinge' (revolute) has 1 dofs, counted from 0; there is no "
                       "dof 1",
                       UsageError);
  CHECK_THROWS_AS(builder.limits(-1, JointLimits{}), UsageError);
  // A failed call changes nothing.
  CHECK(builder.spec().joints.size() == 1);
  CHECK(builder.compile().ok());
}

TEST_CASE("builder: what is wrong with the mechanism is said by compile, all of it") {
  ModelBuilder builder;
  builder.body("arm", ball()).revolute({0, 0, 0});
  builder.body("hand", ball());
  builder.body("tool", ball()).fixed().on("hnd").coupled_to("arm");
  const Result<Model> model = builder.compile();
  REQUIRE(!model.ok());
  CHECK(codes(model.diagnostics()) == "axis-zero body-unknown body-without-joint coupling-dofs ");
}
