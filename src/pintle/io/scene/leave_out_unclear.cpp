#include <algorithm>

#include "pintle/expression/expression_tokens.h"
#include "pintle/io/scene/scene_reader.h"
#include "pintle/simulation/recording/state_names.h"

namespace pintle {
namespace {

class Clearing {
 public:
  explicit Clearing(SceneReader& scene) : scene_(scene), spec_(scene.spec) {}

  void run() {
    if (scene_.names.lost()) doubt_everything();
    replace_unknown_parents();
    leave_out(spec_.model.frames, [&](const FrameSpec& frame) { return is_body(frame.body); });
    const std::size_t couplings = spec_.model.couplings.size();
    leave_out(spec_.model.couplings,
              [&](const CouplingSpec& one) { return is_clear_joint(one.joint) && is_clear_joint(one.driver); });
    if (spec_.model.couplings.size() < couplings) scene_.unknowns.inertia = true;
    leave_out(spec_.line_springs,
              [&](const LineSpringSpec& spring) { return is_place(spring.first.on) && is_place(spring.second.on); });
    leave_out(spec_.bushings,
              [&](const BushingSpec& bushing) { return is_place(bushing.first) && is_place(bushing.second); });
    leave_out(spec_.body_forces, [&](const BodyForceSpec& force) { return is_place(force.at.on); });
    leave_out(spec_.drags, [&](const DragSpec& drag) { return is_place(drag.at.on); });
    leave_out(spec_.contact.shapes, [&](const ContactShapeSpec& shape) { return is_body(shape.body); });
    leave_out(spec_.contact.rules,
              [&](const ContactRuleSpec& rule) { return is_body(rule.first) && is_body(rule.second); });
    if (scene_.times_unclear) forget_drives();
    clear_sensors();
    for (MotorSpec& motor : spec_.motors) clear_command(motor.effort);
    for (ControllerSpec& controller : spec_.controllers) {
      clear_command(controller.target);
      clear_command(controller.feed_forward);
    }
    for (FeedbackSpec& feedback : spec_.feedbacks) clear_feedback(feedback);
    leave_out(spec_.events, [&](const EventSpec& event) { return is_clear_formula(event.expression); });
  }

 private:
  template <class Spec, class Clear>
  static void leave_out(std::vector<Spec>& specs, Clear is_clear) {
    std::erase_if(specs, [&](const Spec& spec) { return !is_clear(spec); });
  }

  bool is_body(const std::string& name) const { return scene_.names.exists(NameKind::body_or_world, name); }
  bool is_clear_joint(const std::string& name) const { return scene_.kind_of(name) != nullptr; }

  bool is_place(const std::string& name) const {
    const auto is_it = [&](const FrameSpec& frame) { return frame.name == name; };
    return is_body(name) || std::any_of(spec_.model.frames.begin(), spec_.model.frames.end(), is_it);
  }

  bool is_clear_formula(const std::string& formula) const {
    const auto is_in_it = [&](const std::string& name) {
      return mentions(formula, name) || mentions(formula, name_in_formulas(name));
    };
    return std::none_of(scene_.unclear.begin(), scene_.unclear.end(), is_in_it);
  }

  void clear_feedback(FeedbackSpec& feedback) const {
    for (Command& state : feedback.states) clear_command(state);
    for (Command& reference : feedback.reference) clear_command(reference);
    clear_command(feedback.feed_forward);
  }

  /// A formula that names something unclear becomes zero.
  void clear_command(Command& command) const {
    if (!is_clear_formula(std::string(command.expression().text()))) command = Command();
  }

  /// Anything may be missing, with any name, mass or motion.
  void doubt_everything() {
    scene_.unknowns.tree = scene_.unknowns.inertia = scene_.unknowns.names = true;
    for (const NamedJoint& joint : scene_.joints) scene_.unknowns.unplaced.push_back(joint.name);
  }

  void replace_unknown_parents() {
    for (JointSpec& joint : spec_.model.joints) {
      if (is_body(joint.parent)) continue;
      joint.parent = kWorld;
      scene_.unknowns.tree = scene_.unknowns.inertia = true;
    }
  }

  /// The smoothness of drives and their initial values depend on the times of the run.
  void forget_drives() {
    for (PrescribedMotionSpec& motion : spec_.prescribed) {
      motion.drive = Drive();
      scene_.unknowns.unplaced.push_back(motion.joint);
    }
  }

  /// The columns of a sensor do not depend on its place. Formulas use the sensors before them.
  void clear_sensors() {
    std::vector<SensorSpec> clear;
    for (SensorSpec& sensor : spec_.sensors) {
      const SensorFacts& reads = facts(sensor.kind);
      if (reads.place && !is_place(sensor.place)) sensor.place = kWorld;
      if (!sensor.reference.empty() && !is_place(sensor.reference)) sensor.reference = kWorld;
      if ((!reads.joint || is_clear_joint(sensor.joint)) && is_clear_formula(sensor.expression)) {
        clear.push_back(std::move(sensor));
      } else {
        scene_.unclear.push_back(sensor.name);
      }
    }
    spec_.sensors = std::move(clear);
  }

  SceneReader& scene_;
  SceneSpec& spec_;
};

}  // namespace

void leave_out_unclear(SceneReader& scene) {
  Clearing(scene).run();
}

}  // namespace pintle
