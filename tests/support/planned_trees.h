// Trees for tests of planned kernels.
#pragma once

#include "support/random_model.h"

namespace test {

enum class Joints { every, revolute, revolute_and_prismatic, revolute_and_spherical };

/// Trees of every kind of joint; of revolute joints only; or of revolute joints and others, in every fifth of others
/// only, spherical joints without rotors. Except for the first, every other one is floating.
inline ModelSpec planned_tree(RandomStream& stream, std::uint64_t run, Joints joints, double mass_ratio) {
  const JointKind other = joints == Joints::revolute_and_spherical ? JointKind::spherical : JointKind::prismatic;
  ModelSpec spec = random_spec(stream, {.links = 1 + static_cast<int>(run % 24),
                                        .branching = run % 3 == 0 ? 0.0 : 0.4,
                                        .mass_ratio = mass_ratio,
                                        .armature = run % 2 == 0,
                                        .welds = run % 4 == 1});
  if (joints == Joints::every) return spec;
  const double others = joints == Joints::revolute ? 0.0 : run % 5 == 0 ? 1.0 : 0.5;
  for (JointSpec& joint : spec.joints) {
    if (joint.kind == JointKind::fixed) continue;
    joint.kind = others > 0.0 && stream.uniform() < others ? other : JointKind::revolute;
    if (joint.kind == JointKind::spherical) joint.passive.clear();
  }
  if (run % 4 < 2) {
    spec.joints[0].kind = JointKind::free;
    spec.joints[0].passive.clear();
  }
  return spec;
}

}  // namespace test
