#include "pintle/dynamics/workspace.h"

#include <cstdint>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/kernels/kernels.h"
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

bool ModelSizes::operator==(const ModelSizes& other) const {
  return model == other.model || (links == other.links && bodies == other.bodies && couplings == other.couplings &&
                                  joint_nq == other.joint_nq && joint_nv == other.joint_nv && nv == other.nv);
}

void require_same_sizes(const char* function, const ModelSizes& made_for, const Model& model) {
  require(made_for == ModelSizes(model), function, "work", "it was made for another model");
}

PlannedWorkspace::PlannedWorkspace(const Model& of, bool used)
    : model(of),
      out(used ? of.v_sources().size() : 0),
      asked_(used ? of.q_sources().size() + 2 * out.size() : 0),
      memory_(used ? planned_kernels_in_use().one.bytes(of.plan().view<double>()) : 0) {}

void PlannedWorkspace::take(const char* function, const Model& of) {
  require(planned_kernels_in_use().one.bytes(of.plan().view<double>()) <= memory_.size(), function, "work",
          "it was made for another model");
  model = of;
}

bool PlannedWorkspace::remember(const double* with_q, const double* with_v, const double* with_x) {
  pending = true;
  const std::size_t nv = out.size();
  return planned_kernels_in_use().keep(with_q, asked_.size() - 2 * nv, with_v, with_x, nv, asked_.data());
}

void fill_buffers(InverseDynamicsWorkspace<double>& work) {
  PlannedWorkspace& asked = work.planned;
  asked.pending = false;
  dynamics_kernels_in_use().inverse_dynamics(asked.model.tree(), asked.q(), asked.v(), asked.x(), nullptr, work.view(),
                                             asked.out.data());
}

void fill_buffers(ForwardDynamicsWorkspace<double>& work) {
  PlannedWorkspace& asked = work.planned;
  asked.pending = false;
  dynamics_kernels_in_use().forward_dynamics(asked.model.tree(), asked.q(), asked.v(), asked.x(), nullptr, nullptr,
                                             work.view(), asked.out.data());
}

}  // namespace pintle
