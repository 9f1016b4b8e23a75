#include "pintle/simulation/scene/check_functions_of_time.h"

#include <cmath>
#include <string>
#include <utility>

#include "pintle/simulation/elements/check_values.h"

namespace pintle {

Diagnostics check_functions_of_time(const SceneSpec& spec) {
  const double t0 = spec.run.t0, t1 = t0 + spec.run.duration;
  Diagnostics problems;
  if (!std::isfinite(t0) || !(t1 >= t0) || !std::isfinite(t1)) return problems;
  const auto check = [&](const std::string& whose, const auto& function, const Origin& origin) {
    for (Diagnostic problem : check_values(function, t0, t1)) {
      if (problem.origin.file.empty()) problem.origin = origin;
      problem.what = whose + ": " + problem.what;
      problems.push_back(std::move(problem));
    }
  };
  for (const MotorSpec& motor : spec.motors) check("motor '" + motor.name + "'", motor.effort, motor.origin);
  for (const ControllerSpec& controller : spec.controllers) {
    check("controller '" + controller.name + "'", controller.target, controller.origin);
    check("controller '" + controller.name + "'", controller.feed_forward, controller.origin);
  }
  for (const FeedbackSpec& feedback : spec.feedbacks) {
    const std::string whose = "control '" + feedback.name + "'";
    for (const Command& state : feedback.states) check(whose, state, feedback.origin);
    for (const Command& reference : feedback.reference) check(whose, reference, feedback.origin);
    check(whose, feedback.feed_forward, feedback.origin);
  }
  for (const BodyForceSpec& force : spec.body_forces) {
    for (const Drive& component : force.force) check("force '" + force.name + "'", component, force.origin);
    for (const Drive& component : force.torque) check("force '" + force.name + "'", component, force.origin);
  }
  bool may_end = false;
  for (const EventSpec& event : spec.events) may_end = may_end || event.terminal;
  if (may_end)
    for (Diagnostic& problem : problems) problem.severity = Severity::warning;
  return problems;
}

}  // namespace pintle
