#include <array>

#include "pintle/io/scene/read_drive_table.h"
#include "pintle/io/scene/scene_reader.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/text/quantity.h"

namespace pintle {
namespace {

/// A dof of a joint, and the units of its values.
struct DofUnits {
  int dof = 0;
  Dimension position{}, speed{}, effort{};
};

/// The dof that `joint` and `dof` of a table name. Empty, after a problem, if it does not exist; a joint that does not
/// exist is reported elsewhere.
std::optional<DofUnits> read_dof(SceneReader& scene, TomlTable& table, const std::string& joint) {
  const std::string name = table.text("dof");
  const JointKind* const kind = scene.kind_of(joint);
  if (kind == nullptr) return std::nullopt;
  std::vector<std::string> known;
  for (int i = 0; i < facts(*kind).nv; ++i) known.emplace_back(velocity_part(*kind, i).name);
  int dof = known.size() == 1 && name.empty() ? 0 : -1;
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known[i] == name) dof = static_cast<int>(i);
  if (dof < 0) {
    const std::string type(facts(*kind).name);
    const std::string key = table.has("dof") ? "dof" : "joint";
    if (known.empty()) {
      table.problem("joint", "scene-dof", "joint '" + joint + "' is " + type + ": nothing can move it", "",
                    "choose another joint");
    } else if (name.empty()) {
      table.problem(key, "scene-dof", "joint '" + joint + "' has several dofs",
                    "those of a " + type + " joint are: " + listed(known), "add dof = \"" + known[0] + "\", say");
    } else {
      table.problem(key, "scene-dof", "joint '" + joint + "' has no dof '" + name + "'",
                    "those of a " + type + " joint are: " + listed(known),
                    did_you_mean(name, known, "choose one of them"));
    }
    return std::nullopt;
  }
  const Dimension speed = dimension_of(velocity_part(*kind, dof).unit);
  return DofUnits{dof, speed * kTime, speed, dimension_of(effort_part(*kind, dof).unit)};
}

template <class T>
T taken(SceneReader& scene, const Result<T>& read) {
  scene.file->add(read.diagnostics());
  return read ? *read : T();
}

Drive drive_of(SceneReader& scene, const TomlTable::Formula& formula) {
  if (formula.is_number) return constant_drive(formula.number);
  return taken(scene, expression_drive(formula.text, formula.origin));
}

/// A function of time: a number, a formula or a table.
Drive read_drive(SceneReader& scene, TomlTable& table, const char* key, const Dimension& dimension) {
  const TomlValue* const value = table.value(key);
  if (value == nullptr) return {};
  if (!value->is_table()) return drive_of(scene, table.formula(key, dimension));
  TomlTable rows = table.table(key);
  return taken(scene, read_drive_table(scene, rows, dimension));
}

/// A function of time, position and speed, and of all that is in the scene if its scope says so.
Command read_command(SceneReader& scene, TomlTable& table, const char* key, const Dimension& dimension,
                     CommandScope scope) {
  const TomlValue* const value = table.value(key);
  if (value == nullptr || value->is_table()) return read_drive(scene, table, key, dimension);
  const TomlTable::Formula formula = table.formula(key, dimension);
  if (formula.is_number) return formula.number;
  return taken(scene, command_expression(formula.text, formula.origin, scope));
}

/// A function of time, which may depend on all that is in the scene.
Command read_reference(SceneReader& scene, TomlTable& table, const char* key, const Dimension& dimension) {
  Command command = read_command(scene, table, key, dimension, CommandScope::scene);
  if (command.by_expression() && !command.uses_motion()) return read_drive(scene, table, key, dimension);
  return command;
}

/// Three functions of time.
std::array<Drive, 3> read_drives(SceneReader& scene, TomlTable& table, const char* key, const Dimension& dimension) {
  std::array<Drive, 3> drives;
  const TomlValue* const value = table.value(key);
  if (value == nullptr) return drives;
  if (!value->is_array() || value->items.size() != 3) {
    table.problem(key, "scene-count", std::string("'") + key + "' is an array of three: x, y, z", "",
                  "write [0, 0, \"5 N\"], each a number or a formula of t");
    return drives;
  }
  for (std::size_t i = 0; i < 3; ++i)
    drives[i] = drive_of(scene, table.formula(*table.keys().find(key), value->items[i], dimension));
  return drives;
}

Sampling read_sampling(TomlTable& table) {
  Sampling sampling;
  sampling.period = table.quantity("sample_time", 0.0);
  sampling.offset = table.quantity("sample_offset", 0.0);
  sampling.delay = table.quantity("delay", 0.0);
  return sampling;
}

/// `key = "arm"`, or `key = { on = "arm", at = [0, 0, 1] }`.
PlaceSpec read_place(SceneReader& scene, TomlTable& table, const char* key) {
  PlaceSpec place;
  const TomlValue* const value = table.value(key);
  if (value == nullptr) return place;
  if (!value->is_table()) {
    place.on = scene.names.use(table, NameKind::place, key, kWorld);
    return place;
  }
  TomlTable at = table.table(key);
  place.on = scene.names.use(at, NameKind::place, "on", kWorld);
  place.point = at.vector("at", place.point);
  at.finish();
  return place;
}

/// The name of an element; by default that of what it acts on, with its kind.
std::string read_element_name(SceneReader& scene, TomlTable& table, const std::string& on) {
  const std::string kind = table.who();
  return scene.names.give_or(table, NameKind::element, on.empty() ? kind : on + "_" + kind);
}

/// Handles the rest of a table whose joint is not known: only keys that do not exist can be reported.
void give_up(TomlTable& table) {
  table.ignore_all();
  table.finish();
}

void read_effort_motor(SceneReader& scene, TomlTable& table, const DofUnits& units, MotorSpec motor) {
  motor.dof = units.dof;
  motor.effort = read_command(scene, table, "effort", units.effort, CommandScope::scene);
  motor.gear = table.quantity("gear", 1.0);
  motor.rotor_inertia = table.quantity("rotor_inertia", units.effort * kTime / units.speed, 0.0);
  motor.effort_limit = table.quantity("effort_limit", units.effort, motor.effort_limit);
  motor.sampling = read_sampling(table);
  table.finish();
  keep(scene.spec.motors, std::move(motor), table);
}

void read_prescribed(SceneReader& scene, TomlTable& table, const DofUnits& units, PrescribedMotionSpec motion) {
  motion.dof = units.dof;
  if (table.has("position")) {
    motion.kind = MotionKind::position;
    motion.drive = read_drive(scene, table, "position", units.position);
  } else if (table.has("velocity")) {
    motion.kind = MotionKind::velocity;
    motion.drive = read_drive(scene, table, "velocity", units.speed);
  } else {
    motion.kind = MotionKind::acceleration;
    motion.acceleration = read_command(scene, table, "acceleration", units.speed / kTime, CommandScope::joint);
  }
  table.finish("a motor that prescribes a motion applies whatever effort it needs, without delay");
  keep(scene.spec.prescribed, std::move(motion), table);
}

void read_joint_spring(SceneReader& scene, TomlTable& table) {
  JointSpringSpec spring;
  spring.origin = table.origin_of("joint");
  spring.joint = scene.names.use(table, NameKind::joint, "joint");
  spring.name = read_element_name(scene, table, spring.joint);
  const std::optional<DofUnits> units = read_dof(scene, table, spring.joint);
  if (!units) return give_up(table);
  spring.dof = units->dof;
  spring.stiffness = table.quantity("stiffness", units->effort / units->position, 0.0);
  spring.damping = table.quantity("damping", units->effort / units->speed, 0.0);
  spring.rest = table.quantity("rest", units->position, 0.0);
  spring.preload = table.quantity("preload", units->effort, 0.0);
  table.finish("this spring is on a joint");
  keep(scene.spec.joint_springs, std::move(spring), table);
}

/// The task of a motor: an effort, or a prescribed motion.
void read_task(SceneReader& scene, TomlTable& table, const std::string& joint) {
  static constexpr const char* kWays[] = {"effort", "position", "velocity", "acceleration"};
  const std::string name = read_element_name(scene, table, joint);
  const std::optional<DofUnits> units = read_dof(scene, table, joint);
  std::string given;
  int ways = 0;
  for (const char* const way : kWays) {
    if (!table.has(way)) continue;
    ++ways;
    given = way;
  }
  if (ways != 1) {
    table.problem(ways == 0 ? "joint" : given, "scene-motor", ways == 0 ? "it has no drive" : "it has several drives",
                  "a motor has one of effort, position, velocity, acceleration",
                  ways == 0 ? "add effort = \"2 N m\", say" : "leave out all but one");
  }
  if (ways != 1 && units) {
    const Dimension dimensions[] = {units->effort, units->position, units->speed, units->speed / kTime};
    for (std::size_t i = 0; i < std::size(kWays); ++i)  // their errors
      read_command(scene, table, kWays[i], dimensions[i], i == 0 ? CommandScope::scene : CommandScope::joint);
  }
  if (ways != 1 || !units) return give_up(table);
  if (given == "effort") {
    MotorSpec motor;
    motor.name = name;
    motor.joint = joint;
    motor.origin = table.origin_of("effort");
    return read_effort_motor(scene, table, *units, std::move(motor));
  }
  PrescribedMotionSpec motion;
  motion.name = name;
  motion.joint = joint;
  motion.origin = table.origin_of(given);
  read_prescribed(scene, table, *units, std::move(motion));
}

/// Handles an invalid motor: its rotor may be all the inertia that a joint moves, and its motion may determine an
/// initial state.
void lose_motor(SceneReader& scene, const TomlTable& table, const std::string& joint) {
  if (!table.has("effort") || table.has("rotor_inertia")) scene.unknowns.inertia = true;
  if (!table.has("position")) return;
  const bool any = scene.kind_of(joint) == nullptr;
  for (const NamedJoint& one : scene.joints)
    if (any || one.name == joint) scene.unknowns.unplaced.push_back(one.name);
}

}  // namespace

