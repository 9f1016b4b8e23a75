// ModeChange: the mode transition at an instant when a dof reaches a joint limit, comes to rest or breaks away: first
// the impacts, then the active set, which says what sticks, slides, rests at a limit or separates, solved
// simultaneously.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/constrained_dynamics.h"
#include "pintle/constraints/limit_impulses.h"
#include "pintle/simulation/hybrid/active_set.h"
#include "pintle/simulation/hybrid/contact_candidates.h"
#include "pintle/simulation/hybrid/delassus_system.h"
#include "pintle/simulation/hybrid/edge_contacts.h"
#include "pintle/simulation/hybrid/impact_resolution.h"
#include "pintle/simulation/hybrid/mode_change_report.h"
#include "pintle/simulation/hybrid/scene_system.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

/// The guard of a dof at the instant of a transition, besides its position and velocity.
enum class Guard : unsigned char {
  none,
  rest,  ///< it slid and has come to rest: its remaining velocity is rounding
};

class ModeChange {
 public:
  explicit ModeChange(SceneSystem& system);
  ModeChange(const ModeChange&) = delete;
  ModeChange& operator=(const ModeChange&) = delete;

  /// Changes the velocities of `state` and the modes of the system. Dofs that are at a limit or beyond are put on it.
  /// [eq. newton-impact] [eq. joint-friction] [eq. joint-limit] `contact_rests`: for each active contact what has come
  /// to rest, or empty.
  ModeChangeReport apply(std::span<const Guard> causes, std::span<const FrictionMarks> contact_rests,
                         MotionState& state);

  /// The work [J] at each dof in the last impact, of joint limits and of prescribed motions; and the impulse [N m s or
  /// N s] of its limit.
  std::span<const double> impact_work() const { return impact_work_; }
  std::span<const double> impulses() const { return impulses_; }

  /// The impacts between bodies in the last transition, and their total work [J].
  std::span<const ImpactRecord> impacts() const { return contact_impacts_.records(); }
  double worst_residual() const { return contact_impacts_.worst_residual(); }  ///< of their certificates
  double contact_work() const { return contact_impacts_.contact_work(); }
  std::span<const double> surface_work() const { return contact_impacts_.surface_work(); }
  /// The index of each independent dof in q, -1 if it has no scalar position.
  std::span<const int> q_number() const { return space_.q_number; }

 private:
  void arrive(std::span<const Guard> causes, MotionState& state);
  void limit_rests(std::span<const FrictionMarks> contact_rests, MotionState& state);
  void collect_contacts(std::span<const FrictionMarks> contact_rests, const MotionState& state);
  ModeChangeReport apply_with_contacts(std::span<const FrictionMarks> contact_rests, MotionState& state);
  bool hit(std::span<const LimitSide> sides, MotionState& state, ModeChangeReport& report);
  bool solve_active_set(const MotionState& state, ModeChangeReport& report);
  bool solve(const MotionState& state, ModeChangeReport& report);
  bool release_overloaded();
  bool end_short_moves(const MotionState& state);

  SceneSystem& system_;
  SearchSpace space_;
  DofModes modes_;
  std::vector<LimitSide> sides_;  // the limit that each dof is at
  std::vector<LimitSide> shut_;   // likewise, both where it shall come to rest
  std::vector<LimitSide> carry_;  // likewise, without the joint limits that are being left
  std::vector<unsigned char> sticks_;
  std::vector<signed char> released_;  // the direction in which a dof is released, 0 if it is not
  std::vector<double> v_before_, vdot_, auxiliary_derivative_, impact_work_, impulses_;
  LimitImpulseWorkspace impact_;
  ConstrainedDynamicsWorkspace hold_;
  // If bodies may touch:
  ContactCandidates candidates_;
  DelassusSystem rows_;
  EdgeContacts edges_;
  ImpactResolution contact_impacts_;
  ActiveSet active_set_;
};

}  // namespace pintle
