#include "pintle/simulation/scene/time_functions.h"

#include "pintle/math/scalar.h"

namespace pintle {

TimeFunctions::TimeFunctions(const Scene& scene) : run_(scene.run()) {
  const double t0 = run_.t0, t1 = run_.t0 + run_.duration;
  const SceneSpec& spec = scene.spec();
  for (const PrescribedMotion& motion : scene.prescribed()) {
    const bool by_drive = motion.kind != MotionKind::acceleration;
    add(by_drive ? TimeFunction(motion.drive, t0, t1) : TimeFunction(motion.acceleration, t0, t1));
  }
  for (const MotorSpec& motor : spec.motors)
    if (motor.sampling.period == 0.0) add(TimeFunction(motor.effort, t0, t1));
  for (const ControllerSpec& controller : spec.controllers) {
    if (controller.sampling.period > 0.0) continue;
    add(TimeFunction(controller.target, t0, t1));
    add(TimeFunction(controller.feed_forward, t0, t1));
  }
  for (const FeedbackSpec& feedback : spec.feedbacks) {
    if (feedback.sampling.period > 0.0) continue;
    for (const Command& state : feedback.states) add(TimeFunction(state, t0, t1));
    for (const Command& reference : feedback.reference) add(TimeFunction(reference, t0, t1));
    add(TimeFunction(feedback.feed_forward, t0, t1));
  }
  for (const BodyForceSpec& force : spec.body_forces) {
    for (const Drive& component : force.force) add(TimeFunction(component, t0, t1));
    for (const Drive& component : force.torque) add(TimeFunction(component, t0, t1));
  }
  for (const TimeFunction& function : functions_) rate_ = max(rate_, function.rate());
}

void TimeFunctions::add(const TimeFunction& function) {
  if (function.varies()) functions_.push_back(function);
}

void TimeFunctions::add_event(const Expression& formula, int variable) {
  add(TimeFunction(formula, variable, run_.t0, run_.t0 + run_.duration));
}

double TimeFunctions::next_break(double t, double end) {
  double next = kInfinity<double>;
  for (TimeFunction& function : functions_) next = min(next, function.next_break(t, end));
  return next;
}

double TimeFunctions::longest_step(double t, double h) {
  for (TimeFunction& function : functions_) h = function.longest_step(t, h);
  return h;
}

}  // namespace pintle
