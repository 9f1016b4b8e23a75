#include "pintle/simulation/run/run_status.h"

#include <cmath>
#include <utility>

#include "pintle/base/size.h"
#include "pintle/math/number_text.h"

namespace pintle {

void RunStatus::reset() {
  memory_ = {};
  blocked_ = false;
}

void RunStatus::go_on() {
  memory_.outcome = RunOutcome::reached;
  memory_.text.clear();
}

void RunStatus::limit(RunOutcome why, const char* what) {
  memory_.outcome = why;
  memory_.text = "t = " + number_text(motion_.state.t) + " s: " + what;
}

bool RunStatus::block(RunOutcome why, const char* what) {
  blocked_ = motion_.system.contacts().any_pairs() && motion_.run().contact != ContactMethod::events;
  return blocked_ ? false : fail(why, what);
}

bool RunStatus::fail(RunOutcome why, std::string what, int joint, int body) {
  memory_.outcome = why;
  memory_.text = "t = " + number_text(motion_.state.t) + " s: " + std::move(what);
  memory_.joint = joint;
  memory_.body = body;
  memory_.element.clear();
  return false;
}

bool RunStatus::fail_derivatives(int joint) {
  const DerivativesError& error = motion_.system.derivatives_error();
  const Model& model = motion_.model();
  const int body = joint >= 0 ? model.joints()[size(joint)].child_body : -1;
  const std::string of_joint = joint >= 0 ? "joint '" + model.joints()[size(joint)].name + "'" : std::string();
  if (error.element >= 0) {
    const std::string name(motion_.system.elements()[size(error.element)]->name());
    if (error.not_finite) {
      fail(RunOutcome::not_finite,
           "within the next step the force element '" + name + "' is not finite, and so is the motion of " + of_joint,
           joint, body);
    } else {
      fail(RunOutcome::no_acceleration, "the force element '" + name + "' has no value");
    }
    memory_.element = name;
    return false;
  }
  if (error.not_finite) {
    return fail(RunOutcome::not_finite, "within the next step the motion of " + of_joint + " is not finite", joint,
                body);
  }
  if (joint >= 0) return fail(RunOutcome::no_acceleration, of_joint + " moves no inertia", joint, body);
  return fail_not_finite(motion_.state);
}

bool RunStatus::fail_not_finite(const MotionState& broken) {
  const Model& model = motion_.model();
  for (const IndependentJoint& joint : model.independent_joints()) {
    bool finite = true;
    for (int i = 0; i < facts(joint.kind).nq; ++i) finite = finite && std::isfinite(broken.q[size(joint.q + i)]);
    for (int i = 0; i < facts(joint.kind).nv; ++i) finite = finite && std::isfinite(broken.v[size(joint.v + i)]);
    if (finite) continue;
    const ModelJoint& of = model.joints()[size(joint.joint)];
    const std::string& body = model.bodies()[size(of.child_body)].name;
    return fail(RunOutcome::not_finite,
                "within the next step the motion of joint '" + of.name + "' (body '" + body + "') is no longer finite",
                joint.joint, of.child_body);
  }
  return fail(RunOutcome::not_finite, "within the next step the motion is no longer finite");
}

bool RunStatus::fail_step(const StepReport& report, const MotionState& broken, double h) {
  switch (report.outcome) {
    case StepOutcome::no_derivatives:
      return fail_derivatives();
    case StepOutcome::not_finite:
      return fail_not_finite(broken);
    case StepOutcome::not_converged:
    case StepOutcome::done:
      break;
  }
  return fail(RunOutcome::not_converged, "no solution was found for an implicit step of " + number_text(h) + " s");
}

bool RunStatus::fail_too_small(double min_step) {
  return fail(RunOutcome::step_too_small,
              "the tolerances require steps below " + number_text(min_step) +
                  " s: the motion is singular here, or too stiff for this method (try sdirk)");
}

}  // namespace pintle
