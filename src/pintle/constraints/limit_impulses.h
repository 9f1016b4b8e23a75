// Impacts at joint limits: the velocity jump when dofs reach their position limits.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/box_solver.h"
#include "pintle/constraints/delassus.h"
#include "pintle/constraints/limit_side.h"

namespace pintle {

struct LimitImpulseOptions {
  /// Maximum number of sequential rounds, before dofs that still move into their limits are stopped without a rebound.
  int max_rounds = 32;
  /// Dofs whose motion is prescribed (one flag per independent dof, or none at all): their velocity cannot jump, and
  /// they carry the impulse that this takes. Their limits are ignored.
  std::span<const unsigned char> given{};
};

struct [[nodiscard]] LimitImpulseReport {
  DynamicsReport dynamics{};
  bool converged = true;     ///< of every round
  double residual = 0.0;     ///< the worst of all rounds (BoxReport)
  int pivots = 0;            ///< of all rounds
  int rounds = 0;            ///< sequential rounds; 0 when no dof moves into a joint limit
  bool cut_short = false;    ///< max_rounds was reached (ever smaller rebounds); the last had no rebound
  double energy_lost = 0.0;  ///< [J] dissipated in the joint limits, never negative
  double given_work = 0.0;   ///< [J] of the prescribed dofs: impulse times velocity. Kinetic energy grows by this minus
                             ///< energy_lost

  bool ok() const { return dynamics.ok() && converged; }
};

/// Memory and results of `limit_impulses`.
class LimitImpulseWorkspace {
 public:
  explicit LimitImpulseWorkspace(const Model& model) : LimitImpulseWorkspace(model, static_cast<std::size_t>(model.nv())) {}
  /// For rows of no more than so many dofs (limited_dofs).
  LimitImpulseWorkspace(const Model& model, std::size_t max_dofs);

  std::vector<double> impulses;  ///< [N m s or N s] per independent dof: >= 0 at a lower limit, <= 0 at an upper one
  std::vector<double> work;      ///< [J] likewise: of the joint limits; their sum is -energy_lost
  std::vector<double> given_impulses;  ///< [N m s or N s] likewise: what the prescribed dofs carry

  ResponseWorkspace response;
  ConstraintRows rows;
  DelassusWorkspace delassus;
  BoxWorkspace box;
  std::vector<double> A, b, multipliers;  ///< of the rows
  std::vector<double> target;             ///< of the rows: the minimum velocity away from the joint limit
  std::vector<double> efforts, jump;      ///< of the dofs
  std::vector<double> carried;            ///< likewise: M times the jump
};

/// The velocity after the impacts of the dofs that are at a joint limit (`sides`) and move into it. Each of them
/// rebounds with at least `restitution` (per independent dof, within [0, 1], or none: 0) times its approach speed, v+ =
/// -e v-, and with exactly that where its limit exerts an impulse; a dof that rests at its limit stays there or leaves
/// it. All impacts at one instant are solved simultaneously. A dof that moves away from its limit is not held back; if
/// the impacts drive it into its limit, that is the next round. A dof with equal limits (LimitSide::both) comes to rest
/// first. Joint friction, springs and weight have no impulse.
///
/// Only the work of prescribed dofs can increase the energy: a round dissipates the sum of impulse (1 - e) v- / 2 over
/// its impacts, and a round without rebounds a square. v_after may alias v. Throws UsageError on a size mismatch or a
/// value out of range.  [eq. newton-impact]
LimitImpulseReport limit_impulses(const Model& model, std::span<const double> q, std::span<const double> v,
                                  std::span<const LimitSide> sides, std::span<const double> restitution,
                                  LimitImpulseWorkspace& work, std::span<double> v_after,
                                  const LimitImpulseOptions& options = {});

}  // namespace pintle
