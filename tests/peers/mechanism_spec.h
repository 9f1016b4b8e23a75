// The table as Pintle's own description.
#pragma once

#include "mechanism.h"
#include "pintle/model/spec/model_spec.h"

namespace peers {

/// Every body's frame is its joint's frame; bodies and joints in the order of the table.
inline pintle::ModelSpec spec_of(const Mechanism& mechanism) {
  constexpr pintle::JointKind kinds[] = {
      pintle::JointKind::revolute,    pintle::JointKind::prismatic,     pintle::JointKind::screw,
      pintle::JointKind::cylindrical, pintle::JointKind::universal,     pintle::JointKind::planar,
      pintle::JointKind::spherical,   pintle::JointKind::translational, pintle::JointKind::free};
  const auto vec3 = [](const double* a) { return pintle::Vec3<>{a[0], a[1], a[2]}; };
  pintle::ModelSpec spec;
  spec.name = mechanism.name;
  spec.gravity = vec3(mechanism.gravity);
  for (std::size_t i = 0; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    const double* I = link.inertia;
    pintle::BodySpec body;
    body.name = "link" + std::to_string(i);
    body.inertia =
        pintle::spatial_inertia(link.mass, vec3(link.center), pintle::SymMat3<>{I[0], I[1], I[2], I[3], I[4], I[5]});
    pintle::JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.kind = kinds[static_cast<int>(link.kind)];
    joint.parent = link.parent < 0 ? pintle::kWorld : spec.bodies[static_cast<std::size_t>(link.parent)].name;
    joint.child = body.name;
    const double* R = link.rotation;
    joint.X_PJ = {pintle::from_rows(vec3(R), vec3(R + 3), vec3(R + 6)), vec3(link.translation)};
    joint.axis = vec3(link.axis);
    joint.second_axis = vec3(link.second_axis);
    joint.pitch_m_per_rad = link.pitch;
    pintle::JointPassive passive;
    passive.armature = link.armature;
    joint.passive = {passive};
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
  }
  return spec;
}

}  // namespace peers
