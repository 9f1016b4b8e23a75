// Forward dynamics with joints that stick and stops that carry.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/box_solver.h"
#include "pintle/constraints/delassus.h"
#include "pintle/constraints/limit_side.h"
#include "pintle/dynamics/options.h"

namespace pintle {

/// The most that the Coulomb friction of the joints holds at each independent dof [N m or N], nv numbers, else
/// UsageError: its own, and |ratio| times that of each joint coupled to it.  [eq. joint-friction]
void friction_limits(const Model& model, std::span<double> limits);

/// What may hold a dof; one mark per independent dof, or none at all.
struct JointConstraints {
  /// Not zero: the dof may stick. Counts where it is at rest, v = 0 to the bit; where it moves it slides, and the
  /// passive efforts have its friction already. Without options.passive there is no friction; options.friction is about
  /// what slides and does not matter here.
  std::span<const unsigned char> sticks{};
  /// The limit at which the dof stands. Counts unless it is moving away from it.
  std::span<const LimitSide> limits{};
  /// Not zero: the dof moves as given. Its vdot is read, its tau is not, and the effort it needs is found. It
  /// neither sticks nor rests at a joint limit, whatever the other marks say.
  std::span<const unsigned char> given{};
};

enum class FrictionState : unsigned char {
  none,         ///< no mark that counts, or no friction
  sticks,       ///< vdot = 0 to the bit
  breaks_away,  ///< it starts to slide against its full friction
};

enum class LimitState : unsigned char {
  none,    ///< no mark that counts
  rests,   ///< vdot = 0 to the bit; the joint limit may carry nothing
  leaves,  ///< it starts to move away
};

struct [[nodiscard]] ConstrainedReport {
  DynamicsReport dynamics{};
  BoxReport box{};  ///< its rows: those of the workspace

  bool ok() const { return dynamics.ok() && box.converged; }
};

/// Memory and results of `constrained_dynamics`.
class ConstrainedDynamicsWorkspace {
 public:
  explicit ConstrainedDynamicsWorkspace(const Model& model);

  std::vector<double> friction;  ///< [N m or N] of the dofs that stick or break away, per independent dof
  std::vector<double> limit;  ///< [N m or N] of the joint limits, likewise: >= 0 at a lower one, <= 0 at an upper one
  std::vector<double> given_effort;  ///< [N m or N] that the given dofs need, likewise; as tau of hybrid_dynamics
  std::vector<FrictionState> friction_state;
  std::vector<LimitState> limit_state;

  ForwardDynamicsWorkspace<> forward;
  ResponseWorkspace response;
  ConstraintRows rows;          ///< friction first, then stops
  std::size_t friction_rows{};  ///< how many of them are of friction
  DelassusWorkspace delassus;
  BoxWorkspace box;
  std::vector<double> limits;  ///< of friction, per independent dof
  std::vector<double> A, b, multipliers, efforts;
};

/// forward_dynamics with an unknown effort within +-friction at every dof that may stick, and one that pushes away
/// from the joint limit at every dof that stands at one. A dof sticks if its friction can hold it, else it slides
/// against all of it; a joint limit carries or is left. All are found together. Where a dof both sticks and rests at a
/// stop, mechanics knows the sum of the two efforts only; they share it as solve_box says. Given dofs keep their
/// vdot to the bit. Sizes as in forward_dynamics, else UsageError.  [eq. joint-friction] [eq. joint-limit]
ConstrainedReport constrained_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                       std::span<const double> tau, const JointConstraints& holds,
                                       ConstrainedDynamicsWorkspace& work, std::span<double> vdot,
                                       const DynamicsOptions& options = {});

}  // namespace pintle
