// RunStatus: whether a run goes on, and why it does not. Failures are told here, with the names of what is behind them.
#pragma once

#include <string>

#include "pintle/simulation/integrators/stepper.h"
#include "pintle/simulation/run/run_report.h"
#include "pintle/simulation/run/scene_motion.h"

namespace pintle {

class RunStatus {
 public:
  explicit RunStatus(const SceneMotion& motion) : motion_(motion) {}

  /// As at the start of a run.
  void reset();
  /// Goes on after a run that has reached its end, or was stopped.
  void go_on();

  bool finished() const { return memory_.outcome != RunOutcome::reached; }
  bool failed() const { return facts(memory_.outcome).failed; }
  /// Whether there is no way on by events: time-stepping must take over.
  bool blocked() const { return blocked_; }
  void unblock() { blocked_ = false; }

  /// Ends a run that has not failed.
  void limit(RunOutcome why, const char* what);

  // All below give false, so that callers can hand it on.

  /// No way on by events was found. Where shapes may touch time-stepping can take over, else the run ends.
  bool block(RunOutcome why, const char* what);
  /// Ends the run, because of a joint (Model::joints) or a body (Model::bodies) where it is known.
  bool fail(RunOutcome why, std::string what, int joint = -1, int body = -1);
  /// There are no accelerations: by an element, or a joint, -1 where none is known.
  bool fail_derivatives(int joint);
  bool fail_derivatives() { return fail_derivatives(motion_.system.trouble().joint); }
  /// Names what is not finite in a state: the first such joint, and the body it carries.
  bool fail_not_finite(const MotionState& broken);
  /// A step of fixed length h [s] had no end state, or a broken one.
  bool fail_step(const StepReport& report, const MotionState& broken, double h);
  /// Error control asks for a step shorter than `least` [s].
  bool fail_too_small(double least);

  /// What checkpoints keep, but for the element.
  struct Memory {
    RunOutcome outcome = RunOutcome::reached;
    int joint = -1, body = -1;  ///< behind a failure
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
