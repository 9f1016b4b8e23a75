// TimeStepping: steps of a given length in which contacts, joint limits and joint friction act by impulses, whatever
// happens within the step.
//
//     the step without contacts  ->  points that may touch  ->  islands  ->  impulses  ->  velocities  ->  positions
//
// Moreau and Jean's method: Coulomb's law and the law of restitution hold for the velocities at the end of the step, so
// that no event needs to be found. The error is of the order of the step.  [eq. moreau-jean]
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pintle/constraints/contact_residuals.h"
#include "pintle/dynamics/solve/search_space.h"
#include "pintle/simulation/integrators/stepper.h"
#include "pintle/simulation/time_stepping/contact_impulses.h"
#include "pintle/simulation/time_stepping/free_joints.h"
#include "pintle/simulation/time_stepping/sleep.h"

namespace pintle {

struct [[nodiscard]] TimeSteppingReport {
  StepReport free{};             ///< of the step without contacts
  int joint = -1;                ///< that moves no inertia
  double residual = 0.0;         ///< IslandReport::residual, the worst
  double penetration = 0.0;      ///< [m] the deepest at the start of the step
  double contact_work = 0.0;     ///< [J] of the contact impulses
  /// If it was asked for: how far the step violates its laws, by a computation that shares nothing with the solver but
  /// the places of the contacts: momentum by inverse dynamics, velocities by kinematics.  [eq. contact-certificate]
  ContactResiduals certificate{};
  int worst_pair = -1;  ///< of it (ContactSetup::pairs); -1: no particular one

  bool ok() const { return free.ok() && joint < 0; }
};

class TimeStepping {
 public:
  /// Steps of `system` by `method`, which integrates all but contacts; `integrated` is the system, or its momentum form.
  TimeStepping(SceneSystem& system, MotionSystem& integrated, Method method, const Tolerances& tolerances);

  /// A step of a length h [s], with a certificate if wanted. The active contacts of the system become those that carried an impulse, with mean
  /// forces; no dof is held. After a failure the state is as it was, but nothing is active.
  TimeSteppingReport step(double h, MotionState& state, bool certified = false);

  const Trees& trees() const { return trees_; }
  /// Which trees sleep; to be woken after steps by anything else.
  Sleep& sleep() { return sleep_; }
  const Sleep& sleep() const { return sleep_; }
  bool all_sleep() const;

  /// The impacts of the last step: contacts that closed faster than what acts within a step can make them.
  std::span<const ImpactRecord> impacts() const { return impact_records_; }

  // Of the last step, for the balance of energy: the end of the step without contacts; the same where impulses act, at
  // the positions of the start, before the impulses and after them.
  const MotionState& free() const { return free_; }
  const MotionState& before_impulses() const { return before_; }
  const MotionState& after_impulses() const { return after_; }
  /// Work [J] of joint limits and motors on each dof, and of joint friction.
  std::span<const double> joint_work() const { return joint_work_; }
  std::span<const double> friction_work() const { return friction_work_; }
  /// Work [J] of each account of moving surfaces.
  std::span<const double> surface_work() const { return surface_work_; }

 private:
  bool is_stiff(double h, const MotionState& state);
  void find_contacts(double h, const MotionState& state);
  bool wake_touched(double h);
  void find_states(const MotionState& state);
  bool was_asleep(const ActiveContact& contact) const;
  void find_bounds(double h, const MotionState& state);
  void find_velocities(const MotionState& state);
  void apply(TimeSteppingReport& report);
  void certify(TimeSteppingReport& report);
  double momentum_residual();
  void move(double h, MotionState& state);
  void record_work(TimeSteppingReport& report);
  void record_motor_work();
  void keep_pressed(double h);
  void record_impact(std::size_t contact, double t);

  SceneSystem& system_;
  const Model& model_;
  Stepper stepper_;
  std::optional<Stepper> stiff_stepper_;  // of models with springs or dampers in joints
  SearchSpace space_;
  Trees trees_;
  FreeJoints free_joints_;
  InverseMassBlocks blocks_;
  StepContacts contacts_;
  Islands islands_;
  ContactImpulses impulses_;
  KinematicsWorkspace places_;
  DofModes free_modes_;
  std::vector<StepBound> bounds_;
  std::vector<ImpactRecord> impact_records_;
  std::vector<ActiveContact> was_;
  Sleep sleep_;
  std::vector<TreeState> states_;                                  // per tree
  std::vector<double> damping_, stiffness_;  // per independent dof [N m s/rad, N m/rad, ...]
  std::vector<unsigned char> movable_, needed_, pushed_, restless_;  // per tree
  std::vector<double> arrival_;  // per tree: ContactImpulses::arrival, the earliest of a rebound; 0 without one
  std::vector<double> way_, zero_, joint_work_, friction_work_, surface_work_, efforts_, carried_, momentum_size_;
  MotionState free_, before_, after_, end_;
  ResponseWorkspace motors_;  // only with prescribed joints
  InverseDynamicsWorkspace<> inverse_;
  std::vector<Wrench<>> on_bodies_;
  bool any_prescribed_ = false, any_slept_ = false;
};

}  // namespace pintle
