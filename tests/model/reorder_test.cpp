#include "pintle/model/edit/reorder.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "pintle/base/usage_error.h"
#include "pintle/model/compiled/joint_state.h"
#include "support/random_model.h"

namespace test {
namespace {

/// The joints that have numbers of their own.
std::vector<std::string> own_joints(const Model& model) {
  std::vector<std::string> names;
  for (const JointNumbering& joint : joint_numbering(model))
    if (joint.driver.empty()) names.emplace_back(joint.joint);
  return names;
}

TEST_CASE("numbers in any order of joints go to where the joint's name leads, and back") {
  RandomStream stream(9, 1);
  for (int round = 0; round < 30; ++round) {
    const Model model = *compile(random_spec(stream, {.links = 8, .couplings = true, .welds = true}));
    std::vector<std::string> names = own_joints(model);
    for (std::size_t i = names.size(); i > 1; --i) std::swap(names[i - 1], names[stream.below(i)]);
    const Result<JointOrder> order = joint_order(model, names);
    REQUIRE(order.ok());
    REQUIRE(order->q.size() == static_cast<std::size_t>(model.nq()));
    REQUIRE(order->v.size() == static_cast<std::size_t>(model.nv()));
    std::vector<double> given_q, given_v, q(order->q.size()), v(order->v.size());
    for (std::size_t i = 0; i < q.size(); ++i) given_q.push_back(stream.uniform());
    for (std::size_t i = 0; i < v.size(); ++i) given_v.push_back(stream.uniform());
    reorder(order->q, given_q, q);
    reorder(order->v, given_v, v);
    std::size_t at_q = 0, at_v = 0;
    for (const std::string& name : names) {
      for (const double x : position_in(model, q, name)) CHECK(x == given_q[at_q++]);
      for (const double x : velocity_in(model, v, name)) CHECK(x == given_v[at_v++]);
    }
    std::vector<double> back(q.size());
    reorder_back(order->q, q, back);
    CHECK(back == given_q);
  }
}

TEST_CASE("joints that are not named keep their numbers, fixed ones have none") {
  RandomStream stream(9, 2);
  const Model model = *compile(random_spec(stream, {.links = 6, .welds = true}));
  const std::vector<std::string> names = own_joints(model);
  std::vector<std::string> some{names[2]};
  for (const ModelJoint& joint : model.joints())
    if (joint.kind == JointKind::fixed) some.push_back(joint.name);
  const JointOrder order = *joint_order(model, some);
  std::vector<double> v(static_cast<std::size_t>(model.nv()), 7.0);
  reorder(order.v, std::vector<double>(order.v.size(), 1.0), v);
  CHECK(static_cast<std::size_t>(std::count(v.begin(), v.end(), 1.0)) == order.v.size());
  CHECK(joint_order(model, {})->q.empty());
}

TEST_CASE("names that cannot be meant are told, all of them") {
  ModelSpec spec;
  const SpatialInertia<> inertia = spatial_inertia(1.0, Vec3<>{0.1, 0.0, 0.0}, diagonal(Vec3<>{1.0, 1.0, 1.0}));
  for (const char* const name : {"upper", "lower"}) {
    spec.bodies.push_back({.name = name, .inertia = inertia});
    JointSpec joint;
    joint.name = std::string(name) + "_joint";
    joint.kind = JointKind::revolute;
    joint.parent = kWorld;
    joint.child = name;
    spec.joints.push_back(joint);
  }
  spec.couplings.push_back({.joint = "lower_joint", .driver = "upper_joint"});
  const Model model = *compile(spec);
  const std::vector<std::string> names = {"uper_joint", "lower_joint", "upper_joint", "upper_joint"};
  const Result<JointOrder> order = joint_order(model, names);
  REQUIRE(order.diagnostics().size() >= 3);
  CHECK(order.diagnostics()[0].code == "joint-unknown");
  CHECK(order.diagnostics()[0].fix == "did you mean 'upper_joint'?");
  CHECK(order.diagnostics()[1].code == "order-coupled");
  CHECK(order.diagnostics()[2].code == "order-twice");
  std::vector<double> v(1);
  CHECK_THROWS_AS(reorder(std::vector<int>{0}, std::vector<double>(2), v), UsageError);
  CHECK_THROWS_AS(reorder(std::vector<int>{1}, std::vector<double>(1), v), UsageError);
  CHECK_THROWS_AS(reorder_back(std::vector<int>{-1}, v, v), UsageError);
}

}  // namespace
}  // namespace test
