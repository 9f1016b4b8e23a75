// Models of one topology: variants of a random mechanism.
#pragma once

#include <vector>

#include "support/random_model.h"

namespace test {

/// The same mechanism with other parameters: frames, axes, pitches, inertias, gravity and passive efforts.
inline ModelSpec varied(ModelSpec spec, RandomStream& stream) {
  const auto factor = [&stream] { return stream.uniform(0.7, 1.4); };
  spec.gravity = factor() * spec.gravity;
  for (BodySpec& body : spec.bodies) body.inertia = random_inertia(stream, 10.0);
  for (JointSpec& joint : spec.joints) {
    joint.X_PJ = joint.X_PJ * random_pose(stream, 0.2);
    joint.X_CJ = joint.X_CJ * random_pose(stream, 0.1);
    joint.axis = uniform_direction(stream);
    joint.second_axis = uniform_direction(stream);
    joint.pitch_m_per_rad = factor() * joint.pitch_m_per_rad;
    for (JointPassive& passive : joint.passive)
      for (double* const number :
           {&passive.armature, &passive.damping, &passive.stiffness, &passive.rest, &passive.friction})
        *number = factor() * *number;
  }
  return spec;
}

inline std::vector<Model> variants(const ModelSpec& spec, RandomStream& stream, std::size_t count) {
  std::vector<Model> models;
  for (std::size_t i = 0; i < count; ++i) models.push_back(compile(varied(spec, stream)).value());
  return models;
}

/// With revolute joints only, on a free joint if it floats.
inline ModelSpec with_revolute_joints(ModelSpec spec, bool floats) {
  for (JointSpec& joint : spec.joints)
    if (joint.kind != JointKind::fixed) joint.kind = JointKind::revolute;
  if (floats) {
    spec.joints[0].kind = JointKind::free;
    spec.joints[0].passive.clear();
  }
  return spec;
}

}  // namespace test
