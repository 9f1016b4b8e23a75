#include <doctest/doctest.h>

#include "pintle/model/plan/plan.h"
#include "support/random_model.h"

using namespace test;

namespace {

/// Revolute joints at right angles to each other, each of which carries the next.
ModelSpec right_angles(int links) {
  ModelSpec spec;
  for (int i = 0; i < links; ++i) {
    BodySpec body{.name = "body" + std::to_string(i)};
    body.inertia = spatial_inertia(1.0, Vec3<>{0.1, -0.05, 0.02}, diagonal(Vec3<>{0.02, 0.03, 0.04}));
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.kind = JointKind::revolute;
    joint.parent = i == 0 ? kWorld : "body" + std::to_string(i - 1);
    joint.child = body.name;
    joint.X_PJ.translation = {0.3, 0.1, 0.2};
    joint.axis = i % 2 == 0 ? Vec3<>{0, 0, 1} : Vec3<>{0, 1, 0};
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
  }
  return spec;
}

KernelLayout layout_of(const ModelSpec& spec) {
  return compile(spec).value().plan().layout();
}

}  // namespace

TEST_CASE("plan: chains of revolute joints from six links on have their bodies in lanes") {
  CHECK(layout_of(right_angles(5)) == KernelLayout::one_by_one);
  for (const int links : {6, 7, 8, 9, 16}) CHECK(layout_of(right_angles(links)) == KernelLayout::bodies_in_lanes);
}

TEST_CASE("plan: chains have their bodies in lanes when asked for, if there are more than lanes") {
  const Model four = compile(right_angles(4)).value(), five = compile(right_angles(5)).value(),
              seven = compile(right_angles(7)).value();
  CHECK(Plan(four.tree(), KernelLayout::bodies_in_lanes).layout() == KernelLayout::one_by_one);
  CHECK(Plan(five.tree(), KernelLayout::bodies_in_lanes).layout() == KernelLayout::bodies_in_lanes);
  CHECK(Plan(seven.tree(), KernelLayout::one_by_one).layout() == KernelLayout::one_by_one);
  CHECK(Plan(seven.tree(), KernelLayout::side_by_side).layout() == KernelLayout::one_by_one);
}

TEST_CASE("plan: what is no chain of revolute joints with base parameters has another layout") {
  ModelSpec branched = right_angles(8);
  branched.joints[5].parent = "body3";
  CHECK(layout_of(branched) == KernelLayout::one_by_one);
  ModelSpec two_roots = right_angles(12);
  two_roots.joints[6].parent = kWorld;
  CHECK(layout_of(two_roots) != KernelLayout::bodies_in_lanes);
  ModelSpec prismatic = right_angles(8);
  prismatic.joints[4].kind = JointKind::prismatic;
  CHECK(layout_of(prismatic) == KernelLayout::one_by_one);
  ModelSpec heavy = right_angles(8);  // its parent is too light to take its mass
  heavy.bodies[4].inertia = spatial_inertia(20.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{1, 1, 1}));
  CHECK(layout_of(heavy) == KernelLayout::one_by_one);
  CHECK(layout_of(right_angles(18)) == KernelLayout::one_by_one);  // the outer ones together are too heavy for one
  ModelSpec almost_parallel = right_angles(8);
  almost_parallel.joints[5].axis = {0, 1e-3, 1};
  almost_parallel.joints[4].axis = {0, 0, 1};
  CHECK(layout_of(almost_parallel) == KernelLayout::one_by_one);
}

TEST_CASE("plan: long chains and those that move almost in a plane are not factored") {
  const auto factored = [](const ModelSpec& spec) {
    return compile(spec).value().plan().view<double>().chain.factored;
  };
  CHECK(factored(right_angles(12)));
  CHECK_FALSE(factored(right_angles(13)));
  ModelSpec arm = right_angles(8);  // the axes of joints 2, 3 and 4 are parallel
  arm.joints[3].axis = {0, 0, 1};
  CHECK(factored(arm));
  arm.joints[5].axis = {0, 0.2, 1};  // and that of joint 5 is almost
  CHECK_FALSE(factored(arm));
}

TEST_CASE("plan: lanes beyond the tip have a rotor and nothing else") {
  const Model model = compile(right_angles(6)).value();
  const PlanChain chain = model.plan().view<double>().chain;
  CHECK(chain.links == 6);
  REQUIRE(chain.count == 2);
  for (const int lane : {2, 3}) {
    CHECK(chain.packs[1].armature.lanes[lane] == 1.0);
    CHECK(chain.packs[1].cos_alpha.lanes[lane] == 1.0);
    CHECK(chain.packs[1].zz.lanes[lane] == 0.0);
    CHECK(chain.packs[1].hx.lanes[lane] == 0.0);
  }
  CHECK(one_by_one(model.plan().view<double>()).chain.count == 0);
}
