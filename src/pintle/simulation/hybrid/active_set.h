// ActiveSet: which contacts stick, slide and open, and which joints are held, solved at acceleration level.
//
//   w = A f + b,   A = J M^-1 J^T,   0 <= w_n  perp  f_n >= 0
//   |f_t| <= mu f_n,  and f_t = -mu f_n w_t/|w_t| where w_t is not 0, or opposite to the slip where there is one
//
// the same for moments of rolling and spinning friction; joint friction and limits within their bounds.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/contact_solver.h"
#include "pintle/constraints/limit_side.h"
#include "pintle/simulation/hybrid/contact_candidates.h"
#include "pintle/simulation/hybrid/delassus_system.h"
#include "pintle/simulation/hybrid/edge_contacts.h"
#include "pintle/simulation/hybrid/impact_resolution.h"
#include "pintle/simulation/hybrid/mode_change_report.h"

namespace pintle {

class ActiveSet {
 public:
  /// All of these must outlive this object.
  ActiveSet(SceneSystem& system, ContactCandidates& candidates, DelassusSystem& rows, EdgeContacts& edges,
            ImpactResolution& impacts);

  /// Reserves memory for as many contacts as the rows can hold.
  void make_room();

  /// After the impacts are resolved, with the speeds they have left: sets the active contacts and the modes of the
  /// system. Dofs are held as `sides` and the friction of the joints allow. `vdot` become the accelerations; the
  /// velocities of `state` jump only where Coulomb's law has no solution but an impact without collision. [eq.
  /// contact-law]
  bool solve(std::span<const LimitSide> sides, MotionState& state, std::span<double> vdot, ModeChangeReport& report);

 private:
  bool solve_with_edges(std::span<const LimitSide> sides, MotionState& state, std::span<double> vdot,
                        ModeChangeReport& report);
  bool solve_modes(std::span<const LimitSide> sides, MotionState& state, std::span<double> vdot,
                   ModeChangeReport& report);
  bool open_all(const MotionState& state, std::span<double> vdot, ModeChangeReport& report);
  bool accelerate(const MotionState& state, std::span<double> vdot, ModeChangeReport& report);
  std::size_t choose(std::span<const LimitSide> sides, const MotionState& state);
  bool assemble(const MotionState& state, std::span<const double> vdot, ModeChangeReport& report);
  void set_friction(std::size_t a);
  ContactReport solve_rows();
  void activate_contacts();
  void activate_turning(std::size_t a, ActiveContact& active) const;
  void activate_joints(std::span<const LimitSide> sides, std::size_t friction_rows);
  enum class Release : unsigned char { none_needed, one, impossible };
  Release release_overloaded();
  bool release_contact();

  SceneSystem& system_;
  ContactCandidates& candidates_;
  DelassusSystem& rows_;
  EdgeContacts& edges_;
  ImpactResolution& impacts_;
  ContactWorkspace solver_;
  std::vector<ContactLaw> laws_;
  std::vector<MomentLaw> turns_;
  std::vector<double> lower_, upper_;  // of the rows of joints
  DofModes modes_;
  std::vector<unsigned char> closed_;        // candidates with a normal speed of zero, not released since
  std::vector<FrictionMarks> breaks_away_;   // candidates that broke away: friction could not hold them
  std::vector<signed char> released_joint_;  // the direction in which a dof is released, 0 if it is not
  std::vector<double> auxiliary_derivative_;
};

}  // namespace pintle