void read_motor(SceneReader& scene, TomlTable& table) {
  const std::string joint = scene.names.use(table, NameKind::joint, "joint");
  read_task(scene, table, joint);
  if (scene.kind_of(joint) == nullptr || !table.is_valid()) lose_motor(scene, table, joint);
}

void read_controller(SceneReader& scene, TomlTable& table) {
  ControllerSpec controller;
  controller.origin = table.origin_of("joint");
  controller.joint = scene.names.use(table, NameKind::joint, "joint");
  controller.name = read_element_name(scene, table, controller.joint);
  const std::optional<DofUnits> units = read_dof(scene, table, controller.joint);
  if (table.has("rotor_inertia") && !units) scene.unknowns.inertia = true;
  if (!units) return give_up(table);
  controller.dof = units->dof;
  controller.target = read_reference(scene, table, "target", units->position);
  controller.kp = table.quantity("kp", units->effort / units->position, 0.0);
  controller.ki = table.quantity("ki", units->effort / units->position / kTime, 0.0);
  controller.kd = table.quantity("kd", units->effort / units->speed, 0.0);
  controller.feed_forward = read_reference(scene, table, "feed_forward", units->effort);
  controller.integral_limit = table.quantity("integral_limit", units->effort, controller.integral_limit);
  controller.gear = table.quantity("gear", 1.0);
  controller.rotor_inertia = table.quantity("rotor_inertia", units->effort * kTime / units->speed, 0.0);
  controller.effort_limit = table.quantity("effort_limit", units->effort, controller.effort_limit);
  controller.sampling = read_sampling(table);
  table.finish();
  if (controller.rotor_inertia > 0.0 && !table.is_valid()) scene.unknowns.inertia = true;
  keep(scene.spec.controllers, std::move(controller), table);
}

