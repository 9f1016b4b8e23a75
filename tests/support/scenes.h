// Scenes that use all features: for the tests of simulations, checkpoints, bits and allocations.
#pragma once

#include <string>
#include <vector>

#include "pintle/simulation/scene/scene.h"
#include "support/arms.h"

namespace test {

using namespace pintle;

inline Drive formula(const std::string& text) {
  return expression_drive(text).value();
}

/// The initial state of a joint.
inline InitialSpec at(const std::string& joint, std::vector<double> q, std::vector<double> v = {}) {
  InitialSpec spec;
  spec.joint = joint;
  spec.q = std::move(q);
  spec.v = std::move(v);
  return spec;
}

/// Four bars with dampers in series, the second driven by a motor with a limit.
inline SceneSpec chain_scene() {
  SceneSpec scene;
  for (int i = 0; i < 4; ++i) {
    add_bar(scene.model, i == 0 ? 0.0 : 0.5, 0.3, 1.0 + 0.2 * i, i % 2 == 0 ? Vec3<>{0, 1, 0} : Vec3<>{0.3, 1, 0.1});
    JointPassive passive;
    passive.damping = 0.05;
    passive.armature = 0.01;
    scene.model.joints.back().passive = {passive};
  }
  MotorSpec motor;
  motor.name = "lift";
  motor.joint = "joint1";
  motor.effort = Command(formula("3*sin(5*t)"));
  motor.effort_limit = 2.0;
  motor.gear = 1.5;
  motor.rotor_inertia = 1e-3;
  scene.motors = {motor};
  scene.initial = {at("joint0", {0.3}), at("joint2", {-0.7}, {1.0})};
  scene.run.step = 2e-3;
  return scene;
}

/// A floating body with a spherical joint, a revolute joint on that, and a second spherical joint: no support, springs
/// at the spherical joints.
inline SceneSpec floating_scene() {
  SceneSpec scene;
  add_bar(scene.model, 0.0, 0.1, 2.0, {0, 0, 1}, JointKind::free);
  add_bar(scene.model, 0.4, 0.2, 0.7, {0, 0, 1}, JointKind::spherical);
  add_bar(scene.model, 0.4, 0.2, 0.5, {0, 1, 0.2});
  add_bar(scene.model, 0.4, 0.2, 0.4, {0, 0, 1}, JointKind::spherical);
  JointPassive passive;
  passive.stiffness = 3.0;
  scene.model.joints[1].passive = {passive};
  scene.model.joints[3].passive = {passive};
  scene.model.gravity = {0, 0, -1.62};
  scene.initial = {at("joint0", {0, 0, 1, 0, 0, 0, 1}, {0.1, 0.2, 0.3, 1, -2, 0.5}),
                   at("joint1", {0.5, 0.5, 0.5, 0.5}, {0.3, -0.4, 2}), at("joint2", {}, {1.0}),
                   at("joint3", {}, {0, 1, -1})};
  scene.run.step = 2e-3;
  return scene;
}

/// Two bars and a prismatic joint with joint limits that rebound and friction that sticks: frequent mode transitions.
inline SceneSpec limit_scene() {
  SceneSpec scene;
  add_bar(scene.model, 0.0, 0.5, 1.0);
  add_bar(scene.model, 0.5, 0.5, 0.8);
  add_bar(scene.model, 0.5, 0.1, 0.3, {1, 0, 0}, JointKind::prismatic);
  JointLimits limits;
  limits.lower = -0.5;
  limits.upper = 1.2;
  limits.speed = 3.0;
  scene.model.joints[0].limits = {limits};
  limits.lower = -0.2;
  limits.upper = 0.2;
  scene.model.joints[2].limits = {limits};
  JointPassive passive;
  passive.friction = 0.4;
  passive.damping = 0.02;
  scene.model.joints[1].passive = {passive};
  scene.model.joints[2].passive = {passive};
  JointLimitSpec stop;
  stop.joint = "joint0";
  stop.restitution = 0.5;
  scene.joint_limits = {stop};
  scene.initial = {at("joint0", {0.2}), at("joint1", {0.4}, {1.0}), at("joint2", {0.1})};
  EventSpec event;
  event.name = "level";
  event.expression = "q.joint1 + q.joint0";
  scene.events = {event};
  scene.run.step = 2e-3;
  return scene;
}

/// Bars with a line spring, a rope, a bushing, drag, a force, sensors; a sampled controller with delay, a continuous
/// one with limits, and a joint with prescribed motion.
inline SceneSpec driven_scene() {
  SceneSpec scene = chain_scene();
  scene.motors.clear();
  ControllerSpec sampled;
  sampled.name = "servo";
  sampled.joint = "joint0";
  sampled.target = formula("0.5*sin(3*t)");
  sampled.kp = 20.0;
  sampled.ki = 5.0;
  sampled.kd = 2.0;
  sampled.effort_limit = 12.0;
  sampled.sampling = {.period = 0.01, .offset = 0.003, .delay = 0.017};
  ControllerSpec continuous;
  continuous.name = "hold";
  continuous.joint = "joint1";
  continuous.target = formula("0.3*cos(4*t)");
  continuous.kp = 30.0;
  continuous.ki = 10.0;
  continuous.kd = 1.0;
  continuous.effort_limit = 4.0;
  continuous.integral_limit = 1.0;
  scene.controllers = {sampled, continuous};
  PrescribedMotionSpec given;
  given.name = "wave";
  given.joint = "joint3";
  given.drive = formula("0.4*sin(6*t)");
  scene.prescribed = {given};
  LineSpringSpec spring;
  spring.name = "spring";
  spring.first = {kWorld, {0, 0, 1.5}};
  spring.second = {"bar1", {0.1, 0, 0}};
  spring.stiffness = 40.0;
  spring.damping = 0.5;
  spring.rest_length = 1.0;
  LineSpringSpec rope = spring;
  rope.name = "rope";
  rope.first = {kWorld, {0, 0, 0.5}};
  rope.second = {"bar2", {0.2, 0, 0}};
  rope.tension_only = true;
  scene.line_springs = {spring, rope};
  DragSpec drag;
  drag.name = "air";
  drag.at = {"bar3", {0.2, 0, 0}};
  drag.linear = 0.1;
  drag.quadratic = 0.2;
  scene.drags = {drag};
  BodyForceSpec force;
  force.name = "push";
  force.at = {"bar2", {0, 0, 0}};
  force.force = {formula("sin(t)"), formula("0.2"), formula("cos(2*t)")};
  scene.body_forces = {force};
  SensorSpec tip;
  tip.name = "tip";
  tip.place = "bar3";
  SensorSpec imu = tip;
  imu.name = "imu";
  imu.kind = SensorKind::imu;
  SensorSpec height;
  height.name = "height";
  height.kind = SensorKind::expression;
  height.expression = "2*tip.z";
  scene.sensors = {tip, imu, height};
  scene.initial = {at("joint0", {0.3}), at("joint2", {-0.7}, {1.0})};
  return scene;
}

struct NamedScene {
  std::string name;
  SceneSpec spec;
};

/// All of them, for one method each.
inline std::vector<NamedScene> all_scenes() {
  std::vector<NamedScene> scenes;
  const auto add = [&](const char* name, SceneSpec spec, Method method) {
    spec.run.method = method;
    scenes.push_back({name, std::move(spec)});
  };
  add("chain rk4", chain_scene(), Method::rk4);
  add("chain dormand-prince", chain_scene(), Method::dormand_prince);
  add("floating rk4", floating_scene(), Method::rk4);
  add("floating rk4-quaternion", floating_scene(), Method::rk4_quaternion);
  add("floating semi-implicit-euler", floating_scene(), Method::semi_implicit_euler);
  add("floating symplectic", floating_scene(), Method::symplectic_midpoint);
  add("floating sdirk", floating_scene(), Method::sdirk);
  add("limits rk4", limit_scene(), Method::rk4);
  add("limits dormand-prince", limit_scene(), Method::dormand_prince);
  add("limits symplectic", limit_scene(), Method::symplectic_midpoint);
  add("limits sdirk", limit_scene(), Method::sdirk);
  add("driven rk4", driven_scene(), Method::rk4);
  add("driven semi-implicit-euler", driven_scene(), Method::semi_implicit_euler);
  add("driven dormand-prince", driven_scene(), Method::dormand_prince);
  add("driven sdirk", driven_scene(), Method::sdirk);
  for (NamedScene& scene : scenes)
    if (scene.spec.run.method == Method::sdirk) scene.spec.run.tolerances = {1e-6, 1e-6};
  return scenes;
}

}  // namespace test
