// RunStatus: whether a run continues, and if not, why. Failures are reported here, with the names of what caused them.
#pragma once

#include <string>

#include "pintle/simulation/integrators/stepper.h"
#include "pintle/simulation/run/run_report.h"
#include "pintle/simulation/run/scene_motion.h"

namespace pintle {

class RunStatus {
 public:
  explicit RunStatus(const SceneMotion& motion) : motion_(motion) {}

  /// The status at the start of a run.
  void reset();
  /// Continues after a run that has reached its end, or was stopped.
  void go_on();

  bool finished() const { return memory_.outcome != RunOutcome::reached; }
  bool failed() const { return facts(memory_.outcome).failed; }
  /// Whether events cannot advance the run: time stepping must take over.
  bool blocked() const { return blocked_; }
  void unblock() { blocked_ = false; }

  /// Ends a run that has not failed.
  void limit(RunOutcome why, const char* what);

  // All functions below return false, so that callers can pass it on.

  /// Events cannot advance the run. If shapes may touch, time stepping takes over, unless the
  /// scene excludes it; else the run ends.
  bool block(RunOutcome why, const char* what);
  /// Ends the run, because of a joint (Model::joints) or a body (Model::bodies) if it is known.
  bool fail(RunOutcome why, std::string what, int joint = -1, int body = -1);
  /// There are no accelerations, because of an element or a joint, -1 if none is known.
  bool fail_derivatives(int joint);
  bool fail_derivatives() { return fail_derivatives(motion_.system.derivatives_error().joint); }
  /// Names what is not finite in a state: the first such joint, and the body it carries.
  bool fail_not_finite(const MotionState& broken);
  /// A step of fixed length h [s] has no end state, or one that is not finite.
  bool fail_step(const StepReport& report, const MotionState& broken, double h);
  /// Error control needs a step shorter than `min_step` [s].
  bool fail_too_small(double min_step);

  /// What checkpoints store, except the element.
  struct Memory {
    RunOutcome outcome = RunOutcome::reached;
    int joint = -1, body = -1;  ///< the cause of a failure
    std::string element{};      ///< likewise
    std::string text{};         ///< what happened
  };
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }

 private:
  const SceneMotion& motion_;
  Memory memory_;
  bool blocked_ = false;
};

}  // namespace pintle
