#include <cmath>

#include "pintle/io/read_drive_table.h"
#include "pintle/io/scene_reader.h"
#include "pintle/model/joint_parts.h"

namespace pintle {
namespace {

constexpr Dimension kSpeed = kLength / kTime;

void take(SceneReader& scene, const Diagnostics& found) {
  for (const Diagnostic& problem : found) scene.file->problems.push_back(problem);
}

/// The name of an element, by default that of its joint or place with what it is.
std::string element_name(TomlTable& table, const char* kind, const std::string& on) {
  std::string name = table.text("name", on.empty() ? std::string(kind) : on + "_" + kind);
  table.set_who(std::string(kind) + " '" + name + "'");
  return name;
}

/// What the numbers of the freedom that an element acts on are measured in. A joint that does not exist is found later:
/// until then its numbers may be anything.
struct FreedomUnits {
  Dimension position, speed, effort;
};

FreedomUnits units_of(const SceneReader& scene, const std::string& name, int freedom) {
  for (const JointSpec& joint : scene.spec.model.joints) {
    if (joint.name != name || freedom < 0 || freedom >= facts(joint.kind).nv) continue;
    const Dimension speed = dimension_of(velocity_part(joint.kind, freedom).unit);
    return {speed * kTime, speed, dimension_of(effort_part(joint.kind, freedom).unit)};
  }
  return {kAngle, kAngle / kTime, kTorque};
}

/// A function of time: a number, a formula or a table.
Drive read_drive(SceneReader& scene, TomlTable& table, const char* key, const Dimension& dimension) {
  if (!table.has(key)) return {};
  if (table.node(key)->is_table()) {
    TomlTable rows = table.table(key, table.who() + ", " + key);
    Result<Drive> drive = read_drive_table(scene, rows, dimension);
    take(scene, drive.diagnostics());
    return drive ? *drive : Drive();
  }
  const TomlTable::Formula formula = table.formula(key, dimension);
  if (formula.is_number) return constant_drive(formula.number);
  Result<Drive> drive = expression_drive(formula.text, formula.origin);
  take(scene, drive.diagnostics());
  return drive ? *drive : Drive();
}

/// A function of time, position and speed.
Command read_command(SceneReader& scene, TomlTable& table, const char* key, const Dimension& dimension) {
  if (!table.has(key)) return {};
  if (table.node(key)->is_table()) return read_drive(scene, table, key, dimension);
  const TomlTable::Formula formula = table.formula(key, dimension);
  if (formula.is_number) return formula.number;
  Result<Command> command = command_expression(formula.text, formula.origin);
  take(scene, command.diagnostics());
  return command ? *command : Command();
}

Sampling read_sampling(TomlTable& table) {
  Sampling sampling;
  sampling.period = table.quantity("sample_time", kTime, 0.0);
  sampling.offset = table.quantity("sample_offset", kTime, 0.0);
  sampling.delay = table.quantity("delay", kTime, 0.0);
  return sampling;
}

/// `key = "arm"`, or `key = { on = "arm", at = [0, 0, 1] }`.
PlaceSpec read_place(TomlTable& table, const char* key) {
  PlaceSpec place;
  if (!table.has(key)) {
    place.on = table.required_text(key);
  } else if (table.node(key)->is_table()) {
    TomlTable at = table.table(key, table.who() + ", " + key);
    place.on = at.required_text("on");
    place.point = at.vector("at", kLength, {0, 0, 0});
    at.finish();
  } else {
    place.on = table.text(key);
  }
  return place;
}

std::array<Drive, 3> read_drives(SceneReader& scene, TomlTable& table, const char* key, const Dimension& dimension) {
  std::array<Drive, 3> drives;
  if (!table.has(key)) return drives;
  const toml::array* const array = table.node(key)->as_array();
  if (array == nullptr || array->size() != 3) {
    table.problem(key, "scene-count", std::string("'") + key + "' is an array of three values: x, y, z", "",
                  "write [0, 0, \"5 N\"], each a number or a formula of t");
    return drives;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    toml::table one{{key, *array->get(i)}};
    TomlTable part(*scene.file, one, table.who());
    const toml::node& value = *array->get(i);
    if (value.is_string()) {
      Origin origin = scene.file->origin(value.source());
      ++origin.column;
      const TomlTable::Formula formula = part.formula(key, dimension);
      if (!formula.is_number) {
        Result<Drive> drive = expression_drive(formula.text, origin);
        take(scene, drive.diagnostics());
        if (drive) drives[i] = *drive;
        continue;
      }
    }
    drives[i] = constant_drive(part.quantity(key, dimension, 0.0));
  }
  return drives;
}

}  // namespace

void read_motor(SceneReader& scene, TomlTable& table) {
  const std::string joint = table.required_text("joint");
  const std::string name = element_name(table, "motor", joint);
  const int freedom = table.count("freedom", 0);
  const FreedomUnits units = units_of(scene, joint, freedom);
  static constexpr const char* kWays[] = {"effort", "position", "velocity", "acceleration"};
  int given = 0;
  for (const char* const way : kWays) given += table.has(way) ? 1 : 0;
  if (given != 1) {
    scene.file->add(table.origin(), "scene-motor",
                    table.who() + (given == 0 ? " says nothing to do" : " says several things at once"),
                    "a motor has one of effort, position, velocity, acceleration", "write effort = \"2 N m\", say");
  }
  if (table.has("effort")) {
    MotorSpec motor;
    motor.name = name;
    motor.joint = joint;
    motor.freedom = freedom;
    motor.effort = read_command(scene, table, "effort", units.effort);
    motor.gear = table.quantity("gear", kNumber, 1.0);
    motor.rotor_inertia = table.quantity("rotor_inertia", units.effort * kTime / units.speed, 0.0);
    motor.effort_limit = table.quantity("effort_limit", units.effort, motor.effort_limit);
    motor.sampling = read_sampling(table);
    motor.origin = table.origin();
    scene.spec.motors.push_back(std::move(motor));
  } else if (given == 1) {
    PrescribedMotionSpec motion;
    motion.name = name;
    motion.joint = joint;
    motion.freedom = freedom;
    motion.origin = table.origin();
    if (table.has("position")) {
      motion.kind = MotionKind::position;
      motion.drive = read_drive(scene, table, "position", units.position);
    } else if (table.has("velocity")) {
      motion.kind = MotionKind::velocity;
      motion.drive = read_drive(scene, table, "velocity", units.speed);
    } else {
      motion.kind = MotionKind::acceleration;
      motion.acceleration = read_command(scene, table, "acceleration", units.speed / kTime);
    }
    scene.spec.prescribed.push_back(std::move(motion));
  }
  table.finish();
}

void read_controller(SceneReader& scene, TomlTable& table) {
  ControllerSpec controller;
  controller.joint = table.required_text("joint");
  controller.name = element_name(table, "controller", controller.joint);
  controller.freedom = table.count("freedom", 0);
  const FreedomUnits units = units_of(scene, controller.joint, controller.freedom);
  controller.target = read_drive(scene, table, "target", units.position);
  controller.kp = table.quantity("kp", units.effort / units.position, 0.0);
  controller.ki = table.quantity("ki", units.effort / units.position / kTime, 0.0);
  controller.kd = table.quantity("kd", units.effort / units.speed, 0.0);
  controller.feed_forward = read_drive(scene, table, "feed_forward", units.effort);
  controller.integral_limit = table.quantity("integral_limit", units.effort, controller.integral_limit);
  controller.gear = table.quantity("gear", kNumber, 1.0);
  controller.rotor_inertia = table.quantity("rotor_inertia", units.effort * kTime / units.speed, 0.0);
  controller.effort_limit = table.quantity("effort_limit", units.effort, controller.effort_limit);
  controller.sampling = read_sampling(table);
  controller.origin = table.origin();
  table.finish();
  scene.spec.controllers.push_back(std::move(controller));
}

void read_spring(SceneReader& scene, TomlTable& table) {
  if (table.has("joint")) {
    JointSpringSpec spring;
    spring.joint = table.text("joint");
    spring.name = element_name(table, "spring", spring.joint);
    spring.freedom = table.count("freedom", 0);
    const FreedomUnits units = units_of(scene, spring.joint, spring.freedom);
    spring.stiffness = table.quantity("stiffness", units.effort / units.position, 0.0);
    spring.damping = table.quantity("damping", units.effort / units.speed, 0.0);
    spring.rest = table.quantity("rest", units.position, 0.0);
    spring.preload = table.quantity("preload", units.effort, 0.0);
    spring.origin = table.origin();
    scene.spec.joint_springs.push_back(std::move(spring));
  } else {
    LineSpringSpec spring;
    spring.first = read_place(table, "from");
    spring.second = read_place(table, "to");
    spring.name = element_name(table, "spring", spring.second.on);
    spring.stiffness = table.quantity("stiffness", kForce / kLength, 0.0);
    spring.damping = table.quantity("damping", kForce / kSpeed, 0.0);
    spring.rest_length = table.quantity("rest", kLength, 0.0);
    spring.preload = table.quantity("preload", kForce, 0.0);
    spring.only_tension = table.flag("only_tension", false);
    spring.origin = table.origin();
    scene.spec.line_springs.push_back(std::move(spring));
  }
  table.finish();
}

void read_bushing(SceneReader& scene, TomlTable& table) {
  BushingSpec bushing;
  bushing.first = table.required_text("from");
  bushing.second = table.required_text("to");
  bushing.name = element_name(table, "bushing", bushing.second);
  bushing.stiffness = table.vector("stiffness", kForce / kLength, {0, 0, 0});
  bushing.damping = table.vector("damping", kForce / kSpeed, {0, 0, 0});
  bushing.preload = table.vector("preload", kForce, {0, 0, 0});
  bushing.turning_stiffness = table.vector("turning_stiffness", kTorque / kAngle, {0, 0, 0});
  bushing.turning_damping = table.vector("turning_damping", kTorque * kTime / kAngle, {0, 0, 0});
  bushing.turning_preload = table.vector("turning_preload", kTorque, {0, 0, 0});
  bushing.origin = table.origin();
  table.finish();
  scene.spec.bushings.push_back(std::move(bushing));
}

void read_force(SceneReader& scene, TomlTable& table) {
  static constexpr std::string_view kAxes[] = {"world", "body"};
  BodyForceSpec force;
  force.at = read_place(table, "on");
  force.name = element_name(table, "force", force.at.on);
  force.force = read_drives(scene, table, "force", kForce);
  force.torque = read_drives(scene, table, "torque", kTorque);
  force.axes = static_cast<ForceAxes>(table.word("axes", kAxes, 0));
  force.origin = table.origin();
  table.finish();
  scene.spec.body_forces.push_back(std::move(force));
}

void read_drag(SceneReader& scene, TomlTable& table) {
  DragSpec drag;
  drag.at = read_place(table, "on");
  drag.name = element_name(table, "drag", drag.at.on);
  drag.linear = table.quantity("linear", kForce / kSpeed, 0.0);
  drag.quadratic = table.quantity("quadratic", kForce / power(kSpeed, 2), 0.0);
  drag.turning_linear = table.quantity("turning_linear", kTorque * kTime / kAngle, 0.0);
  drag.turning_quadratic = table.quantity("turning_quadratic", kTorque * power(kTime / kAngle, 2), 0.0);
  drag.wind = table.vector("wind", kSpeed, {0, 0, 0});
  drag.origin = table.origin();
  table.finish();
  scene.spec.drags.push_back(std::move(drag));
}

}  // namespace pintle
