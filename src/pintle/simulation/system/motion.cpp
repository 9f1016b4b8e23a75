#include "pintle/simulation/system/motion.h"

#include "pintle/model/compiled/configuration.h"

namespace pintle {

MotionState neutral_state(const MotionSystem& system) {
  const Model& model = system.model();
  MotionState state;
  state.q.resize(static_cast<std::size_t>(model.nq()));
  state.v.resize(static_cast<std::size_t>(model.nv()));
  state.auxiliary.resize(static_cast<std::size_t>(system.auxiliary_count()));
  neutral(model, state.q);
  return state;
}

}  // namespace pintle
