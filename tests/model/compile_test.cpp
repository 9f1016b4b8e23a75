#include <doctest/doctest.h>

#include "spec_parts.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

TEST_CASE("compile: frames keep their body and place; the world may have some") {
  RandomStream stream(48);
  ModelSpec spec;
  spec.bodies = {body("a", ball())};
  spec.joints = {joint("j", "world", "a")};
  spec.frames.resize(2);
  spec.frames[0].name = "tool";
  spec.frames[0].body = "a";
  spec.frames[0].X_BF = random_pose(stream);
  spec.frames[1].name = "table";
  spec.frames[1].body = "world";
  const Model model = compile(spec).value();
  REQUIRE(model.frames().size() == 2);
  CHECK(model.frames()[0].name == "tool");
  CHECK(model.frames()[0].body == 0);
  check_close<double>(model.frames()[0].X_BF, spec.frames[0].X_BF, 3);
  CHECK(model.frame("table") == 1);
  CHECK(model.frames()[1].body == -1);
}

TEST_CASE("compile: the name, gravity, and the dofs with one entry for all or one for each") {
  ModelSpec spec;
  spec.name = "cart";
  spec.gravity = {1, 2, 3};
  spec.bodies = {body("a", ball()), body("b", ball()), body("c", ball())};
  spec.joints = {joint("to_a", "world", "a", JointKind::planar), joint("to_b", "a", "b", JointKind::cylindrical),
                 joint("to_c", "b", "c")};
  spec.joints[0].passive.resize(1);
  spec.joints[0].passive[0].armature = 0.5;
  spec.joints[0].limits.resize(3);
  for (std::size_t i = 0; i < 3; ++i) spec.joints[0].limits[i].lower = -1.0 - static_cast<double>(i);
  spec.joints[1].passive.resize(2);
  spec.joints[1].passive[0].armature = 0.25;
  spec.joints[1].passive[1].damping = 4.0;
  const Model model = compile(spec).value();
  CHECK(model.name() == "cart");
  CHECK(distance(model.gravity(), spec.gravity) == 0);
  REQUIRE(model.dofs().size() == 6);
  const int joints[] = {0, 0, 0, 1, 1, 2}, indices[] = {0, 1, 2, 0, 1, 0};
  const double armatures[] = {0.5, 0.5, 0.5, 0.25, 0.0, 0.0}, dampings[] = {0, 0, 0, 0, 4.0, 0};
  const LinkTree tree = model.tree();
  CHECK(tree.count == 3);
  CHECK(tree.nq == 6);
  CHECK(tree.nv == 6);
  CHECK(distance(tree.gravity, spec.gravity) == 0);
  for (std::size_t i = 0; i < 6; ++i) {
    const ModelDof& dof = model.dofs()[i];
    CHECK(dof.joint == joints[i]);
    CHECK(dof.index == indices[i]);
    CHECK(dof.passive.armature == armatures[i]);
    CHECK(tree.armature[i] == armatures[i]);
    CHECK(dof.passive.damping == dampings[i]);
    CHECK(dof.limits.lower == (i < 3 ? -1.0 - static_cast<double>(i) : JointLimits{}.lower));
  }
}

TEST_CASE("compile: the pitch is the screw's alone") {
  ModelSpec spec;
  spec.bodies = {body("a", ball()), body("b", ball())};
  spec.joints = {joint("to_a", "world", "a", JointKind::screw), joint("to_b", "a", "b")};
  for (JointSpec& j : spec.joints) j.pitch_m_per_rad = 0.25;
  const Model model = compile(spec).value();
  CHECK(model.links()[0].pitch == 0.25);
  CHECK(model.links()[1].pitch == 0.0);
}
