#include "pintle/dynamics/kernels/planned_kernels.h"

#include <doctest/doctest.h>

#include "support/planned_distances.h"
#include "support/planned_trees.h"

using namespace test;

namespace {

Distances worst_of_trees(std::uint64_t runs, Joints joints, double mass_ratio) {
  Distances worst;
  for (std::uint64_t run = 0; run < runs; ++run) {
    RandomStream stream(61, run);
    const Model model = compile(planned_tree(stream, run, joints, mass_ratio)).value();
    worst = worse(worst, distances(planned_kernels_in_use().one, model, RandomState(model, stream)));
  }
  MESSAGE("worst, in n eps: inverse ", worst.inverse, ", forward ", worst.forward, ", mass ", worst.mass);
  return worst;
}

/// A chain of revolute joints whose axes are this far from parallel; each link is heavier than the one before. Every
/// second joint may be of another kind.
ModelSpec almost_parallel(double angle, int links = 4, double heavier = 1.0, JointKind second = JointKind::revolute) {
  ModelSpec spec;
  for (int i = 0; i < links; ++i) {
    BodySpec body{.name = "body" + std::to_string(i)};
    body.inertia = spatial_inertia(1.0 + heavier * i, Vec3<>{0.1, -0.05, 0.02}, diagonal(Vec3<>{0.02, 0.03, 0.04}));
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.kind = i % 2 == 0 ? JointKind::revolute : second;
    joint.parent = i == 0 ? kWorld : "body" + std::to_string(i - 1);
    joint.child = body.name;
    joint.X_PJ = {rotation_x(cos(angle), sin(angle)), {0.3, 0.1, 0.2}};
    joint.axis = {0, 0, 1};
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
  }
  return spec;
}

/// Revolute joints that carry each other, one by one.
ModelSpec chain(RandomStream& stream, int links, double mass_ratio, bool armature, double offset = 0.0) {
  ModelSpec spec = random_spec(stream, {.links = links,
                                        .branching = 0.0,
                                        .mass_ratio = mass_ratio,
                                        .armature = armature,
                                        .root_offset = {offset, -offset, offset}});
  for (JointSpec& joint : spec.joints) joint.kind = JointKind::revolute;
  return spec;
}

/// Of the chains among random ones, of 6 to 15 links, that have their links in lanes.
Distances worst_of_chains(std::uint64_t runs, double mass_ratio, int least) {
  Distances worst;
  int chains = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    RandomStream stream(66, run);
    const Model model = compile(chain(stream, 6 + static_cast<int>(run % 10), mass_ratio, run % 3 != 0)).value();
    if (model.plan().layout() != KernelLayout::bodies_in_lanes) continue;
    ++chains;
    worst = worse(worst, distances(planned_kernels_in_use().one, model, RandomState(model, stream)));
  }
  MESSAGE("worst of ", chains, " chains, in n eps: inverse ", worst.inverse, ", forward ", worst.forward, ", mass ",
          worst.mass);
  CHECK(chains > least);
  return worst;
}

void check_trees(std::uint64_t count, Joints joints, double mass_ratio, const Distances& bounds) {
  CAPTURE(static_cast<int>(joints));
  CAPTURE(mass_ratio);
  const Distances worst = worst_of_trees(count, joints, mass_ratio);
  CHECK(worst.inverse < bounds.inverse);
  CHECK(worst.forward < bounds.forward);
  CHECK(worst.mass < bounds.mass);
}

}  // namespace

// Three times the worst seen. Where light links in a row carry a heavy one, the plain recursion itself is off by some
// hundred n eps (docs/decisions/0004-projected-articulated-inertia.md).
TEST_CASE("planned kernels: equal the plain ones on ten thousand trees of every kind of joint") {
  check_trees(4000, Joints::every, 10.0, {8.0, 8.0, 32.0});
  check_trees(1000, Joints::every, 1e6, {16.0, 1000.0, 200.0});
  check_trees(4000, Joints::revolute, 10.0, {32.0, 16.0, 32.0});
  check_trees(1000, Joints::revolute, 1e6, {32.0, 16.0, 200.0});
  check_trees(4000, Joints::revolute_and_prismatic, 10.0, {32.0, 32.0, 32.0});
  check_trees(1000, Joints::revolute_and_prismatic, 1e6, {32.0, 32.0, 200.0});
  check_trees(4000, Joints::revolute_and_spherical, 10.0, {32.0, 32.0, 32.0});
  check_trees(1000, Joints::revolute_and_spherical, 1e6, {32.0, 32.0, 200.0});
}

TEST_CASE("planned kernels: axes at any angle, also those whose common normal is far away or anywhere") {
  Distances worst;
  for (const double angle : {0.0, 1e-16, 1e-14, 1e-9, 1e-6, 1e-3, 0.0099, 0.0101, 0.1, 1.0, 1.5707963267948966, 3.0,
                             3.1315, 3.14159265, 3.1415926535897932}) {
    for (const JointKind second : {JointKind::revolute, JointKind::prismatic}) {
      const Model model = compile(almost_parallel(angle, 4, 1.0, second)).value();
      for (std::uint64_t run = 0; run < 20; ++run) {
        RandomStream stream(62, run);
        worst = worse(worst, distances(planned_kernels_in_use().one, model, RandomState(model, stream)));
      }
    }
  }
  CHECK(worst.inverse < 32.0);
  CHECK(worst.forward < 32.0);
  CHECK(worst.mass < 32.0);
}