void read_spring(SceneReader& scene, TomlTable& table) {
  if (table.has("joint")) return read_joint_spring(scene, table);
  LineSpringSpec spring;
  if (!table.has("from") || !table.has("to")) {
    table.problem("from", "scene-missing", "it is attached to nothing", "a spring is on a joint or between two places",
                  "add joint = ..., or from = ... and to = ...");
  }
  spring.first = read_place(scene, table, "from");
  spring.second = read_place(scene, table, "to");
  spring.origin = table.origin_of("to");
  spring.name = read_element_name(scene, table, spring.second.on);
  spring.stiffness = table.quantity("stiffness", kForce / kLength, 0.0);
  spring.damping = table.quantity("damping", kForce * kTime / kLength, 0.0);
  spring.rest_length = table.quantity("rest", kLength, 0.0);
  spring.preload = table.quantity("preload", kForce, 0.0);
  spring.tension_only = table.flag("tension_only", false);
  table.finish("this spring is along a line");
  keep(scene.spec.line_springs, std::move(spring), table);
}

void read_bushing(SceneReader& scene, TomlTable& table) {
  BushingSpec bushing;
  bushing.origin = table.origin_of("to");
  bushing.first = scene.names.use(table, NameKind::place, "from");
  bushing.second = scene.names.use(table, NameKind::place, "to");
  bushing.name = read_element_name(scene, table, bushing.second);
  bushing.stiffness = table.vector("stiffness", bushing.stiffness);
  bushing.damping = table.vector("damping", bushing.damping);
  bushing.preload = table.vector("preload", bushing.preload);
  bushing.rotational_stiffness = table.vector("rotational_stiffness", bushing.rotational_stiffness);
  bushing.rotational_damping = table.vector("rotational_damping", bushing.rotational_damping);
  bushing.rotational_preload = table.vector("rotational_preload", bushing.rotational_preload);
  table.finish();
  keep(scene.spec.bushings, std::move(bushing), table);
}

void read_force(SceneReader& scene, TomlTable& table) {
  BodyForceSpec force;
  force.origin = table.origin_of("on");
  force.at = read_place(scene, table, "on");
  force.name = read_element_name(scene, table, force.at.on);
  force.force = read_drives(scene, table, "force", kForce);
  force.torque = read_drives(scene, table, "torque", kTorque);
  force.axes = static_cast<ForceAxes>(table.word("axes", 0));
  table.finish();
  keep(scene.spec.body_forces, std::move(force), table);
}

void read_drag(SceneReader& scene, TomlTable& table) {
  DragSpec drag;
  drag.origin = table.origin_of("on");
  drag.at = read_place(scene, table, "on");
  drag.name = read_element_name(scene, table, drag.at.on);
  drag.linear = table.quantity("linear", 0.0);
  drag.quadratic = table.quantity("quadratic", 0.0);
  drag.rotational_linear = table.quantity("rotational_linear", 0.0);
  drag.rotational_quadratic = table.quantity("rotational_quadratic", 0.0);
  drag.wind = table.vector("wind", drag.wind);
  table.finish();
  keep(scene.spec.drags, std::move(drag), table);
}

}  // namespace pintle
