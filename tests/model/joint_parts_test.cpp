#include "pintle/model/joint_parts.h"

#include <doctest/doctest.h>

#include <set>

#include "pintle/base/usage_error.h"
#include "pintle/model/configuration_impl.h"

using namespace pintle;

TEST_CASE("joint parts: every number of every kind of joint has a name of its own and the unit of what it is") {
  for (const JointFacts& joint : kJointFacts) {
    CAPTURE(joint.name);
    const int turn = quaternion_place(joint.kind);
    std::set<std::string_view> positions, freedoms;
    for (int i = 0; i < joint.nq; ++i) {
      const JointPart part = position_part(joint.kind, i);
      CHECK(!part.name.empty());
      positions.insert(part.name);
      const bool quaternion = turn >= 0 && i >= turn;
      CHECK(part.unit == (quaternion ? "1" : is_angle(joint.kind, i) ? "rad" : "m"));
    }
    for (int i = 0; i < joint.nv; ++i) {
      const bool turns = is_angle(joint.kind, i) || (turn >= 0 && i >= turn);
      CHECK(velocity_part(joint.kind, i).unit == (turns ? "rad/s" : "m/s"));
      CHECK(acceleration_part(joint.kind, i).unit == (turns ? "rad/s^2" : "m/s^2"));
      CHECK(effort_part(joint.kind, i).unit == (turns ? "N m" : "N"));
      freedoms.insert(velocity_part(joint.kind, i).name);
      // A freedom that is a plain coordinate has its name.
      if (turn < 0) CHECK(effort_part(joint.kind, i).name == position_part(joint.kind, i).name);
    }
    CHECK(positions.size() == static_cast<std::size_t>(joint.nq));
    CHECK(freedoms.size() == static_cast<std::size_t>(joint.nv));
    CHECK_THROWS_AS((void)position_part(joint.kind, joint.nq), UsageError);
    CHECK_THROWS_AS((void)effort_part(joint.kind, joint.nv), UsageError);
    CHECK_THROWS_AS((void)velocity_part(joint.kind, -1), UsageError);
  }
}
