#include "pintle/model/edit/payload.h"

#include <doctest/doctest.h>

#include "pintle/model/edit/model_builder.h"
#include "spec_parts.h"
#include "support/law.h"

using namespace test;

namespace {

ModelSpec arm() {
  ModelBuilder builder("arm");
  builder.body("upper", ball()).revolute();
  builder.body("lower", ball()).revolute({0, 0, 1}, "elbow").frame("tool", {0, 0, 1});
  return builder.spec();
}

}  // namespace

TEST_CASE("payload: put on at a frame, replaced at a body, taken off") {
  const ModelSpec loaded = set_payload(arm(), "tool", "part", ball(2.0)).value();
  REQUIRE(loaded.bodies.size() == 3);
  CHECK(loaded.bodies[2].inertia.mass == 2.0);
  CHECK(loaded.joints[2].kind == JointKind::fixed);
  CHECK(loaded.joints[2].parent == "lower");
  CHECK(loaded.joints[2].child == "part");
  CHECK(loaded.joints[2].X_PJ.translation.z == 1.0);
  const Model model = compile(loaded).value();
  CHECK(model.nv() == 2);
  CHECK(model.links()[1].inertia.mass == 3.0);

  const ModelSpec other = set_payload(loaded, "upper", "part", ball(5.0)).value();
  REQUIRE(other.bodies.size() == 3);
  CHECK(other.bodies[2].inertia.mass == 5.0);
  CHECK(other.joints[2].parent == "upper");
  CHECK(distance(other.joints[2].X_PJ, identity_pose<double>()) == 0);

  const ModelSpec empty = remove_payload(other, "part").value();
  CHECK(empty.bodies.size() == 2);
  CHECK(empty.joints.size() == 2);
  CHECK(empty.joints[1].name == "elbow");
}

TEST_CASE("payload: wrong places, names that are taken, inertias of no body") {
  const Result<ModelSpec> lost = set_payload(arm(), "tol", "part", ball());
  REQUIRE(!lost.ok());
  CHECK(lost.diagnostics()[0].what == "set_payload names 'tol', which is neither a body nor a frame");
  CHECK(lost.diagnostics()[0].fix == "did you mean 'tool'?");
  const Result<ModelSpec> taken = set_payload(arm(), "tool", "upper", ball());
  REQUIRE(!taken.ok());
  CHECK(taken.diagnostics()[0].what == "there is a body called 'upper' that is not a payload");
  CHECK(codes(set_payload(arm(), "tool", "elbow", ball()).diagnostics()) == "payload-name-taken ");
  CHECK(codes(set_payload(arm(), "tool", "part", ball(-1.0)).diagnostics()) == "inertia-mass ");
  const ModelSpec loaded = set_payload(arm(), "tool", "part", ball()).value();
  CHECK(codes(set_payload(loaded, "part", "part", ball()).diagnostics()) == "cycle ");
}

TEST_CASE("payload: only a payload can be taken off, and only with nothing on it") {
  ModelSpec loaded = set_payload(arm(), "tool", "part", ball()).value();
  const Result<ModelSpec> typo = remove_payload(loaded, "pert");
  REQUIRE(!typo.ok());
  CHECK(typo.diagnostics()[0].fix == "did you mean 'part'?");
  CHECK(codes(remove_payload(loaded, "upper").diagnostics()) == "payload-name-taken payload-in-use ");
  loaded.frames.emplace_back().name = "label";
  loaded.frames.back().body = "part";
  const Result<ModelSpec> in_use = remove_payload(loaded, "part");
  REQUIRE(!in_use.ok());
  CHECK(in_use.diagnostics()[0].what == "frame 'label' is attached to the payload 'part'");
  loaded.bodies[0].inertia.mass = -1.0;
  CHECK(codes(remove_payload(loaded, "part").diagnostics()) == "inertia-mass payload-in-use ");
}
