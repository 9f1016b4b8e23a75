// A small scene with a bit of everything that results are written of.
#pragma once

#include <string>
#include <vector>

#include "pintle/model/edit/model_builder.h"
#include "pintle/simulation/run/simulation.h"

namespace pintle {

/// An arm of two links with a motor, damping and a joint limit, a slider, and a body that tumbles freely.
inline SceneSpec sample_spec() {
  const SpatialInertia<> bar = spatial_inertia(0.5, Vec3<>{0.15, 0.0, 0.0}, diagonal(Vec3<>{1e-4, 4e-3, 4e-3}));
  const SpatialInertia<> brick = spatial_inertia(1.0, Vec3<>{0.0, 0.0, 0.0}, diagonal(Vec3<>{1e-3, 2e-3, 3e-3}));
  ModelBuilder model("sample");
  model.gravity({0.0, 0.0, -9.81});
  model.body("upper", bar).revolute({0, 1, 0}, "shoulder").damping(0.02);
  model.body("lower", bar).revolute({0, 1, 0}, "elbow").at({0.3, 0.0, 0.0}).limits(-0.8, 0.8);
  model.body("slider", brick).prismatic({1, 0, 0}, "slide").on("world").spring(40.0);
  model.body("stone", brick).free("flight").on("world");
  SceneSpec spec;
  spec.model = model.spec();
  MotorSpec motor;
  motor.name = "drive";
  motor.joint = "shoulder";
  motor.effort = command_expression("2 * sin(3*t)").value();
  spec.motors.push_back(motor);
  spec.initial.push_back({.joint = "shoulder", .q = {0.3}, .v = {}});
  spec.initial.push_back({.joint = "slide", .q = {0.05}, .v = {}});
  spec.initial.push_back({.joint = "flight", .q = {}, .v = {0.4, 0.0, 5.0, 0.1, 6.0, 0.1}});
  spec.joint_limits.push_back({.joint = "elbow", .restitution = 0.4});
  spec.run.duration = 2.0;
  spec.run.step = 1e-3;
  spec.run.rows = 1000;
  return spec;
}

}  // namespace pintle
