#include "pintle/dynamics/workspace.h"

#include "pintle/base/usage_error.h"

namespace pintle {

ModelSizes::ModelSizes(const Model& model)
    : links(model.links().size()),
      bodies(model.bodies().size()),
      couplings(model.couplings().size()),
      joint_nq(model.q_sources().size()),
      joint_nv(model.v_sources().size()),
      nv(static_cast<std::size_t>(model.nv())) {}

void require_fit(const char* function, const ModelSizes& made_for, const Model& model) {
  require(made_for == ModelSizes(model), function, "work", "it was made for another model");
}

}  // namespace pintle
