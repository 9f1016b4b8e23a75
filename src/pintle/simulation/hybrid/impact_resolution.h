// ImpactResolution: how velocities jump where contacts collide and joints hit their limits.
//
//   M (v+ - v-) = J^T P,   u = J v;   P_n >= 0,  u_n+ >= 0,  |P_t| <= mu P_n,  friction against the slip
//
// with P_n by a law of restitution: Newton's, Poisson's or Stronge's at one contact, at several contacts simultaneously
// with the largest share of it that gains no energy, or sequentially.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/impact_solver.h"
#include "pintle/constraints/limit_side.h"
#include "pintle/simulation/hybrid/contact_candidates.h"
#include "pintle/simulation/hybrid/delassus_system.h"
#include "pintle/simulation/hybrid/edge_contacts.h"
#include "pintle/simulation/hybrid/impact_records.h"
#include "pintle/simulation/hybrid/mode_change_report.h"

namespace pintle {

class ImpactResolution {
 public:
  /// All of these must outlive this object.
  ImpactResolution(const SceneSystem& system, ContactCandidates& candidates, DelassusSystem& rows, EdgeContacts& edges);

  /// Reserves memory for as many contacts as the rows can hold.
  void make_room();

  /// Resolves the impacts of candidates that approach, and of dofs that move into their limits (`sides`), until
  /// none does. The velocities of `state` jump.  [eq. several-impacts]
  bool resolve(std::span<const LimitSide> sides, MotionState& state, ModeChangeReport& report);

  /// Impact without collision (Painleve): friction presses a sliding candidate together faster than any force could
  /// separate it, until its slip ends. False: no such impulse, or a second one at the same instant.  [eq. point-impact]
  bool resolve_without_collision(std::size_t candidate, MotionState& state, ModeChangeReport& report);

  // Of all impacts since `clear`.
  void clear();
  std::span<const ImpactRecord> records() const { return records_.records(); }
  double worst_residual() const { return records_.worst(); }  ///< of their certificates
  double contact_work() const { return records_.contact_work(); }  ///< [J] along their slips
  std::span<const double> surface_work() const { return records_.surface_work(); }  ///< [J] of moving surfaces
  /// Per dof: the impulse [N m s or N s] of its limits, and the work [J] of these and of prescribed motions.
  std::span<const double> limit_impulses() const { return limit_impulses_; }
  std::span<const double> joint_work() const { return joint_work_; }

 private:
  bool any_approaches(std::span<const LimitSide> sides, const MotionState& state) const;
  void choose(std::span<const LimitSide> sides, const MotionState& state);
  bool assemble(const MotionState& state, ModeChangeReport& report);
  void set_restitution(std::span<const LimitSide> sides, const MotionState& state, bool plastic);
  ImpactReport solve();
  void apply(MotionState& state);
  void find_jump(const MotionState& state);
  ImpactRule rule_of(const ImpactReport& solved) const;
  void record(const ImpactReport& solved, ImpactRule rule, std::span<const LimitSide> sides, const MotionState& state);

  const SceneSystem& system_;
  ContactCandidates& candidates_;
  DelassusSystem& rows_;
  EdgeContacts& edges_;
  ImpactRecords records_;
  ImpactWorkspace impact_;
  std::vector<double> restitution_, friction_;
  std::vector<double> zero_, v_before_, jump_, efforts_, carried_;
  std::vector<double> limit_impulses_, joint_work_;
};

}  // namespace pintle
