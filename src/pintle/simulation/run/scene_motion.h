// SceneMotion: a scene in motion, which the parts of a run share: the system, its state and its energy balance.
#pragma once

#include <optional>

#include "pintle/math/number_arrays.h"
#include "pintle/simulation/hybrid/energy_balance.h"
#include "pintle/simulation/hybrid/scene_system.h"
#include "pintle/simulation/integrators/momentum_form.h"
#include "pintle/simulation/scene/scene.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

struct SceneMotion {
  /// `forces` and `all_pairs` as SimulationParts has them.
  SceneMotion(const Scene& of, std::span<ForceElement* const> forces, bool all_pairs);
  SceneMotion(const SceneMotion&) = delete;
  SceneMotion& operator=(const SceneMotion&) = delete;

  /// Back to the initial state, with elements as they were made and an empty energy balance. Modes and contacts are to
  /// be found anew (HybridStepper::start).
  void reset();
  /// After velocities were changed otherwise than by integration.
  void velocities_changed();
  /// Takes out what integration has left of gaps and forbidden speeds.
  void stabilise();

  const RunSpec& run() const { return scene.run(); }
  const Model& model() const { return scene.model(); }

  Scene scene;
  SceneSystem system;
  std::optional<MomentumForm> momentum;  ///< in momentum state
  MotionSystem& integrated;              ///< the system, or its momentum form
  EnergyBalance energy_balance;
  MotionState state;
};

inline bool all_finite(const MotionState& state) {
  return all_finite(state.q, state.v, state.auxiliary);
}

}  // namespace pintle
