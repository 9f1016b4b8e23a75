#include "pintle/model/compiled/joint_state.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/model/edit/model_builder.h"
#include "spec_parts.h"
#include "support/random_model.h"

using namespace test;

namespace {

/// A floating trunk, an arm, a gripper whose right finger mirrors the left one, a camera.
Model robot() {
  ModelBuilder builder;
  builder.body("trunk", ball()).free("root");
  builder.body("camera", ball()).fixed();
  builder.body("arm", ball()).cylindrical().on("trunk");
  builder.body("left", ball()).prismatic({1, 0, 0}).on("arm");
  builder.body("right", ball()).prismatic({1, 0, 0}).on("arm").coupled_to("left", -2.0, 0.5);
  builder.body("wheel", ball()).spherical().on("trunk");
  return builder.compile().value();
}

std::vector<double> counting(int n) {
  std::vector<double> numbers;
  for (int i = 0; i < n; ++i) numbers.push_back(1.0 + i);
  return numbers;
}

}  // namespace

TEST_CASE("joint state: the numbers of a joint by its name; a coupled joint's through its driver") {
  const Model model = robot();
  const std::vector<double> q = counting(model.nq()), v = counting(model.nv());
  REQUIRE(q.size() == 14);
  REQUIRE(v.size() == 12);
  const JointValues root = joint_position(model, q, "root");
  CHECK(root.size() == 7);
  for (std::size_t i = 0; i < 7; ++i) CHECK(root[i] == q[i]);
  CHECK(joint_position(model, q, "camera").size() == 0);
  CHECK(joint_position(model, q, "arm").size() == 2);
  CHECK(joint_position(model, q, "arm")[1] == 9.0);
  CHECK(joint_position(model, q, "left")[0] == 10.0);
  CHECK(joint_position(model, q, "right")[0] == -19.5);
  CHECK(joint_position(model, q, "wheel")[3] == 14.0);
  CHECK(joint_velocity(model, v, "root").size() == 6);
  CHECK(joint_velocity(model, v, "left")[0] == 9.0);
  CHECK(joint_velocity(model, v, "right")[0] == -18.0);
  CHECK(joint_velocity(model, v, "wheel")[2] == 12.0);
  CHECK(joint_effort(model, v, "arm")[0] == 7.0);
  double sum = 0.0;
  for (const double x : joint_effort(model, v, "arm")) sum += x;
  CHECK(sum == 15.0);
}

TEST_CASE("joint state: what is written by name is what is read by name") {
  const Model model = robot();
  std::vector<double> q(14), v(12), tau(12);
  position_in(model, q, "left")[0] = 0.25;
  position_in(model, q, "wheel")[3] = 1.0;
  velocity_in(model, v, "arm")[1] = 3.0;
  effort_in(model, tau, "root")[5] = 4.0;
  CHECK(position_in(model, q, "camera").empty());
  CHECK(effort_in(model, tau, "camera").empty());
  CHECK(position_in(model, q, "root").size() == 7);
  CHECK(velocity_in(model, v, "root").size() == 6);
  CHECK(joint_position(model, q, "left")[0] == 0.25);
  CHECK(joint_position(model, q, "right")[0] == 0.0);
  CHECK(q[13] == 1.0);
  CHECK(v[7] == 3.0);
  CHECK(tau[5] == 4.0);
}

TEST_CASE("joint state: wrong calls") {
  const Model model = robot();
  std::vector<double> q(14), v(12);
  CHECK_THROWS_WITH_AS(position_in(model, q, "right"),
                       "position_in: joint 'right' is coupled and has no coordinates of its own; use its driver 'left'",
                       UsageError);
  CHECK_THROWS_AS(velocity_in(model, v, "right"), UsageError);
  CHECK_THROWS_AS(effort_in(model, v, "right"), UsageError);
  CHECK_THROWS_AS(joint_effort(model, v, "right"), UsageError);
  CHECK_THROWS_WITH_AS(joint_position(model, q, "wheels"),
                       "Model::joint: there is no joint 'wheels'; did you mean 'wheel'?", UsageError);
  CHECK_THROWS_WITH_AS(joint_position(model, v, "wheel"), "joint_position: argument 'q' has size 12, expected 14",
                       UsageError);
  CHECK_THROWS_AS(joint_velocity(model, q, "wheel"), UsageError);
  CHECK_THROWS_AS(joint_effort(model, q, "wheel"), UsageError);
  CHECK_THROWS_AS(position_in(model, v, "wheel"), UsageError);
  CHECK_THROWS_AS(velocity_in(model, q, "wheel"), UsageError);
  CHECK_THROWS_WITH_AS(effort_in(model, q, "wheel"), "effort_in: argument 'tau' has size 14, expected 12", UsageError);
}

TEST_CASE("joint state: the numbering counts every independent number once") {
  for (std::uint64_t run = 0; run < 50; ++run) {
    RandomStream stream(85, run);
    RandomModelOptions options;
    options.couplings = true;
    options.welds = true;
    const Model model = compile(random_spec(stream, options)).value();
    std::vector<int> q(static_cast<std::size_t>(model.nq())), v(static_cast<std::size_t>(model.nv()));
    for (const JointNumbering& entry : joint_numbering(model)) {
      CHECK(facts(entry.kind).nq == entry.nq);
      if (!entry.driver.empty()) continue;
      for (int i = 0; i < entry.nq; ++i) ++q[static_cast<std::size_t>(entry.first_q + i)];
      for (int i = 0; i < entry.nv; ++i) ++v[static_cast<std::size_t>(entry.first_v + i)];
    }
    for (const int times : q) CHECK(times == 1);
    for (const int times : v) CHECK(times == 1);
  }
  const Model model = robot();
  const std::vector<JointNumbering> list = joint_numbering(model);
  REQUIRE(list.size() == 5);
  CHECK(list[3].joint == "right");
  CHECK(list[3].driver == "left");
  CHECK(list[3].first_q == 9);
  CHECK(list[3].first_v == 8);
}
