#include <doctest/doctest.h>

#include "spec_parts.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

TEST_CASE("compile: links are in depth-first order, children in the order of their joints") {
  ModelSpec spec;
  for (const char* name : {"e", "d", "c", "b", "a"}) spec.bodies.push_back(body(name, ball()));
  spec.joints = {joint("to_c", "b", "c", JointKind::free), joint("to_a", "world", "a", JointKind::spherical),
                 joint("to_b", "a", "b", JointKind::planar), joint("to_d", "a", "d"),
                 joint("to_e", "world", "e", JointKind::cylindrical)};
  const Model model = compile(spec).value();
  const char* const order[] = {"a", "b", "c", "d", "e"};
  const int parents[] = {-1, 0, 1, 0, -1};
  const int q[] = {0, 4, 7, 14, 15}, v[] = {0, 3, 6, 12, 13};
  REQUIRE(model.links().size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    const Link& link = model.links()[i];
    const ModelBody& b = model.bodies()[static_cast<std::size_t>(model.body(order[i]))];
    const ModelJoint& j = model.joints()[static_cast<std::size_t>(b.joint)];
    CHECK(b.link == static_cast<int>(i));
    CHECK(j.link == static_cast<int>(i));
    CHECK(j.name == std::string("to_") + order[i]);
    CHECK(link.kind == j.kind);
    CHECK(link.parent == parents[i]);
    CHECK(link.q == q[i]);
    CHECK(link.v == v[i]);
    CHECK(link.nv == facts(link.kind).nv);
    CHECK(j.q == q[i]);
    CHECK(j.v == v[i]);
  }
  CHECK(model.nq() == 17);
  CHECK(model.nv() == 15);
  // Bodies and joints keep the order of the spec.
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(model.bodies()[i].name == spec.bodies[i].name);
    CHECK(model.joints()[i].name == spec.joints[i].name);
    CHECK(model.body(spec.bodies[i].name) == static_cast<int>(i));
    CHECK(model.joint(spec.joints[i].name) == static_cast<int>(i));
  }
}

TEST_CASE("compile: random trees, their joints in any order: parents before children, subtrees in one piece") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    RandomStream stream(45, run);
    RandomModelOptions options;
    options.links = 30;
    options.welds = true;
    ModelSpec spec = random_spec(stream, options);
    for (std::size_t i = spec.joints.size() - 1; i > 0; --i)
      std::swap(spec.joints[i], spec.joints[stream.below(i + 1)]);
    const Model model = compile(spec).value();
    const int n = static_cast<int>(model.links().size());
    CHECK(n == 30);
    std::vector<int> open{-1};  // the links from the world to the last one
    for (int i = 0; i < n; ++i) {
      const int parent = model.links()[static_cast<std::size_t>(i)].parent;
      CHECK(parent < i);
      while (open.back() > parent) open.pop_back();
      CHECK(open.back() == parent);  // else the subtree of a link between them was left and entered again
      open.push_back(i);
    }
  }
}

TEST_CASE("compile: a chain of 1000 links") {
  RandomStream stream(46);
  RandomModelOptions options;
  options.links = 1000;
  options.branching = 0.0;
  const Model model = compile(random_spec(stream, options)).value();
  REQUIRE(model.links().size() == 1000);
  for (int i = 0; i < 1000; ++i) CHECK(model.links()[static_cast<std::size_t>(i)].parent == i - 1);
}

TEST_CASE("compile: the dofs' parents are those of the tree, with or without a coupling elsewhere") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(76, run);
    ModelSpec spec = random_spec(stream, {.links = 1 + static_cast<int>(run % 20), .welds = run % 3 == 0});
    const Model model = compile(spec).value();
    const std::vector<int> parents(model.dof_parents().begin(), model.dof_parents().end());
    for (const Link& link : model.links()) {
      const std::size_t parent = static_cast<std::size_t>(link.parent);
      const int last = link.parent < 0 ? -1 : model.links()[parent].v + model.links()[parent].nv - 1;
      for (int k = 0; k < link.nv; ++k)
        CHECK(parents[static_cast<std::size_t>(link.v + k)] == (k == 0 ? last : link.v + k - 1));
    }
    // Two joints beside the tree, one driven by the other: the general way of finding the parents.
    for (const char* name : {"driver", "follower"}) {
      spec.bodies.push_back(body(name, ball()));
      spec.joints.push_back(joint(name, kWorld, name));
    }
    spec.couplings = {coupling("follower", "driver", 2.0, 0.0)};
    const Model coupled = compile(spec).value();
    std::vector<int> expected = parents;
    expected.push_back(-1);
    CHECK(std::vector<int>(coupled.dof_parents().begin(), coupled.dof_parents().end()) == expected);
  }
}

// A list of all pairs of dofs on one branch would take a gigabyte here.
TEST_CASE("compile: a chain of many links") {
  ModelSpec spec;
  const int count = 20000;
  for (int i = 0; i < count; ++i) {
    const std::string name = std::to_string(i);
    spec.bodies.push_back(body(name, ball()));
    spec.joints.push_back(joint(name, i == 0 ? kWorld : std::to_string(i - 1), name));
  }
  const Model model = compile(spec).value();
  CHECK(model.dof_parents().front() == -1);
  CHECK(model.dof_parents().back() == count - 2);
}
