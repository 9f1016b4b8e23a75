// Forward dynamics with joints that stick and stops that carry.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/box_solver.h"
#include "pintle/constraints/delassus.h"
#include "pintle/constraints/stop_side.h"
#include "pintle/dynamics/options.h"

namespace pintle {

/// The most that the Coulomb friction of the joints holds at each independent freedom [N m or N], nv numbers, else
/// UsageError: its own, and |ratio| times that of each joint coupled to it.  [eq. joint-friction]
void friction_limits(const Model& model, std::span<double> limits);

/// What may hold a freedom; one mark per independent freedom, or none at all.
struct JointHolds {
  /// Not zero: the freedom may stick. Counts where it is at rest, v = 0 to the bit; where it moves it slides, and the
  /// passive efforts have its friction already. Without options.passive there is no friction; options.friction is about
  /// what slides and does not matter here.
  std::span<const unsigned char> sticks{};
  /// The limit at which the freedom stands. Counts unless it is moving away from it.
  std::span<const StopSide> stops{};
  /// Not zero: the freedom moves as given. Its vdot is read, its tau is not, and the effort it needs is found. It
  /// neither sticks nor rests at a stop, whatever the other marks say.
  std::span<const unsigned char> given{};
};

enum class FrictionState : unsigned char {
  none,         ///< no mark that counts, or no friction
  sticks,       ///< vdot = 0 to the bit
  breaks_away,  ///< it starts to slide against its full friction
};

enum class StopState : unsigned char {
  none,    ///< no mark that counts
  rests,   ///< vdot = 0 to the bit; the stop may carry nothing
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

  std::vector<double> friction;      ///< [N m or N] of the freedoms that stick or break away, per independent freedom
  std::vector<double> stop;          ///< [N m or N] of the stops, likewise: >= 0 at a lower one, <= 0 at an upper one
  std::vector<double> given_effort;  ///< [N m or N] that the given freedoms need, likewise; as tau of hybrid_dynamics
  std::vector<FrictionState> friction_state;
  std::vector<StopState> stop_state;

  ForwardDynamicsWorkspace<> forward;
  ResponseWorkspace response;
  ConstraintRows rows;          ///< friction first, then stops
  std::size_t friction_rows{};  ///< how many of them are of friction
  DelassusWorkspace delassus;
  BoxWorkspace box;
  std::vector<double> limits;  ///< of friction, per independent freedom
  std::vector<double> A, b, multipliers, efforts;
};

/// forward_dynamics with an unknown effort within +-friction at every freedom that may stick, and one that pushes away
/// from the stop at every freedom that stands at one. A freedom sticks if its friction can hold it, else it slides
/// against all of it; a stop carries or is left. All are found together. Where a freedom both sticks and rests at a
/// stop, mechanics knows the sum of the two efforts only; they share it as solve_box says. Given freedoms keep their
/// vdot to the bit. Sizes as in forward_dynamics, else UsageError.  [eq. joint-friction] [eq. joint-stop]
ConstrainedReport constrained_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                       std::span<const double> tau, const JointHolds& holds,
                                       ConstrainedDynamicsWorkspace& work, std::span<double> vdot,
                                       const DynamicsOptions& options = {});

}  // namespace pintle
