// The length of a first step.
#pragma once

#include "pintle/simulation/integrators/stepper.h"

namespace pintle {

/// The step [s] for a mechanism in which nothing rotates, oscillates or decays; no first step is longer.
inline constexpr double kLongestFirstStep = 0.1;
/// Maximum angle [rad] of rotation, of oscillation or of decay (times the rate) in a first step: about a twelfth of a
/// period.
inline constexpr double kMaxAnglePerStep = 0.5;
/// Minimum for methods of fixed step, whatever the tolerance: a two-thousandth of a period.
inline constexpr double kMinAnglePerStep = 3.14159265358979323846 / 1000.0;

/// A first step and the rates that determine it.
struct FirstStep {
  double h;          ///< [s], positive and finite
  double turning;    ///< [rad/s] the largest angular speed of a body
  double frequency;  ///< [rad/s or 1/s] the largest natural frequency or decay rate
  double onset;   ///< [rad/s] square root of the largest angular acceleration of a body: how fast a rotation builds up
  double driven;  ///< [rad/s] of what the system is driven by (MotionSystem::driven_rate)
};

struct FirstStepMemory;

/// Memory for first_step; after construction no call allocates.
class FirstStepWorkspace {
 public:
  explicit FirstStepWorkspace(MotionSystem& system);
  FirstStepWorkspace(const FirstStepWorkspace&) = delete;
  FirstStepWorkspace& operator=(const FirstStepWorkspace&) = delete;
  ~FirstStepWorkspace();

  FirstStepMemory& memory() { return *memory_; }

 private:
  FirstStepMemory* memory_;
};

/// The angle [rad] by which the fastest rate of a mechanism may advance in a step of a method without error estimate,
/// of order p: (relative (p + 1)!)^(1/p), at which its error per radian is about the relative tolerance, between the
/// bounds above.  [eq. first-step]
double angle_per_step(Method method, const Tolerances& tolerances);

/// A length for the first step from a state (its sizes must fit, else UsageError). The fastest rate is the largest of
/// the angular speeds of all bodies, the roots of their angular accelerations (a pendulum released from the horizontal
/// neither rotates nor oscillates about its configuration), the rates of what is driven, and the spectral radius of the
/// linearised motion of (q, v), found by power iterations on differences of `derivatives` (about 17 evaluations; with
/// several frequencies the result may be somewhat below the largest). Methods of fixed step get angle_per_step of it;
/// those with an error estimate the rule of Hairer, Norsett and Wanner for the tolerances, limited to kMaxAnglePerStep
/// of it. If the system has no derivatives, or none that are finite, the result is kLongestFirstStep: the step itself
/// will report it.  [eq. first-step]
FirstStep first_step(MotionSystem& system, const MotionState& state, Method method, const Tolerances& tolerances,
                     FirstStepWorkspace& work);
FirstStep first_step(MotionSystem& system, const MotionState& state, Method method, const Tolerances& tolerances = {});

}  // namespace pintle
