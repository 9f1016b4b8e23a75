// Impact on joint stops: how a velocity jumps when freedoms meet their position limits.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/box_solver.h"
#include "pintle/constraints/delassus.h"
#include "pintle/constraints/stop_side.h"

namespace pintle {

struct StopImpulseOptions {
  /// Blows in turn, before whatever still moves into its stop is stopped without a rebound.
  int max_rounds = 32;
  /// Freedoms (one mark per independent freedom, or none at all) whose motion is given: their velocity cannot jump, and
  /// they carry whatever impulse that takes. They do not meet their stops.
  std::span<const unsigned char> given{};
};

struct [[nodiscard]] StopImpulseReport {
  DynamicsReport dynamics{};
  bool converged = true;     ///< of every round
  double residual = 0.0;     ///< the worst of all rounds (BoxReport)
  int pivots = 0;            ///< of all rounds
  int rounds = 0;            ///< blows in turn; 0 when nothing moves into a stop
  bool cut_short = false;    ///< the rounds ran out (as in a play of ever smaller rebounds); the last had no rebound
  double energy_lost = 0.0;  ///< [J] in the stops, never negative
  double given_work = 0.0;   ///< [J] of the given freedoms: impulse times velocity. Kinetic energy grows by this less
                             ///< energy_lost

  bool ok() const { return dynamics.ok() && converged; }
};

/// Memory and results of `stop_impulses`.
class StopImpulseWorkspace {
 public:
  explicit StopImpulseWorkspace(const Model& model);

  std::vector<double> impulses;  ///< [N m s or N s] per independent freedom: >= 0 of a lower stop, <= 0 of an upper one
  std::vector<double> work;      ///< [J] likewise: of the stops; their sum is -energy_lost
  std::vector<double> given_impulses;  ///< [N m s or N s] likewise: what the given freedoms carry

  ResponseWorkspace response;
  ConstraintRows rows;
  DelassusWorkspace delassus;
  BoxWorkspace box;
  std::vector<double> A, b, multipliers;  ///< of the rows
  std::vector<double> target;             ///< of the rows: the least velocity away from the stop
  std::vector<double> efforts, jump;      ///< of the freedoms
  std::vector<double> carried;            ///< likewise: M times the jump
};

/// The velocity after the freedoms that stand at a stop (`sides`) and move into it have met it. Each of them rebounds
/// with at least `restitution` (per independent freedom, within [0, 1], or none: 0) times the speed it came with, v+ =
/// -e v-, and with exactly that where its stop gives an impulse; a freedom that rests at its stop stays there or leaves
/// it. All blows at one instant are found together. A freedom that is moving away from its stop is not held back; if
/// the blows throw it into its stop, that is the next round. A freedom without play (StopSide::both) comes to rest
/// first. Joint friction, springs and weight do nothing in no time.
///
/// Energy never grows but by the work of given freedoms: a round loses the sum of impulse (1 - e) v- / 2 over its
/// blows, and a round without rebounds a square. v_after may be v. Sizes and ranges must fit, else UsageError. [eq.
/// newton-impact]
StopImpulseReport stop_impulses(const Model& model, std::span<const double> q, std::span<const double> v,
                                std::span<const StopSide> sides, std::span<const double> restitution,
                                StopImpulseWorkspace& work, std::span<double> v_after,
                                const StopImpulseOptions& options = {});

}  // namespace pintle
