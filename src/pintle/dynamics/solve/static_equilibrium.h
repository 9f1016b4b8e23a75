// Statics: equilibrium configurations, and the efforts that hold a configuration.
#pragma once

#include <span>

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// The efforts at the independent dofs that hold the mechanism at q against gravity, its springs and the external
/// wrenches. Coulomb friction, which might hold by itself, is ignored. Sizes: q model.nq(), tau model.nv(), else
/// UsageError.  [eq. statics]
void holding_efforts(const Model& model, std::span<const double> q, InverseDynamicsWorkspace<>& work,
                     std::span<double> tau, const DynamicsOptions& options = {});

struct StaticEquilibriumOptions {
  /// Equilibrium: maximum residual of every effort, relative to the sum of its absolute terms.
  double tolerance = 1e-13;
  int max_iterations = 200;  ///< configurations evaluated
  /// A rotation of 1 rad counts as much as a translation of this length [m]. 0: the longest path along the links from a
  /// root joint to a centre of mass, or 1 m where that is zero.
  double length = 0.0;
  double farthest = 1e6;  ///< distance, in lengths, beyond which it counts as running away
  /// Springs and external wrenches. The wrenches are constant in the body frames: they rotate with the bodies.
  DynamicsOptions dynamics{};
};

enum class StaticEquilibriumOutcome : unsigned char {
  balanced,
  runs_away,        ///< it moved farther than options.farthest without an equilibrium: nothing holds it
  iteration_limit,  ///< the iteration had not finished; also for an effort that rotates a joint forever
  stalled,          ///< no step decreases the energy by more than rounding; or a value is not finite
};

/// Stability of an equilibrium.
enum class Stability : unsigned char {
  stable,       ///< the stiffness is positive in every direction
  indifferent,  ///< in some direction it is zero, up to rounding, and in none negative
  unstable,
};

struct StaticEquilibriumReport {
  StaticEquilibriumOutcome outcome = StaticEquilibriumOutcome::iteration_limit;
  Stability stability = Stability::unstable;  ///< meaningful when balanced
  double residual = 0.0;                      ///< the worst residual effort, relative to the sum of its absolute terms
  int iterations = 0;
  /// Per dof the effort [N m or N] of its joint limit: positive at a lower limit, negative at an upper one, else zero.
  /// In the workspace.
  std::span<const double> reactions{};

  bool converged() const { return outcome == StaticEquilibriumOutcome::balanced; }
  bool stable() const { return stability == Stability::stable; }
};

struct StaticEquilibriumMemory;

class StaticEquilibriumWorkspace {
 public:
  explicit StaticEquilibriumWorkspace(const Model& model);
  StaticEquilibriumWorkspace(const StaticEquilibriumWorkspace&) = delete;
  StaticEquilibriumWorkspace& operator=(const StaticEquilibriumWorkspace&) = delete;
  ~StaticEquilibriumWorkspace();

  StaticEquilibriumMemory& memory() { return *memory_; }

 private:
  StaticEquilibriumMemory* memory_;
};

/// Moves q, the start, downhill to an equilibrium under gravity, springs, the efforts tau and the external wrenches,
/// within the joint limits, which may react. Every step goes downhill, so it reaches a stable equilibrium unless it
/// starts exactly at another one. Coulomb friction is ignored. Sizes: q model.nq(), tau model.nv(), else UsageError;
/// likewise for non-finite values.
///
/// Constant efforts of spherical and free joints, and external wrenches that rotate with their bodies, have no
/// potential; there "stable" refers to the symmetric part of the stiffness: no small displacement extracts work from
/// them.  [eq. statics]
StaticEquilibriumReport static_equilibrium(const Model& model, std::span<const double> tau, std::span<double> q,
                                           StaticEquilibriumWorkspace& work,
                                           const StaticEquilibriumOptions& options = {});

}  // namespace pintle
