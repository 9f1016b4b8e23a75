// Forward dynamics with stiction and joint limits.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/box_solver.h"
#include "pintle/constraints/delassus.h"
#include "pintle/constraints/limit_side.h"
#include "pintle/dynamics/options.h"

namespace pintle {

/// The maximum Coulomb friction at each independent dof [N m or N], nv values, else UsageError: its own plus |ratio|
/// times that of each joint coupled to it.  [eq. joint-friction]
void friction_limits(const Model& model, std::span<double> limits);

/// Constraints that may be active; one flag per independent dof, or none at all.
struct JointConstraints {
  /// Nonzero: the dof may stick. Effective only at rest, where v = 0 exactly; a moving dof slides, and the passive
  /// efforts include its friction already. Without options.passive there is no friction; options.friction concerns
  /// sliding only and has no effect here.
  std::span<const unsigned char> sticks{};
  /// The joint limit that the dof is at. Effective unless the dof moves away from it.
  std::span<const LimitSide> limits{};
  /// Nonzero: the motion of the dof is prescribed. Its vdot is an input, its tau is ignored, and the effort that it
  /// needs is an output. It neither sticks nor rests at a joint limit, whatever the other flags say.
  std::span<const unsigned char> given{};
};

enum class FrictionState : unsigned char {
  none,         ///< no effective flag, or no friction
  sticks,       ///< vdot = 0 exactly
  breaks_away,  ///< it starts to slide; friction is at its maximum
};

enum class LimitState : unsigned char {
  none,    ///< no effective flag
  rests,   ///< vdot = 0 exactly; the effort of the joint limit may be zero
  leaves,  ///< it starts to move away from the joint limit
};

struct [[nodiscard]] ConstrainedReport {
  DynamicsReport dynamics{};
  BoxReport box{};  ///< its rows are those of the workspace

  bool ok() const { return dynamics.ok() && box.converged; }
};

/// Memory and results of `constrained_dynamics`.
class ConstrainedDynamicsWorkspace {
 public:
  explicit ConstrainedDynamicsWorkspace(const Model& model) : ConstrainedDynamicsWorkspace(model, static_cast<std::size_t>(model.nv())) {}
  /// For rows of no more than so many dofs (limited_dofs).
  ConstrainedDynamicsWorkspace(const Model& model, std::size_t max_dofs);

  std::vector<double> friction;  ///< [N m or N] of the dofs that stick or break away, per independent dof
  std::vector<double> limit;  ///< [N m or N] of the joint limits, likewise: >= 0 at a lower one, <= 0 at an upper one
  std::vector<double> given_effort;  ///< [N m or N] that the prescribed dofs need, likewise; as tau of hybrid_dynamics
  std::vector<FrictionState> friction_state;
  std::vector<LimitState> limit_state;

  ForwardDynamicsWorkspace<> forward;
  ResponseWorkspace response;
  ConstraintRows rows;          ///< friction rows first, then limit rows
  std::size_t friction_rows{};  ///< number of friction rows
  DelassusWorkspace delassus;
  BoxWorkspace box;
  std::vector<double> limits;  ///< of friction, per independent dof
  std::vector<double> A, b, multipliers, efforts;
};

/// forward_dynamics with an unknown effort within +-friction at every dof that may stick, and one that pushes away from
/// the joint limit at every dof that is at one. A dof sticks if its friction can hold it, else it slides against its
/// maximum friction; a joint limit stays active or opens. All are solved simultaneously. Where a dof both sticks and
/// rests at a joint limit, only the sum of the two efforts is determined; solve_box shares it between them. Prescribed
/// dofs keep their vdot exactly. Sizes as in forward_dynamics, else UsageError.  [eq. joint-friction] [eq. joint-limit]
ConstrainedReport constrained_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                       std::span<const double> tau, const JointConstraints& holds,
                                       ConstrainedDynamicsWorkspace& work, std::span<double> vdot,
                                       const DynamicsOptions& options = {});

}  // namespace pintle
