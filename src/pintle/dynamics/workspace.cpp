#include "pintle/dynamics/workspace.h"

#include <cstdint>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/kernels.h"
#include "pintle/dynamics/planned_kernels.h"
#include "pintle/math/number_arrays.h"

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

std::byte* KernelMemory::data() {
  return bytes_.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes_.data()) % 64) % 64;
}

PlannedWorkspace::PlannedWorkspace(const Model& of, bool used)
    : model(of),
      q(used ? of.q_sources().size() : 0),
      v(used ? of.v_sources().size() : 0),
      x(v.size()),
      out(v.size()),
      memory_(used ? planned_kernels_in_use().one.bytes(of.plan().view<double>()) + 64 : 0) {}

std::byte* PlannedWorkspace::memory() {
  return memory_.data() + (64 - reinterpret_cast<std::uintptr_t>(memory_.data()) % 64) % 64;
}

bool PlannedWorkspace::remember(const Model& of, const double* with_q, const double* with_v, const double* with_x) {
  if (of.serial() != model.serial()) model = of;
  const auto copy = [](const double* from, Buffer<double>& to) {
    return copy_finite(from, {to.data(), to.size()});
  };
  const bool q_finite = copy(with_q, q), v_finite = copy(with_v, v), x_finite = copy(with_x, x);
  pending = true;
  return q_finite && v_finite && x_finite;
}

void fill_buffers(InverseDynamicsWorkspace<double>& work) {
  PlannedWorkspace& asked = work.planned;
  asked.pending = false;
  dynamics_kernels_in_use().inverse_dynamics(asked.model.tree(), asked.q.data(), asked.v.data(), asked.x.data(),
                                             nullptr, work.view(), asked.out.data());
}

void fill_buffers(ForwardDynamicsWorkspace<double>& work) {
  PlannedWorkspace& asked = work.planned;
  asked.pending = false;
  dynamics_kernels_in_use().forward_dynamics(asked.model.tree(), asked.q.data(), asked.v.data(), asked.x.data(),
                                             nullptr, nullptr, work.view(), asked.out.data());
}

}  // namespace pintle
