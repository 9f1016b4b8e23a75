#include "pintle/dynamics/mass_matrix.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/kernels/planned_kernels.h"

namespace pintle {

void mass_matrix(const Model& model, std::span<const double> q, MassMatrixWorkspace<>& work, std::span<double> M) {
  const std::size_t nv = static_cast<std::size_t>(model.nv());
  require_size("mass_matrix", "q", q.size(), static_cast<std::size_t>(model.nq()));
  require_size("mass_matrix", "M", M.size(), nv * nv);
  require_fit("mass_matrix", work.sizes, model);
  const double* const joint_q = joint_configuration(model, q, work.joints.q);
  const PlanView<double>& plan = model.plan().view<double>();
  const PlannedKernels<double>& kernels = planned_kernels_in_use().one;
  std::byte* const memory = work.planned.memory("mass_matrix", model);
  if (!model.has_couplings()) {
    kernels.mass_matrix(plan, joint_q, memory, M.data());
  } else {
    kernels.mass_matrix(plan, joint_q, memory, work.M.data());
    independent_mass_matrix(model, work.M, M);
  }
}

}  // namespace pintle