// Three times the worst seen.
TEST_CASE("planned kernels: chains with their links in lanes equal the plain ones") {
  const Distances alike = worst_of_chains(10000, 1.5, 8000), heavy = worst_of_chains(10000, 1e3, 200);
  CHECK(alike.inverse < 16.0);
  CHECK(alike.forward < 16.0);
  CHECK(alike.mass < 48.0);
  CHECK(heavy.inverse < 16.0);
  CHECK(heavy.forward < 16.0);
  CHECK(heavy.mass < 16.0);
  Distances parallel;
  for (const double angle : {0.0, 1e-16, 0.1, 1.5707963267948966, 3.0, 3.1415926535897932}) {
    for (int links = 6; links < 16; ++links) {
      const Model model = compile(almost_parallel(angle, links, 0.0)).value();
      REQUIRE(model.plan().layout() == KernelLayout::bodies_in_lanes);
      RandomStream stream(67);
      parallel = worse(parallel, distances(planned_kernels_in_use().one, model, RandomState(model, stream)));
    }
  }
  MESSAGE("worst near parallel, in n eps: inverse ", parallel.inverse, ", forward ", parallel.forward, ", mass ",
          parallel.mass);
  CHECK(parallel.inverse < 32.0);
  CHECK(parallel.forward < 32.0);
  CHECK(parallel.mass < 32.0);
}

TEST_CASE("planned kernels: the same bits 100 km away") {
  for (std::uint64_t run = 0; run < 20; ++run) {
    std::vector<double> here;
    for (const double offset : {0.0, 1e5}) {
      RandomStream stream(64, run);
      const Model model = compile(random_spec(stream, {.links = 8, .root_offset = {offset, -offset, offset}})).value();
      const PlannedAnswers<double> answers =
          planned_answers(planned_kernels_in_use().one, model, {RandomState(model, stream)});
      if (offset == 0.0) here = answers.vdot;
      CHECK(answers.vdot == here);
    }
  }
}

TEST_CASE("planned kernels: chains with their links in lanes have the same bits 100 km away") {
  std::vector<double> here;
  for (const double offset : {0.0, 1e5}) {
    RandomStream stream(68);
    const Model model = compile(chain(stream, 7, 2.0, true, offset)).value();
    REQUIRE(model.plan().layout() == KernelLayout::bodies_in_lanes);
    const PlannedAnswers<double> answers =
        planned_answers(planned_kernels_in_use().one, model, {RandomState(model, stream)});
    if (offset == 0.0) here = answers.vdot;
    CHECK(answers.vdot == here);
  }
}

TEST_CASE("planned kernels: a link of a chain without inertia to move is told of, in every lane") {
  const PlannedKernels<double>& kernels = planned_kernels_in_use().one;
  for (int links = 6; links < 12; ++links) {
    for (int first = 0; first < links; ++first) {
      RandomStream stream(69);
      const Model model = compile(chain(stream, links, 1.0, false)).value();
      const RandomState state(model, stream);
      std::vector<Link> light(model.links().begin(), model.links().end());
      for (std::size_t i = static_cast<std::size_t>(first); i < light.size(); ++i)
        light[i].inertia = zero_inertia<double>();
      LinkTree tree = model.tree();
      tree.links = light.data();
      const Plan plan(tree, KernelLayout::bodies_in_lanes);
      REQUIRE(plan.layout() == KernelLayout::bodies_in_lanes);
      const PlanView<double> view = plan.view<double>();
      KernelScratch memory(kernels.bytes(view));
      std::vector<double> vdot(state.v.size());
      CHECK_FALSE(
          kernels.forward_dynamics(view, state.q.data(), state.v.data(), state.tau.data(), memory.data(), vdot.data()));
      CHECK(planned_answers(kernels, model, {state}).moves);
    }
  }
}

TEST_CASE("planned kernels: a joint without inertia to move is told of") {
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::screw, JointKind::cylindrical,
                               JointKind::spherical, JointKind::free}) {
    for (const bool outer : {false, true}) {
      RandomStream stream(65);
      ModelSpec spec = random_spec(stream, {.links = 3, .branching = 0.0, .armature = false});
      for (JointSpec& joint : spec.joints) joint.kind = JointKind::revolute;
      spec.joints[outer ? 2 : 0].kind = kind;
      const Model model = compile(spec).value();
      const RandomState state(model, stream);
      CHECK(planned_answers(planned_kernels_in_use().one, model, {state}).moves);
      // The same plan with bodies that weigh nothing.
      std::vector<Link> links(model.links().begin(), model.links().end());
      for (std::size_t i = outer ? 2 : 0; i < 3; ++i) links[i].inertia = zero_inertia<double>();
      LinkTree tree = model.tree();
      tree.links = links.data();
      const Plan plan(tree);
      const PlanView<double> view = plan.view<double>();
      const PlannedKernels<double>& kernels = planned_kernels_in_use().one;
      KernelScratch memory(kernels.bytes(view));
      std::vector<double> vdot(state.v.size());
      CHECK_FALSE(
          kernels.forward_dynamics(view, state.q.data(), state.v.data(), state.tau.data(), memory.data(), vdot.data()));
    }
  }
}
