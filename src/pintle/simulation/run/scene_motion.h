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

  /// Resets to the initial state, with elements as constructed and an empty energy balance. Modes and contacts must be
  /// found again (HybridStepper::start).
  void reset();
  /// The same from the present t, q and v of the state.
  void restart();
  /// To be called after velocities were changed by anything but integration.
  void velocities_changed();
  /// Projects out the gaps and forbidden velocities that integration has left.
  void stabilise();

  const RunSpec& run() const { return scene.run(); }
  const Model& model() const { return scene.model(); }

  Scene scene;
  SceneSystem system;
  std::optional<MomentumForm> momentum;  ///< with momentum state
  MotionSystem& integrated;              ///< the system, or its momentum form
  EnergyBalance energy_balance;
  MotionState state;
};

inline bool all_finite(const MotionState& state) {
  return all_finite(state.q, state.v, state.auxiliary);
}

}  // namespace pintle
