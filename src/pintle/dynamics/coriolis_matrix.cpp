#include "pintle/dynamics/coriolis_matrix.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/kernels/kernels.h"

namespace pintle {
namespace {

void require_sizes(const char* function, const char* result, const Model& model, std::span<const double> q,
                   std::span<const double> v, std::span<double> matrix) {
  const std::size_t nv = size(model.nv());
  require_size(function, "q", q.size(), size(model.nq()));
  require_size(function, "v", v.size(), nv);
  require_size(function, result, matrix.size(), nv * nv);
}

}  // namespace

std::size_t coriolis_matrix_bytes(const Model& model) {
  return dynamics_kernels_in_use().coriolis_matrix_bytes(model.tree());
}

void coriolis_matrix(const Model& model, std::span<const double> q, std::span<const double> v,
                     CoriolisMatrixWorkspace<>& work, std::span<double> C) {
  require_sizes("coriolis_matrix", "C", model, q, v, C);
  require_fit("coriolis_matrix", work.sizes, model);
  const double* const joint_q = joint_configuration(model, q, work.joints.q);
  const double* const joint_v = joint_velocity(model, v, work.joints.v);
  if (!model.has_couplings()) {
    dynamics_kernels_in_use().coriolis_matrix(model.tree(), joint_q, joint_v, work.memory.data(), C.data());
  } else {
    dynamics_kernels_in_use().coriolis_matrix(model.tree(), joint_q, joint_v, work.memory.data(), work.C.data());
    independent_matrix(model, work.C, C);
  }
}

void mass_matrix_rate(const Model& model, std::span<const double> q, std::span<const double> v,
                      CoriolisMatrixWorkspace<>& work, std::span<double> M_rate) {
  require_sizes("mass_matrix_rate", "M_rate", model, q, v, M_rate);
  require_fit("mass_matrix_rate", work.sizes, model);
  coriolis_matrix(model, q, v, work, M_rate);
  const std::size_t n = v.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) M_rate[i * n + j] = M_rate[j * n + i] = M_rate[i * n + j] + M_rate[j * n + i];
}

}  // namespace pintle
