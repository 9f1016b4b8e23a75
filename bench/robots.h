// Mechanisms of the size of real robots, with random joint axes and frames that are the same in every run.
#pragma once

#include <string>
#include <vector>

#include "pintle/pintle.h"

namespace pintle {

inline void add_body(ModelSpec& spec, RandomStream& stream, const std::string& parent, JointKind kind) {
  const auto vec3 = [&](double reach) {
    return Vec3<>{stream.uniform(-reach, reach), stream.uniform(-reach, reach), stream.uniform(-reach, reach)};
  };
  BodySpec body;
  body.name = "body" + std::to_string(spec.bodies.size());
  body.inertia = spatial_inertia(1.0, vec3(0.1), diagonal(Vec3<>{0.02, 0.03, 0.04}));
  JointSpec joint;
  joint.name = "joint" + std::to_string(spec.joints.size());
  joint.kind = kind;
  joint.parent = parent;
  joint.child = body.name;
  joint.X_PJ = pose(uniform_rotation(stream), vec3(0.3));
  joint.axis = uniform_direction(stream);
  spec.bodies.push_back(body);
  spec.joints.push_back(joint);
}

/// A limb of n revolute joints on a body.
inline void add_limb(ModelSpec& spec, RandomStream& stream, std::string parent, int n) {
  for (int i = 0; i < n; ++i) {
    add_body(spec, stream, parent, JointKind::revolute);
    parent = spec.bodies.back().name;
  }
}

inline ModelSpec chain(int n) {
  RandomStream stream(1);
  ModelSpec spec;
  add_limb(spec, stream, kWorld, n);
  return spec;
}

/// A free trunk with limbs.
inline ModelSpec legged(const std::vector<int>& limbs) {
  RandomStream stream(2);
  ModelSpec spec;
  add_body(spec, stream, kWorld, JointKind::free);
  for (const int n : limbs) add_limb(spec, stream, "body0", n);
  return spec;
}

inline ModelSpec quadruped() {
  return legged({3, 3, 3, 3});
}

inline ModelSpec humanoid() {
  return legged({6, 6, 6, 6, 3, 3});
}

}  // namespace pintle
