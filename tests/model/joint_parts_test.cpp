#include "pintle/model/links/joint_parts.h"

#include <doctest/doctest.h>

#include <set>

#include "pintle/base/usage_error.h"
#include "pintle/model/links/configuration_impl.h"
#include "pintle/model/spec/joint_rotations.h"

using namespace pintle;

TEST_CASE("joint parts: every number of every kind of joint has a name of its own and the unit of what it is") {
  for (const JointFacts& joint : kJointFacts) {
    CAPTURE(joint.name);
    const int turn = quaternion_place(joint.kind);
    std::set<std::string_view> positions, dofs;
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
      dofs.insert(velocity_part(joint.kind, i).name);
      // A dof that is a plain coordinate has its name.
      if (turn < 0) CHECK(effort_part(joint.kind, i).name == position_part(joint.kind, i).name);
    }
    CHECK(positions.size() == static_cast<std::size_t>(joint.nq));
    CHECK(dofs.size() == static_cast<std::size_t>(joint.nv));
    CHECK_THROWS_AS((void)position_part(joint.kind, joint.nq), UsageError);
    CHECK_THROWS_AS((void)effort_part(joint.kind, joint.nv), UsageError);
    CHECK_THROWS_AS((void)velocity_part(joint.kind, -1), UsageError);
  }
}

TEST_CASE("joint parts: a joint moves by the axes and the pitch that its kind has, and by no others") {
  const double q[] = {0.3, -0.2, 0.4, 0.1, 0.5, -0.1, 0.854400374531753};  // ends in a unit quaternion
  for (const JointFacts& fact : kJointFacts) {
    const double* const numbers = fact.kind == JointKind::spherical ? q + 3 : q;
    JointSpec joint;
    joint.kind = fact.kind;
    const auto differs = [&](const JointSpec& other) {
      const Pose<> X = joint_pose(joint, numbers), Y = joint_pose(other, numbers);
      const Vec3<> point{1.0, 2.0, 3.0};
      return norm(X.rotation * point + X.translation - Y.rotation * point - Y.translation) > 1e-3;
    };
    JointSpec turned = joint, turned_second = joint, pitched = joint;
    turned.axis = {0.0, 0.6, 0.8};
    turned_second.second_axis = {0.8, 0.6, 0.0};
    pitched.pitch_m_per_rad = 0.25;
    CAPTURE(fact.name);
    CHECK(differs(turned) == (axis_count(fact.kind) >= 1));
    CHECK(differs(turned_second) == (axis_count(fact.kind) == 2));
    CHECK(differs(pitched) == has_pitch(fact.kind));
  }
}
