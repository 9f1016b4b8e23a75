// The cylinder of seed 004 as a Pintle scene, without energy balance and certificate.
#pragma once

#include "cylinder.h"
#include "pintle/simulation.h"

namespace peers {

inline pintle::SceneSpec scene_of(const Cylinder& of, bool single_point) {
  using namespace pintle;
  SceneSpec scene;
  scene.model.gravity = {0.0, 0.0, -of.gravity};
  BodySpec body;
  body.name = "can";
  body.inertia = {of.mass, {0, 0, 0}, {of.across(), 0, 0, of.across(), 0, of.axial()}};
  scene.model.bodies.push_back(body);
  JointSpec joint;
  joint.name = joint.child = "can";
  joint.parent = kWorld;
  joint.kind = JointKind::free;
  joint.X_PJ.translation = {0.0, 0.0, 0.5 * of.length};
  scene.model.joints.push_back(joint);
  ContactShapeSpec floor, can;
  floor.body = kWorld;
  floor.shape = HalfSpace{};
  can.body = "can";
  can.shape = pintle::Cylinder{of.radius, of.length};
  floor.material = can.material = "steel";
  scene.contact.shapes = {floor, can};
  scene.contact.surfaces.push_back({"steel", {of.restitution, of.friction, of.friction}, {}});
  scene.contact.single_point = single_point;
  InitialSpec initial;
  initial.joint = "can";
  initial.v = {0.0, 0.0, -of.speed, 0.0, of.turning, 0.0};
  scene.initial.push_back(initial);
  scene.run.step = of.step;
  scene.run.energy_balance = false;
  scene.run.certificate = false;
  return scene;
}

}  // namespace peers
