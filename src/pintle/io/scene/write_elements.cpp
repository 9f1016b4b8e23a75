#include <map>
#include <vector>

#include "pintle/io/scene/scene_writer.h"
#include "pintle/math/scalar.h"
#include "pintle/model/links/joint_parts.h"

namespace pintle {
namespace {

class ElementWriter {
 public:
  explicit ElementWriter(SceneWriter& writer) : writer_(writer) {
    for (const JointSpec& joint : writer.spec.model.joints) kinds_.emplace(joint.name, joint.kind);
    const SceneSpec& spec = writer.spec;
    note_names(spec.motors, spec.prescribed, spec.controllers, spec.feedbacks, spec.joint_springs, spec.line_springs, spec.bushings,
               spec.body_forces, spec.drags);
  }

  void write() {
    const SceneSpec& spec = writer_.spec;
    for (const MotorSpec& motor : spec.motors) write_motor(motor);
    for (const PrescribedMotionSpec& motion : spec.prescribed) write_motion(motion);
    for (const ControllerSpec& controller : spec.controllers) write_controller(controller);
    for (const FeedbackSpec& feedback : spec.feedbacks) write_feedback(feedback);
    for (const JointSpringSpec& spring : spec.joint_springs) write_spring(spring);
    for (const LineSpringSpec& spring : spec.line_springs) write_spring(spring);
    for (const BushingSpec& bushing : spec.bushings) write_bushing(bushing);
    for (const BodyForceSpec& force : spec.body_forces) write_force(force);
    for (const DragSpec& drag : spec.drags) write_drag(drag);
  }

 private:
  template <class... Lists>
  void note_names(const Lists&... lists) {
    const auto note = [&](const auto& list) {
      for (const auto& element : list) ++names_[element.name];
    };
    (note(lists), ...);
  }

  // ---- common parts of elements

  /// Adds the name, unless the reader would choose the same.
  void add_name(TomlLines& lines, const std::string& name, const std::string& on, const char* kind) {
    if (name != on + "_" + kind || names_[name] > 1) lines.text("name", name);
  }

  /// Adds the joint and, if it has several dofs, the dof; returns the units of its values.
  DofUnitNames add_joint(TomlLines& lines, const std::string& joint, int dof, const std::string& name,
                         const char* kind) {
    const auto found = kinds_.find(joint);
    const JointKind of_joint = found == kinds_.end() ? JointKind::revolute : found->second;
    lines.text("joint", joint);
    add_name(lines, name, joint, kind);
    if (facts(of_joint).nv > 1) lines.text("dof", std::string(velocity_part(of_joint, dof).name));
    return unit_names_of(of_joint, dof);
  }

  void add_drive(TomlLines& lines, const char* key, const Drive& drive, std::string_view unit, const std::string& who) {
    switch (drive.kind()) {
      case Drive::Kind::constant:
        return lines.number(key, drive_value(drive, 0.0), unit);
      case Drive::Kind::expression:
        return lines.text(key, std::string(drive.expression().text()));
      case Drive::Kind::table:
        break;
    }
    const DriveTable& table = drive.table();
    if (table.source.file.empty()) {
      writer_.lose(ElementStatus::ignored, std::string("'") + key + "' of " + who, "its table is from no file");
      return lines.number(key, 0.0, unit);
    }
    constexpr const char* kEnds[] = {"natural", "clamped", "periodic"};
    TomlLines given;
    given.text("file", writer_.files.table(table.source.file));
    given.text_unless("time", table.source.time, "");
    given.text_unless("value", table.source.value, "");
    given.text_unless("ends", kEnds[static_cast<std::size_t>(table.ends)], kEnds[0]);
    given.number_unless("first_rate", table.first_rate, 0.0);
    given.number_unless("last_rate", table.last_rate, 0.0);
    if (table.outside == OutsideTable::hold) given.text("outside", "hold");
    lines.table(key, given);
  }

  static bool is_zero(const Drive& drive) {
    return drive.kind() == Drive::Kind::constant && drive_value(drive, 0.0) == 0.0;
  }

  static bool is_zero(const Command& command) { return !command.by_expression() && is_zero(command.drive()); }

  void add_command(TomlLines& lines, const char* key, const Command& command, std::string_view unit,
                   const std::string& who) {
    if (command.by_expression()) return lines.text(key, std::string(command.expression().text()));
    add_drive(lines, key, command.drive(), unit, who);
  }

