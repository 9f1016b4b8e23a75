// TimeStepping: short steps over spans in which events have no end: contacts that chatter, creep and wedge each other.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/contact_rows.h"
#include "pintle/constraints/contact_solver.h"
#include "pintle/dynamics/solve/search_space.h"
#include "pintle/simulation/hybrid/scene_system.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

struct [[nodiscard]] TimeSteppingReport {
  bool ok = true;
  int joint = -1;             ///< that moves no inertia
  double residual = 0.0;      ///< ContactReport, of the laws over the step
  double contact_work = 0.0;  ///< [J] along their slips, without that of the projection
};

/// Steps in which all contacts, joint limits and friction act simultaneously through their impulses over the step.
/// Coulomb's law holds for the velocities at its end; nothing rebounds, and events inside the step are not located. For
/// spans in which an exact solution has no end of events: the error is of the order of the step, and impulses gain no
/// energy. Where not even Coulomb's law over the step is solved, the residual says how far it is violated.
/// [eq. time-stepping]
class TimeStepping {
 public:
  explicit TimeStepping(SceneSystem& system);

  /// One step of a length [s]. The active contacts of the system become those that carried an impulse.
  TimeSteppingReport step(double length, MotionState& state);

  /// After `step`: the velocities before and after the impulses, at the positions of its start.
  const MotionState& free() const { return free_; }
  const MotionState& hit() const { return hit_; }
  /// The end of the step, if positions followed the mean of the velocities at its ends, as energy does: what the state
  /// differs from it is the projection by which contacts and limits close at the end of the step.
  const MotionState& mean() const { return mean_; }
  /// Work [J] of joint limits and friction on each dof.
  std::span<const double> joint_work() const { return joint_work_; }
  /// Work [J] of each account of moving surfaces.
  std::span<const double> surface_work() const { return surface_work_; }

 private:
  /// A point that may touch within the step.
  struct Candidate {
    ActiveContact contact;
    ContactFrame touch;
    double gap = 0.0;  // [m]
  };

  bool release(const MotionState& state, TimeSteppingReport& report);
  void find_candidates(double length);
  void find_limit_rows(const MotionState& state, double length);
  void make_room();
  bool solve(double length, TimeSteppingReport& report);
  bool solve_rows(TimeSteppingReport& report);
  bool gains_energy() const;
  void find_start_speeds(const MotionState& state);
  void apply(const MotionState& state, TimeSteppingReport& report);
  void record_motor_work(const MotionState& state);
  bool move(double length, MotionState& state);
  void keep_pressed(double length);
  void keep_turning(std::size_t c, double length, ActiveContact& contact) const;

  SceneSystem& system_;
  SearchSpace space_;
  KinematicsWorkspace places_;
  ContactRowsWorkspace rows_;
  ResponseWorkspace response_;
  ContactWorkspace solver_;
  DofModes free_modes_;
  std::vector<Candidate> candidates_;
  std::size_t room_ = 0;
  std::vector<ContactFrame> touches_;
  std::vector<double> surface_work_;
  std::vector<DofRow> limit_rows_;
  std::vector<ContactLaw> laws_;
  std::vector<MomentLaw> turns_;
  std::vector<double> A_, b_, P_, lower_, upper_, vdot_, auxiliary_derivative_, jump_, way_, joint_work_, zero_;
  std::vector<double> efforts_, carried_;
  std::vector<double> closing_, start_;  // per row: gap/length [m/s]; its speed at the start of the step
  MotionState free_, hit_, mean_;
};

}  // namespace pintle
