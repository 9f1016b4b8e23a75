#include "pintle/dynamics/workspace.h"

#include <cstdint>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/kernels/planned_kernels.h"

namespace pintle {

ModelSizes::ModelSizes(const Model& of)
    : model(of.serial()),
      links(of.links().size()),
      bodies(of.bodies().size()),
      couplings(of.couplings().size()),
      joint_nq(of.q_sources().size()),
      joint_nv(of.v_sources().size()),
      nv(static_cast<std::size_t>(of.nv())) {}

bool ModelSizes::has_same(const ModelSizes& other) const {
  return links == other.links && bodies == other.bodies && couplings == other.couplings && joint_nq == other.joint_nq &&
         joint_nv == other.joint_nv && nv == other.nv;
}

void require_same_sizes(const char* function, const ModelSizes& made_for, const Model& model) {
  require(made_for == ModelSizes(model), function, "work", "it was made for another model");
}

PlannedWorkspace::PlannedWorkspace(const Model& of, bool used)
    : q(used ? of.q_sources().size() : 0),
      serial_(of.serial()),
      joint_nv_(of.v_sources().size()),
      memory_(used ? planned_kernels_in_use().one.bytes(of.plan().view<double>()) : 0) {}

void PlannedWorkspace::take(const char* function, const Model& of) {
  require(planned_kernels_in_use().one.bytes(of.plan().view<double>()) <= memory_.size(), function, "work",
          "it was made for another model");
  serial_ = of.serial();
}

bool PlannedWorkspace::keep(const double* with_q, const double* with_v, const double* with_x) {
  return planned_kernels_in_use().keep(with_q, q.size(), with_v, with_x, joint_nv_, q.data());
}

}  // namespace pintle
