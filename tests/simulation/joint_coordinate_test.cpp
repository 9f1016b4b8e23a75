#include "pintle/simulation/elements/joint_coordinate.h"

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/model/compiled/joint_state.h"
#include "simulation/element_bench.h"

using namespace test;

TEST_CASE("joint coordinate: position and speed are those of the joint, followers' too; efforts do the same work") {
  for (std::uint64_t run = 0; run < 60; ++run) {
    RandomStream stream(411, run);
    ElementBench bench(random_spec(stream, variety(run, 12)));
    bench.random_state(stream);
    for (std::size_t j = 0; j < bench.model.joints().size(); ++j) {
      const ModelJoint& joint = bench.model.joints()[j];
      const JointFacts& kind = facts(joint.kind);
      const JointValues q = joint_position(bench.model, bench.q, joint.name);
      const JointValues v = joint_velocity(bench.model, bench.v, joint.name);
      for (int i = 0; i < kind.nv; ++i) {
        const JointCoordinate at = joint_coordinate(bench.model, static_cast<int>(j), i);
        CHECK(at.has_position() == (kind.nq == kind.nv));
        if (at.has_position()) CHECK(position(at, bench.q) == q[size(i)]);
        if (!at.has_position()) CHECK(std::isnan(position(at, bench.q)));
        CHECK(speed(at, bench.v) == v[size(i)]);
        Numbers tau(bench.v.size());
        add_effort(at, 3.0, tau);
        double power = 0.0;
        for (std::size_t k = 0; k < tau.size(); ++k) power += tau[k] * bench.v[k];
        CHECK(abs(power - 3.0 * v[size(i)]) <= 4 * kEpsilon<double> * abs(power));
      }
      CHECK_THROWS_AS((void)joint_coordinate(bench.model, static_cast<int>(j), kind.nv), UsageError);
    }
    CHECK_THROWS_AS((void)joint_coordinate(bench.model, static_cast<int>(bench.model.joints().size()), 0), UsageError);
  }
}

TEST_CASE("joint coordinate: the driver of a follower") {
  const Model model = compile(with_follower(2.0, 0.0)).value();
  CHECK(driver_of(model, 0) == -1);
  CHECK(driver_of(model, 1) == 0);
}
