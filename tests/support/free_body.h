// A free body in a scene, for contact tests.
#pragma once

#include <string>

#include "pintle/simulation/scene/scene_spec.h"

namespace test {

/// Adds a body on a free joint of the same name; returns its joint.
inline pintle::JointSpec& add_free_body(pintle::SceneSpec& scene, const std::string& name,
                                        const pintle::SpatialInertia<>& inertia) {
  pintle::BodySpec body;
  body.name = name;
  body.inertia = inertia;
  scene.model.bodies.push_back(body);
  pintle::JointSpec joint;
  joint.name = joint.child = name;
  joint.parent = pintle::kWorld;
  joint.kind = pintle::JointKind::free;
  scene.model.joints.push_back(joint);
  return scene.model.joints.back();
}

/// Gives a body, or the world, a shape of a material of the scene.
inline void add_shape(pintle::SceneSpec& scene, const std::string& body, const pintle::ContactShape& shape,
                      const std::string& material, const pintle::Pose<>& X_BS) {
  pintle::ContactShapeSpec spec;
  spec.body = body;
  spec.shape = shape;
  spec.X_BS = X_BS;
  spec.material = material;
  scene.contact.shapes.push_back(spec);
}

}  // namespace test
