// Stepper: one step of any integrator, and the interpolant within it.
#pragma once

#include <string_view>

#include "pintle/simulation/system/motion.h"

namespace pintle {

/// The integrators. All but the first keep their order on spherical and free joints.
enum class Method : unsigned char {
  semi_implicit_euler,  ///< order 1, one evaluation
  rk4,                  ///< order 4, four evaluations: the seeds' choice
  dormand_prince,       ///< order 5 with an error estimate of order 4, six evaluations
  symplectic_midpoint,  ///< order 2 in (q, p), implicit: no drift of energy or momentum, for conservative motion
  sdirk,                ///< order 4, implicit and L-stable, with an error estimate: for stiff springs and dampers
  rk4_quaternion,       ///< order 4, four evaluations, component by component, quaternions normalised after each step
  explicit_euler,       ///< order 1, one evaluation; every oscillation grows: for comparison
};

/// The properties of a method.
struct MethodFacts {
  Method method;
  std::string_view name;
  int order;
  bool estimates_error;
};

inline constexpr int kMethods = 7;
inline constexpr MethodFacts kMethodFacts[kMethods] = {
    {Method::semi_implicit_euler, "semi-implicit-euler", 1, false},
    {Method::rk4, "rk4", 4, false},
    {Method::dormand_prince, "dormand-prince", 5, true},
    {Method::symplectic_midpoint, "symplectic-midpoint", 2, false},
    {Method::sdirk, "sdirk", 4, true},
    {Method::rk4_quaternion, "rk4-quaternion", 4, false},
    {Method::explicit_euler, "explicit-euler", 1, false},
};

constexpr const MethodFacts& facts(Method method) {
  return kMethodFacts[static_cast<int>(method)];
}

/// The accuracy of a step: the error of each component may be absolute + relative times its size.
struct Tolerances {
  double relative = 1e-9;
  double absolute = 1e-9;
};

enum class StepOutcome : unsigned char {
  done,
  no_derivatives,  ///< the system had no accelerations (MotionSystem::derivatives was false)
  not_finite,      ///< a value became infinite or NaN
  not_converged,   ///< an implicit method did not find its stages: a shorter step will
};

struct [[nodiscard]] StepReport {
  StepOutcome outcome = StepOutcome::done;
  /// The estimated error relative to the tolerances: 1 is just accepted; 0 for methods without an estimate.
  double error = 0.0;

  bool ok() const { return outcome == StepOutcome::done; }
};

struct StepperMemory;

/// Makes steps of one method for one system. Keeps no state between steps but scratch, and stages of the last step for
/// `interpolate`; a step depends on its start and length alone, so that a part of it can be repeated.
///
/// What the system prescribes (MotionSystem::prescribe) is written into every stage, into the end of the step and into
/// the result of `interpolate`. For the error, the integral of its time derivative counts: a step that does not resolve
/// what is prescribed does not resolve what it drives either.
class Stepper {
 public:
  /// UsageError for symplectic_midpoint with a system that prescribes: it works in momenta, which follow from free
  /// velocities.
  Stepper(MotionSystem& system, Method method, const Tolerances& tolerances = {});
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  ~Stepper();

  Method method() const { return method_; }

  /// `to` becomes the state a time h [s] after `from` (h may be negative); to.t is from.t + h. They must be different
  /// objects. Sizes must fit the system, else UsageError.
  StepReport step(const MotionState& from, double h, MotionState& to);

  /// The state at the fraction theta (0 ... 1) of the last step, which went from `from` to `to`, by an interpolant of
  /// order 4 (dormand_prince) or 3: exact at both ends. `at` may be neither. False if the system has no derivatives at
  /// one end. UsageError if the last step failed, or went from or to other times; that of `to` may be rounded, to the
  /// goal of the step.  [eq. dense-output]
  bool interpolate(const MotionState& from, const MotionState& to, double theta, MotionState& at);

 private:
  bool fixed_step(const MotionState& from, double h, MotionState& to);
  double weighted_error() const;
  bool find_derivatives(const MotionState& to);

  MotionSystem& system_;
  Method method_;
  Tolerances tolerances_;
  StepperMemory* memory_;
};

}  // namespace pintle
