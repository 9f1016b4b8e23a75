#include "pintle/model/edit/lock_joints.h"

#include <doctest/doctest.h>

#include <limits>

#include "pintle/model/edit/model_builder.h"
#include "spec_parts.h"
#include "support/law.h"

using namespace test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A gear train a -> b -> c on a trunk: q_b = 2 q_a + 0.5, q_c = -3 q_b.
ModelSpec train() {
  ModelBuilder builder("train");
  builder.body("trunk", ball()).free("root");
  builder.body("a", ball()).revolute().on("trunk").limits(-1, 1).damping(1);
  builder.body("b", ball()).revolute().on("trunk").coupled_to("a", 2.0, 0.5).limits(-10, 10);
  builder.body("c", ball()).prismatic().on("trunk").coupled_to("b", -3.0).at_child({1, 0, 0});
  builder.body("d", ball()).planar().on("c").frame("tip", {0, 0, 1});
  return builder.spec();
}

std::string codes_of(const std::vector<JointPosition>& positions) {
  return codes(lock_joints(train(), positions).diagnostics());
}

}  // namespace

TEST_CASE("lock: a joint becomes fixed where it stands; names stay, dofs go") {
  const ModelSpec spec = lock_joints(train(), {{"d", {0.1, 0.2, 0.0}}, {"root", {1, 2, 3, 0, 0, 2, 0}}}).value();
  CHECK(spec.joints[4].kind == JointKind::fixed);
  check_close<double>(spec.joints[4].X_PJ.translation, Vec3<>{0.1, 0.2, 0}, 2);
  CHECK(spec.joints[0].kind == JointKind::fixed);
  check_close<double>(spec.joints[0].X_PJ.rotation, Mat3<>{-1, 0, 0, 0, -1, 0, 0, 0, 1}, 2);
  const Model model = compile(spec).value();
  CHECK(model.nv() == 1);
  CHECK(model.joint("d") == 4);
  CHECK(model.body("d") == 4);
  CHECK(model.frame("tip") == 0);
  CHECK(model.bodies()[4].link == model.bodies()[3].link);
  CHECK(model.bodies()[0].link == -1);
  CHECK(model.couplings().size() == 2);
}

TEST_CASE("lock: couplings carry the lock to followers and to drivers, and are then spent") {
  for (const JointPosition& position :
       {JointPosition{"a", {0.25}}, JointPosition{"b", {1.0}}, JointPosition{"c", {-3.0}}}) {
    CAPTURE(position.joint);
    const ModelSpec spec = lock_joints(train(), {position}).value();
    CHECK(spec.couplings.empty());
    check_close<double>(spec.joints[1].X_PJ.rotation, rotation_z(pintle::cos(0.25), pintle::sin(0.25)), 4);
    check_close<double>(spec.joints[2].X_PJ.rotation, rotation_z(pintle::cos(1.0), pintle::sin(1.0)), 4);
    check_close<double>(spec.joints[3].X_PJ.translation, Vec3<>{0, 0, -3}, 4);
    for (std::size_t i = 1; i < 4; ++i) {
      CHECK(spec.joints[i].kind == JointKind::fixed);
      CHECK(spec.joints[i].passive.empty());
      CHECK(spec.joints[i].limits.empty());
    }
    CHECK(compile(spec).value().nv() == 9);
  }
  CHECK(lock_joints(train(), {{"a", {0.25}}, {"c", {-3.0 - 1e-12}}}).ok());
}

TEST_CASE("lock: nothing that acts on dofs stays with a locked joint of any kind") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    if (fact.nv == 0) continue;
    ModelSpec spec;
    spec.bodies = {body("a", ball())};
    spec.joints = {joint("a", kWorld, "a", fact.kind)};
    spec.joints[0].passive = {JointPassive{.damping = 1.0, .stiffness = 2.0}};
    spec.joints[0].limits = {JointLimits{.speed = 1.0}};
    spec.joints[0].prescribed = true;
    std::vector<double> q(static_cast<std::size_t>(fact.nq), 0.25);
    CHECK(compile(lock_joints(spec, {{"a", q}}).value()).value().nv() == 0);
  }
}

TEST_CASE("lock: positions that cannot be") {
  CHECK(codes_of({}) == "");
  CHECK(codes_of({{"x", {1}}, {"a", {1, 2}}, {"b", {kNan}}, {"root", {0, 0, 0, 0, 0, 0, 0}}}) ==
        "joint-unknown position-count position-not-finite position-no-direction ");
  CHECK(codes_of({{"d", {0, 0, 0}}, {"d", {0, 0, 0}}}) == "position-double ");
  CHECK(codes_of({{"a", {1.5}}}) == "position-outside-limits ");
  CHECK(codes_of({{"b", {-9.0}}}) == "position-outside-limits ");  // the driver would stand at -4.75
  const Result<ModelSpec> torn = lock_joints(train(), {{"a", {0.25}}, {"c", {1.0}}});
  REQUIRE(!torn.ok());
  CHECK(codes(torn.diagnostics()) == "position-contradicts-coupling ");
  CHECK(torn.diagnostics()[0].what == "lock_joints: joint 'c' at 1 and its driver 'b' at 1");
  CHECK(torn.diagnostics()[0].why == "the coupling requires -3");
  const Result<ModelSpec> typo = lock_joints(train(), {{"Root", {}}});
  REQUIRE(!typo.ok());
  CHECK(typo.diagnostics()[0].fix == "did you mean 'root'?");
  ModelSpec bad = train();
  bad.joints[1].axis = {0, 0, 0};
  CHECK(codes(lock_joints(bad, {}).diagnostics()) == "axis-zero ");
}
