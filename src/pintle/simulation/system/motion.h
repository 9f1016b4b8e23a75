// A mechanism as integrators see it, and its state.
#pragma once

#include <span>
#include <vector>

#include "pintle/model/compiled/model.h"
#include "pintle/simulation/system/event_function.h"

namespace pintle {

/// Time, configuration, velocity and auxiliary state (work done, states of controllers).
struct MotionState {
  double t = 0.0;  ///< [s]
  std::vector<double> q, v, auxiliary;
};

inline void swap(MotionState& a, MotionState& b) noexcept {
  const double t = a.t;
  a.t = b.t;
  b.t = t;
  a.q.swap(b.q);
  a.v.swap(b.v);
  a.auxiliary.swap(b.auxiliary);
}

/// The instant of a state, for functions of one instant.
inline MotionInstant instant(const MotionState& state) {
  return {state.t, state.q, state.v, state.auxiliary};
}

/// A step whose integrals are to be found.
struct FinishedStep {
  const MotionState& from;
  double h;                       ///< [s]
  std::span<const double> rates;  ///< derivatives of the auxiliary state at the start
  std::span<const double> moved;  ///< per dof the integral of its velocity, in the chart around the start (chart_impl)
};

/// A mechanism with all that acts on it.
class MotionSystem {
 public:
  virtual ~MotionSystem() = default;

  virtual const Model& model() const = 0;

  /// The size of its auxiliary state.
  virtual int auxiliary_count() const { return 0; }

  /// How many of these, the first ones, count for error estimates: those on which the motion depends. The others are
  /// integrals that come along: `derivatives` does not read them, and within a step they may be those of its start.
  virtual int controlled_auxiliary_count() const { return auxiliary_count(); }

  /// The accelerations and the derivatives of the auxiliary state at a time and state. False: there are none (a joint
  /// without inertia, a value that is not finite); failed_joint then says where.
  virtual bool derivatives(double t, std::span<const double> q, std::span<const double> v,
                           std::span<const double> auxiliary, std::span<double> vdot,
                           std::span<double> auxiliary_derivative) = 0;

  /// How many auxiliary states, the first ones, need derivatives at every stage of a step. The others are integrals
  /// that `finish_step` finds from both ends of the step, which takes fewer evaluations: for methods that call it.
  virtual int staged_auxiliary_count() const { return auxiliary_count(); }

  /// `derivatives` at a stage within a step, in methods that call `finish_step` at its end: those of auxiliary states
  /// beyond `staged_auxiliary_count` may be left out.
  virtual bool stage_derivatives(double t, std::span<const double> q, std::span<const double> v,
                                 std::span<const double> auxiliary, std::span<double> vdot,
                                 std::span<double> auxiliary_derivative) {
    return derivatives(t, q, v, auxiliary, vdot, auxiliary_derivative);
  }

  /// Writes the auxiliary states beyond `staged_auxiliary_count` at the end of a step, where all else is known.
  virtual void finish_step(const FinishedStep& /*step*/, MotionState& /*to*/) {}

  /// What `finish_step` could not know, from the derivatives of the auxiliary state at the instant of these values.
  virtual void complete_integrals(std::span<double> /*auxiliary*/, std::span<const double> /*rates*/) const {}

  /// Writes what is prescribed and not integrated: positions and velocities of joints that are functions of time,
  /// velocities that follow from auxiliary states. Integrators call it for every stage, before `derivatives`, and for
  /// the end of every step.
  virtual void prescribe(double, std::span<double> /*q*/, std::span<double> /*v*/,
                         std::span<const double> /*auxiliary*/) {}

  /// Per dof whether `prescribe` writes its velocity (1), or its position too (2). Methods with an error estimate
  /// integrate them too, from what `derivatives` gives, only to see whether the step resolves them. Empty if it writes
  /// nothing.
  virtual std::span<const unsigned char> imposed() const { return {}; }

  /// Per dof whether it is held at rest at present: its velocity and acceleration are zero, and methods that work in
  /// momenta leave it out. Empty if none is.
  virtual std::span<const unsigned char> held() const { return {}; }

  /// The force [N] and the torque [N m] about a point, in world axes, of all external loads on the mechanism at the
  /// state of the last `derivatives`, weight included. False: the system does not compute it, and MomentumForm finds it
  /// from the accelerations.
  virtual bool outside_wrench(const Vec3<>& /*point*/, Wrench<>& /*wrench*/) { return false; }

  /// One step of RK4 of length h [s], for systems that have it in closed form; the caller sets t of `to`. False: it has
  /// none, or none here.
  virtual bool rk4_step(const MotionState& /*from*/, double /*h*/, MotionState& /*to*/) { return false; }

  /// The largest rate [rad/s] at which what it is driven by changes as a function of time: for a sine its angular
  /// frequency.
  virtual double driven_rate() const { return 0.0; }

  /// The joint (Model::joints) that caused the last failure of `derivatives`, -1 if it is unknown.
  virtual int failed_joint() const { return -1; }
};

/// A state with the sizes of a system, neutral and at rest at t = 0.
MotionState neutral_state(const MotionSystem& system);

}  // namespace pintle
