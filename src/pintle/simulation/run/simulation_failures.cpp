#include <cmath>
#include <utility>

#include "pintle/simulation/run/simulation_parts.h"

namespace pintle {

RunReport Simulation::Parts::report() const {
  return {outcome, state.t, steps, rejected, events, trouble_joint, trouble_body, text, trouble_element};
}

bool Simulation::Parts::fail(RunOutcome why, std::string what, int joint, int body) {
  outcome = why;
  text = "t = " + number_text(state.t) + " s: " + std::move(what);
  trouble_joint = joint;
  trouble_body = body;
  trouble_element.clear();
  return false;
}

/// Where there are no accelerations: by an element, or a joint, -1 where none is known.
bool Simulation::Parts::fail_rates(int joint) {
  const RatesTrouble& trouble = system.trouble();
  const int body = joint >= 0 ? scene.model().joints()[static_cast<std::size_t>(joint)].child_body : -1;
  const std::string of_joint =
      joint >= 0 ? "joint '" + scene.model().joints()[static_cast<std::size_t>(joint)].name + "'" : std::string();
  if (trouble.element >= 0) {
    const std::string name(system.elements()[static_cast<std::size_t>(trouble.element)]->name());
    if (trouble.not_finite) {
      fail(RunOutcome::not_finite,
           "within the next step the force element '" + name + "' is not finite, and so is the motion of " + of_joint,
           joint, body);
    } else {
      fail(RunOutcome::no_acceleration, "the force element '" + name + "' has no value");
    }
    trouble_element = name;
    return false;
  }
  if (trouble.not_finite) {
    return fail(RunOutcome::not_finite, "within the next step the motion of " + of_joint + " is not finite", joint,
                body);
  }
  if (joint >= 0) return fail(RunOutcome::no_acceleration, of_joint + " has no inertia to move", joint, body);
  return fail_not_finite(state);
}

/// Names what is not finite: the first such joint, and the body it carries.
bool Simulation::Parts::fail_not_finite(const MotionState& broken) {
  const Model& model = scene.model();
  for (const IndependentJoint& joint : model.independent_joints()) {
    bool finite = true;
    for (int i = 0; i < facts(joint.kind).nq; ++i)
      finite = finite && std::isfinite(broken.q[static_cast<std::size_t>(joint.q + i)]);
    for (int i = 0; i < facts(joint.kind).nv; ++i)
      finite = finite && std::isfinite(broken.v[static_cast<std::size_t>(joint.v + i)]);
    if (finite) continue;
    const ModelJoint& of = model.joints()[static_cast<std::size_t>(joint.joint)];
    const std::string& body = model.bodies()[static_cast<std::size_t>(of.child_body)].name;
    return fail(
        RunOutcome::not_finite,
        "within the next step the motion of joint '" + of.name + "' (body '" + body + "') is not finite any more",
        joint.joint, of.child_body);
  }
  return fail(RunOutcome::not_finite, "within the next step the motion is not finite any more");
}

bool Simulation::Parts::fail_step(const StepReport& report) {
  switch (report.outcome) {
    case StepOutcome::no_rates:
      return fail_rates();
    case StepOutcome::not_finite:
      return fail_not_finite(next);
    case StepOutcome::not_converged:
    case StepOutcome::done:
      break;
  }
  return fail(RunOutcome::not_converged, "an implicit step of " + number_text(h) + " s has no solution that was found");
}

bool Simulation::Parts::fail_search(const FoundEvent& found) {
  if (found.outcome == EventOutcome::step_failed) return fail_step(found.step);
  const WatchRole& role = watches.roles()[static_cast<std::size_t>(found.watch)];
  if (role.kind == WatchKind::gives_way) return fail_rates();
  const std::string name =
      role.kind == WatchKind::user ? user_events[static_cast<std::size_t>(role.number)].name : "of a force element";
  return fail(RunOutcome::not_finite, "the event function '" + name + "' is not a number within the next step");
}

bool Simulation::Parts::fail_too_small(const StepReport& report) {
  if (!report.ok()) return fail_step(report);
  return fail(RunOutcome::step_too_small,
              "the tolerances ask for steps below " + number_text(control.least(state.t)) +
                  " s: the motion is singular here, or stiff beyond this method (try sdirk)");
}

}  // namespace pintle
