// Small mechanisms with closed-form answers.
#pragma once

#include <string>
#include <vector>

#include "pintle/model/compiled/model.h"

namespace test {

using namespace pintle;

/// A bar along x from its joint at the origin, rotating about an axis, with its mass at its end.
inline void add_bar(ModelSpec& spec, double offset, double length, double mass = 1.0, Vec3<> axis = {0, 1, 0},
                    JointKind kind = JointKind::revolute) {
  const std::string number = std::to_string(spec.bodies.size());
  JointSpec joint;
  joint.name = "joint" + number;
  joint.kind = kind;
  joint.parent = spec.bodies.empty() ? kWorld : spec.bodies.back().name;
  joint.child = "bar" + number;
  joint.X_PJ = Pose<>{identity3(), {offset, 0, 0}};
  joint.axis = axis;
  BodySpec body;
  body.name = joint.child;
  body.inertia = spatial_inertia(mass, Vec3<>{length, 0, 0}, (0.01 * mass) * diagonal(Vec3<>{1, 1, 1}));
  spec.bodies.push_back(body);
  spec.joints.push_back(joint);
}

/// Bars of the given lengths in series, rotating about y. At zero they lie along x; a positive angle rotates them down,
/// against z.
inline ModelSpec bar_chain(const std::vector<double>& lengths, double mass = 1.0) {
  ModelSpec spec{.name = "bars"};
  for (std::size_t i = 0; i < lengths.size(); ++i) add_bar(spec, i == 0 ? 0.0 : lengths[i - 1], lengths[i], mass);
  return spec;
}

inline JointLimits between(double lower, double upper) {
  JointLimits limits;
  limits.lower = lower;
  limits.upper = upper;
  return limits;
}

}  // namespace test