  template <class Spec>
  static void add_actuator(TomlLines& lines, const Spec& spec, const DofUnitNames& units) {
    lines.number_unless("gear", spec.gear, 1.0);
    lines.number_unless("rotor_inertia", spec.rotor_inertia, 0.0, units.inertia);
    lines.number_unless("effort_limit", spec.effort_limit, kInfinity<double>, units.effort);
    lines.number_unless("sample_time", spec.sampling.period, 0.0, "s");
    lines.number_unless("sample_offset", spec.sampling.offset, 0.0, "s");
    lines.number_unless("delay", spec.sampling.delay, 0.0, "s");
  }

  static void add_place(TomlLines& lines, const char* key, const PlaceSpec& place) {
    TomlLines given;
    given.text("on", place.on);
    given.vector_unless("at", place.point, {0, 0, 0});
    given.size() == 1 ? lines.text(key, place.on) : lines.table(key, given);
  }

  // ---- each kind

  void write_motor(const MotorSpec& motor) {
    TomlLines lines;
    const DofUnitNames units = add_joint(lines, motor.joint, motor.dof, motor.name, "motor");
    add_command(lines, "effort", motor.effort, units.effort, "motor '" + motor.name + "'");
    add_actuator(lines, motor, units);
    writer_.add_table("[[motor]]", lines);
  }

  void write_motion(const PrescribedMotionSpec& motion) {
    TomlLines lines;
    const DofUnitNames units = add_joint(lines, motion.joint, motion.dof, motion.name, "motor");
    const std::string who = "motor '" + motion.name + "'";
    if (motion.kind == MotionKind::acceleration) {
      add_command(lines, "acceleration", motion.acceleration, units.acceleration, who);
    } else {
      add_drive(lines, name(motion.kind), motion.drive,
                motion.kind == MotionKind::position ? units.position : units.speed, who);
    }
    writer_.add_table("[[motor]]", lines);
  }

  void write_controller(const ControllerSpec& controller) {
    TomlLines lines;
    const std::string who = "controller '" + controller.name + "'";
    const DofUnitNames units = add_joint(lines, controller.joint, controller.dof, controller.name, "controller");
    if (!is_zero(controller.target)) add_command(lines, "target", controller.target, units.position, who);
    lines.number_unless("kp", controller.kp, 0.0, units.stiffness);
    lines.number_unless("ki", controller.ki, 0.0, units.integral);
    lines.number_unless("kd", controller.kd, 0.0, units.damping);
    if (!is_zero(controller.feed_forward)) add_command(lines, "feed_forward", controller.feed_forward, units.effort, who);
    lines.number_unless("integral_limit", controller.integral_limit, kInfinity<double>, units.effort);
    add_actuator(lines, controller, units);
    writer_.add_table("[[controller]]", lines);
  }

  /// Its table has one joint. A controller of several was read as one feedback for each.
  void write_feedback(const FeedbackSpec& feedback) {
    const auto formula = [&](const Command& command, const char* key) {
      if (command.by_expression()) return toml_text(std::string(command.expression().text()));
      const Drive& drive = command.drive();
      if (drive.kind() == Drive::Kind::expression) return toml_text(std::string(drive.expression().text()));
      if (drive.kind() == Drive::Kind::table)
        writer_.lose(ElementStatus::ignored, std::string("'") + key + "' of control '" + feedback.name + "'",
                     "tables are not written there");
      return toml_number(drive.kind() == Drive::Kind::constant ? drive_value(drive, 0.0) : 0.0);
    };
    const auto formulas = [&](const std::vector<Command>& commands, const char* key) {
      std::string text;
      for (const Command& command : commands) text += (text.empty() ? "" : ", ") + formula(command, key);
      return "[" + text + "]";
    };
    const auto found = kinds_.find(feedback.joint);
    const JointKind kind = found == kinds_.end() ? JointKind::revolute : found->second;
    const std::string part = facts(kind).nv > 1 ? "." + std::string(velocity_part(kind, feedback.dof).name) : "";
    TomlLines lines;
    lines.text("name", feedback.name);
    lines.raw("joints", "[" + toml_text(feedback.joint + part) + "]");
    lines.raw("states", formulas(feedback.states, "states"));
    lines.raw("gains", "[" + toml_numbers(feedback.gains) + "]");
    if (!feedback.reference.empty()) lines.raw("reference", formulas(feedback.reference, "reference"));
    if (!is_zero(feedback.feed_forward)) lines.raw("feed_forward", formulas({feedback.feed_forward}, "feed_forward"));
    lines.number_unless("effort_limit", feedback.effort_limit, kInfinity<double>);
    lines.number_unless("sample_time", feedback.sampling.period, 0.0, "s");
    lines.number_unless("sample_offset", feedback.sampling.offset, 0.0, "s");
    lines.number_unless("delay", feedback.sampling.delay, 0.0, "s");
    writer_.add_table("[[control]]", lines);
  }

