#include "pintle/simulation/run/scene_motion.h"

#include <utility>

#include "pintle/base/size.h"

namespace pintle {
namespace {

std::optional<MomentumForm> momentum_form(const Scene& scene, SceneSystem& system) {
  if (!scene.run().momentum_state) return std::nullopt;
  return std::optional<MomentumForm>(std::in_place, system, scene.run().momentum_point);
}

}  // namespace

SceneMotion::SceneMotion(const Scene& of, std::span<ForceElement* const> forces, bool all_pairs)
    : scene(of),
      system(of, forces, all_pairs),
      momentum(momentum_form(of, system)),
      integrated(momentum ? static_cast<MotionSystem&>(*momentum) : system),
      energy_balance(system),
      state(neutral_state(integrated)) {}

void SceneMotion::reset() {
  state.t = run().t0;
  state.q.assign(scene.initial_q().begin(), scene.initial_q().end());
  state.v.assign(scene.initial_v().begin(), scene.initial_v().end());
  restart();
}

void SceneMotion::restart() {
  for (double& number : state.auxiliary) number = 0.0;
  system.prescribe(state.t, state.q, state.v, state.auxiliary);
  velocities_changed();
  system.set_modes(DofModes(size(model().nv())));
  system.reset_elements(instant(state));
  system.choose_sides(instant(state));
  energy_balance.open(state);
}

void SceneMotion::velocities_changed() {
  if (momentum) momentum->take_momentum(state);
}

void SceneMotion::stabilise() {
  system.stabilise_contacts(state);
  velocities_changed();
}

}  // namespace pintle
