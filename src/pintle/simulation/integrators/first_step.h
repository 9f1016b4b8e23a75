// How long a first step may be.
#pragma once

#include "pintle/simulation/integrators/stepper.h"

namespace pintle {

/// A mechanism in which nothing turns, swings or decays gets a step of this length [s]; no first step is longer.
inline constexpr double kLongestFirstStep = 0.1;
/// The most angle [rad] of turn, of swing or of decay (times the rate) in a first step: about a twelfth of a period.
inline constexpr double kMaxAnglePerStep = 0.5;
/// The least for methods of fixed step, whatever the tolerance: a two-thousandth of a period.
inline constexpr double kMinAnglePerStep = 3.14159265358979323846 / 1000.0;

/// A first step and what it comes from.
struct FirstStep {
  double h;          ///< [s], positive and finite
  double turning;    ///< [rad/s] the largest angular speed of a body
  double frequency;  ///< [rad/s or 1/s] the largest natural frequency or decay rate
  double onset;      ///< [rad/s] the root of the largest angular acceleration of a body: how fast it comes to turn
};

struct FirstStepMemory;

/// Room for first_step; after it exists no call allocates.
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

/// The angle [rad] that the fastest rate of a mechanism may turn in a step of a method without error estimate, of
/// order p: (relative (p + 1)!)^(1/p), at which its error per radian is about the relative tolerance, between the
/// bounds above.  [eq. first-step]
double angle_per_step(Method method, const Tolerances& tolerances);

/// A length for the first step from a state (its sizes must fit, else UsageError). The fastest rate is the largest of
/// the angular speeds of all bodies, the roots of their angular accelerations (a pendulum that is let go from the
/// horizontal neither turns nor swings about where it is) and the spectral radius of the linearised motion of (q, v),
/// found by power iterations on differences of `derivatives` (about 17 evaluations; a mechanism of several frequencies
/// may show somewhat less than its largest). Methods of fixed step get angle_per_step of it; those with an error
/// estimate the rule of Hairer, Norsett and Wanner for the tolerances, limited to kMaxAnglePerStep of it. Where the
/// system has no rates, or no finite ones, kLongestFirstStep: the step itself will say so.  [eq. first-step]
FirstStep first_step(MotionSystem& system, const MotionState& state, Method method, const Tolerances& tolerances,
                     FirstStepWorkspace& work);
FirstStep first_step(MotionSystem& system, const MotionState& state, Method method, const Tolerances& tolerances = {});

}  // namespace pintle