  void write_spring(const JointSpringSpec& spring) {
    TomlLines lines;
    const DofUnitNames units = add_joint(lines, spring.joint, spring.dof, spring.name, "spring");
    lines.number_unless("stiffness", spring.stiffness, 0.0, units.stiffness);
    lines.number_unless("damping", spring.damping, 0.0, units.damping);
    lines.number_unless("rest", spring.rest, 0.0, units.position);
    lines.number_unless("preload", spring.preload, 0.0, units.effort);
    writer_.add_table("[[spring]]", lines);
  }

  void write_spring(const LineSpringSpec& spring) {
    TomlLines lines;
    add_place(lines, "from", spring.first);
    add_place(lines, "to", spring.second);
    add_name(lines, spring.name, spring.second.on, "spring");
    lines.number_unless("stiffness", spring.stiffness, 0.0, "N/m");
    lines.number_unless("damping", spring.damping, 0.0, "N s/m");
    lines.number_unless("rest", spring.rest_length, 0.0, "m");
    lines.number_unless("preload", spring.preload, 0.0, "N");
    lines.flag_unless("tension_only", spring.tension_only, false);
    writer_.add_table("[[spring]]", lines);
  }

  void write_bushing(const BushingSpec& bushing) {
    TomlLines lines;
    lines.text("from", bushing.first);
    lines.text("to", bushing.second);
    add_name(lines, bushing.name, bushing.second, "bushing");
    const Vec3<> none{0, 0, 0};
    lines.vector_unless("stiffness", bushing.stiffness, none);
    lines.vector_unless("damping", bushing.damping, none);
    lines.vector_unless("preload", bushing.preload, none);
    lines.vector_unless("rotational_stiffness", bushing.rotational_stiffness, none);
    lines.vector_unless("rotational_damping", bushing.rotational_damping, none);
    lines.vector_unless("rotational_preload", bushing.rotational_preload, none);
    writer_.add_table("[[bushing]]", lines);
  }

  void add_drives(TomlLines& lines, const char* key, const std::array<Drive, 3>& drives, const std::string& who) {
    std::string list;
    bool zero = true;
    for (const Drive& drive : drives) {
      zero = zero && is_zero(drive);
      if (drive.kind() == Drive::Kind::table)
        writer_.lose(ElementStatus::ignored, std::string("'") + key + "' of " + who,
                     "a scene file has formulas there, no tables");
      const bool by_formula = drive.kind() == Drive::Kind::expression;
      list += (list.empty() ? "[" : ", ") +
              (by_formula ? toml_text(std::string(drive.expression().text())) : toml_number(drive_value(drive, 0.0)));
    }
    if (!zero) lines.raw(key, list + "]");
  }

  void write_force(const BodyForceSpec& force) {
    TomlLines lines;
    const std::string who = "force '" + force.name + "'";
    add_place(lines, "on", force.at);
    add_name(lines, force.name, force.at.on, "force");
    add_drives(lines, "force", force.force, who);
    add_drives(lines, "torque", force.torque, who);
    if (force.axes == ForceAxes::body) lines.text("axes", "body");
    writer_.add_table("[[force]]", lines);
  }

  void write_drag(const DragSpec& drag) {
    TomlLines lines;
    add_place(lines, "on", drag.at);
    add_name(lines, drag.name, drag.at.on, "drag");
    lines.number_unless("linear", drag.linear, 0.0, "N s/m");
    lines.number_unless("quadratic", drag.quadratic, 0.0, "N s^2/m^2");
    lines.number_unless("rotational_linear", drag.rotational_linear, 0.0, "N m s/rad");
    lines.number_unless("rotational_quadratic", drag.rotational_quadratic, 0.0, "N m s^2/rad^2");
    lines.vector_unless("wind", drag.wind, {0, 0, 0});
    writer_.add_table("[[drag]]", lines);
  }

  SceneWriter& writer_;
  std::map<std::string, JointKind> kinds_;
  std::map<std::string, int> names_;  // number of elements with each name
};

}  // namespace

void write_elements(SceneWriter& writer) {
  ElementWriter(writer).write();
}

}  // namespace pintle
