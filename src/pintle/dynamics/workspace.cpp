#include "pintle/dynamics/workspace.h"

#include "pintle/base/usage_error.h"

namespace pintle {

ModelSizes::ModelSizes(const Model& of)
    : model(of.serial()),
      links(of.links().size()),
      bodies(of.bodies().size()),
      couplings(of.couplings().size()),
      joint_nq(of.q_sources().size()),
      joint_nv(of.v_sources().size()),
      nv(static_cast<std::size_t>(of.nv())) {}

bool ModelSizes::operator==(const ModelSizes& other) const {
  return model == other.model || (links == other.links && bodies == other.bodies && couplings == other.couplings &&
                                  joint_nq == other.joint_nq && joint_nv == other.joint_nv && nv == other.nv);
}

void require_fit(const char* function, const ModelSizes& made_for, const Model& model) {
  if (made_for.model == model.serial()) return;
  require(made_for == ModelSizes(model), function, "work", "it was made for another model");
}

}  // namespace pintle
