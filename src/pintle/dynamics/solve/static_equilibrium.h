// Statics: where a mechanism comes to rest, and what holds it where it is.
#pragma once

#include <span>

#include "pintle/dynamics/options.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// The efforts at the independent dofs that hold the mechanism at q against gravity, its springs and the external
/// wrenches. Coulomb friction, which might hold by itself, counts for nothing. Sizes: q model.nq(), tau model.nv(),
/// else UsageError.  [eq. statics]
void holding_efforts(const Model& model, std::span<const double> q, InverseDynamicsWorkspace<>& work,
                     std::span<double> tau, const DynamicsOptions& options = {});

struct StaticEquilibriumOptions {
  /// In balance: what is left of every effort, against the sum of the absolute terms it is made of.
  double tolerance = 1e-13;
  int max_iterations = 200;  ///< configurations looked at
  /// A rotation of 1 rad counts as much as a translation of this length [m]. 0: the longest way along the links from a
  /// root joint to a centre of mass, or 1 m where that is zero.
  double length = 0.0;
  double farthest = 1e6;  ///< lengths it may move before it counts as running away
  /// Springs and external wrenches. The wrenches keep to their frames: they turn with the bodies.
  DynamicsOptions dynamics{};
};

enum class StaticEquilibriumOutcome : unsigned char {
  balanced,
  runs_away,        ///< it moved further than options.farthest without finding a balance: nothing holds it
  iteration_limit,  ///< it was still on its way; an effort that turns a joint for ever ends here too
  stalled,          ///< no step does work downhill that is more than rounding; or a number is not finite
};

/// What a small push does at a balance.
enum class Stability : unsigned char {
  stable,       ///< the stiffness is positive in every direction
  indifferent,  ///< in some direction it is zero, up to rounding, and nowhere negative
  unstable,
};

struct StaticEquilibriumReport {
  StaticEquilibriumOutcome outcome = StaticEquilibriumOutcome::iteration_limit;
  Stability stability = Stability::unstable;  ///< meaningful when balanced
  double residual = 0.0;                      ///< the worst effort left, against the sum of its absolute terms
  int iterations = 0;
  /// Per dof the effort [N m or N] that its stop gives: positive at a lower limit, negative at an upper one, else
  /// zero. In the workspace.
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

/// Moves q, the start, downhill to where the mechanism rests under gravity, its springs, the efforts tau and the
/// external wrenches, within its joint limits, whose stops push back. Every step goes downhill, so it comes to a stable
/// balance unless it starts at another one exactly. Coulomb friction counts for nothing. Sizes: q model.nq(), tau
/// model.nv(), else UsageError; likewise for numbers that are not finite.
///
/// Constant efforts of spherical and free joints, and external wrenches that turn with their bodies, have no potential;
/// there "stable" is about the symmetric part of the stiffness: no small displacement takes work out of them.
/// [eq. statics]
StaticEquilibriumReport static_equilibrium(const Model& model, std::span<const double> tau, std::span<double> q,
                                           StaticEquilibriumWorkspace& work,
                                           const StaticEquilibriumOptions& options = {});

}  // namespace pintle
