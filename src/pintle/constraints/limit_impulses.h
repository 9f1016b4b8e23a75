// Impact on joint limits: how a velocity jumps when dofs meet their position limits.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/box_solver.h"
#include "pintle/constraints/delassus.h"
#include "pintle/constraints/limit_side.h"

namespace pintle {

struct LimitImpulseOptions {
  /// Impacts in turn, before whatever still moves into its limit is stopped without a rebound.
  int max_rounds = 32;
  /// Dofs (one mark per independent dof, or none at all) whose motion is given: their velocity cannot jump, and
  /// they carry whatever impulse that takes. They do not meet their limits.
  std::span<const unsigned char> given{};
};

struct [[nodiscard]] LimitImpulseReport {
  DynamicsReport dynamics{};
  bool converged = true;     ///< of every round
  double residual = 0.0;     ///< the worst of all rounds (BoxReport)
  int pivots = 0;            ///< of all rounds
  int rounds = 0;            ///< impacts in turn; 0 when nothing moves into a joint limit
  bool cut_short = false;    ///< the rounds ran out (as in a play of ever smaller rebounds); the last had no rebound
  double energy_lost = 0.0;  ///< [J] in the joint limits, never negative
  double given_work = 0.0;   ///< [J] of the given dofs: impulse times velocity. Kinetic energy grows by this less
                             ///< energy_lost

  bool ok() const { return dynamics.ok() && converged; }
};

/// Memory and results of `limit_impulses`.
class LimitImpulseWorkspace {
 public:
  explicit LimitImpulseWorkspace(const Model& model);

  std::vector<double> impulses;  ///< [N m s or N s] per independent dof: >= 0 of a lower limit, <= 0 of an upper one
  std::vector<double> work;      ///< [J] likewise: of the joint limits; their sum is -energy_lost
  std::vector<double> given_impulses;  ///< [N m s or N s] likewise: what the given dofs carry

  ResponseWorkspace response;
  ConstraintRows rows;
  DelassusWorkspace delassus;
  BoxWorkspace box;
  std::vector<double> A, b, multipliers;  ///< of the rows
  std::vector<double> target;             ///< of the rows: the least velocity away from the joint limit
  std::vector<double> efforts, jump;      ///< of the dofs
  std::vector<double> carried;            ///< likewise: M times the jump
};

/// The velocity after the dofs that stand at a joint limit (`sides`) and move into it have met it. Each of them
/// rebounds with at least `restitution` (per independent dof, within [0, 1], or none: 0) times the speed it came with,
/// v+ = -e v-, and with exactly that where its limit gives an impulse; a dof that rests at its limit stays there or
/// leaves it. All impacts at one instant are found together. A dof that is moving away from its limit is not held back;
/// if the impacts throw it into its limit, that is the next round. A dof without play (LimitSide::both) comes to rest
/// first. Joint friction, springs and weight do nothing in no time.
///
/// Energy never grows but by the work of given dofs: a round loses the sum of impulse (1 - e) v- / 2 over its
/// impacts, and a round without rebounds a square. v_after may be v. Sizes and ranges must fit, else UsageError. [eq.
/// newton-impact]
LimitImpulseReport limit_impulses(const Model& model, std::span<const double> q, std::span<const double> v,
                                  std::span<const LimitSide> sides, std::span<const double> restitution,
                                  LimitImpulseWorkspace& work, std::span<double> v_after,
                                  const LimitImpulseOptions& options = {});

}  // namespace pintle
