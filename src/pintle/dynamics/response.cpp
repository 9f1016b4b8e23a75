#include "pintle/dynamics/response.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/kernels/kernels.h"
#include "pintle/dynamics/mass_matrix.h"
#include "pintle/dynamics/mass_matrix_factor.h"

namespace pintle {
namespace {

/// For models with couplings: wrenches to efforts of all joints, those to independent efforts, solve with the factors
/// of M, and propagate the accelerations outwards.
void apply_coupled_mass_inverse(const Model& model, ResponseWorkspace& work, std::span<const double> tau,
                                std::span<const Wrench<>> on_links, std::span<double> vdot) {
  const ArticulatedBuffers<double> at = work.articulated.view();
  const ResponseBuffers<double> out = work.articulated.response();
  const std::span<const Link> links = model.links();
  for (std::size_t i = 0; i < links.size(); ++i) out.p[i] = on_links.empty() ? zero_wrench() : on_links[i];
  for (std::size_t i = links.size(); i-- > 0;) {
    for (int k = links[i].v; k < links[i].v + links[i].nv; ++k) work.joints.tau[size(k)] = dot(at.S[k], out.p[i]);
    if (links[i].parent >= 0) out.p[links[i].parent] += at.X_PL[i] * out.p[i];
  }
  independent_efforts(model, work.joints.tau, work.column);
  for (std::size_t k = 0; k < tau.size(); ++k) work.column[k] += tau[k];
  for (std::size_t k = 0; k < vdot.size(); ++k)
    if (work.given[k] != 0) work.column[k] = 0.0;
  solve_mass_matrix(model, work.factor, work.column);
  for (std::size_t k = 0; k < vdot.size(); ++k) vdot[k] = work.column[k];
  const double* const joint_vdot = joint_velocity(model, vdot, work.joints.vdot);
  for (std::size_t i = 0; i < links.size(); ++i) {
    out.A[i] = links[i].parent < 0 ? zero_twist() : inverse_times(at.X_PL[i], out.A[links[i].parent]);
    for (int k = links[i].v; k < links[i].v + links[i].nv; ++k) out.A[i] += at.S[k] * joint_vdot[k];
  }
}

}  // namespace

ResponseWorkspace::ResponseWorkspace(const Model& model)
    : sizes(model),
      articulated(model),
      joints(model),
      mass(model),
      M(model.has_couplings() ? size(model.nv()) * size(model.nv()) : 0),
      factor(model.has_couplings() ? MassMatrixFactor<>(model) : MassMatrixFactor<>()),
      column(size(model.nv())),
      given(size(model.nv())) {}

DynamicsReport prepare_response(const Model& model, std::span<const double> q, ResponseWorkspace& work,
                                std::span<const unsigned char> given) {
  require_size("prepare_response", "q", q.size(), size(model.nq()));
  if (!given.empty()) require_size("prepare_response", "given", given.size(), size(model.nv()));
  require_fit("prepare_response", work.sizes, model);
  for (std::size_t k = 0; k < work.given.size(); ++k) work.given[k] = given.empty() ? 0 : given[k];
  const double* const joint_q = joint_configuration(model, q, work.joints.q);
  const bool coupled = model.has_couplings();
  const unsigned char* const marks = coupled ? nullptr : work.given.data();
  const int link = dynamics_kernels_in_use().articulate(model.tree(), joint_q, marks, work.articulated.view());
  if (!coupled) {
    if (link >= 0) return {model.dofs()[size(model.links()[size(link)].v)].joint};
    return {};
  }
  // A follower joint may move a singular inertia on its own: only the poses are used here.
  mass_matrix(model, q, work.mass, work.M);
  cut_out_dofs(work.given, work.M);
  return factor_mass_matrix(model, work.M, work.factor);
}

void apply_mass_inverse(const Model& model, ResponseWorkspace& work, std::span<const double> tau,
                        std::span<const Wrench<>> on_links, std::span<const unsigned char> needed,
                        std::span<double> vdot) {
  require_size("apply_mass_inverse", "vdot", vdot.size(), size(model.nv()));
  if (!tau.empty()) require_size("apply_mass_inverse", "tau", tau.size(), size(model.nv()));
  if (!on_links.empty()) require_size("apply_mass_inverse", "on_links", on_links.size(), model.links().size());
  if (!needed.empty()) require_size("apply_mass_inverse", "needed", needed.size(), model.links().size());
  require_fit("apply_mass_inverse", work.sizes, model);
  if (model.has_couplings()) {
    apply_coupled_mass_inverse(model, work, tau, on_links, vdot);
  } else {
    dynamics_kernels_in_use().apply_mass_inverse(
        model.tree(), work.articulated.view(), tau.empty() ? nullptr : tau.data(),
        on_links.empty() ? nullptr : on_links.data(), work.given.data(), needed.empty() ? nullptr : needed.data(),
        work.articulated.response(), vdot.data());
  }
}

void response_efforts(const Model& model, ResponseWorkspace& work, std::span<const double> vdot,
                      std::span<const Wrench<>> on_links, std::span<double> tau) {
  require_size("response_efforts", "vdot", vdot.size(), size(model.nv()));
  if (!on_links.empty()) require_size("response_efforts", "on_links", on_links.size(), model.links().size());
  require_size("response_efforts", "tau", tau.size(), size(model.nv()));
  require_fit("response_efforts", work.sizes, model);
  const ArticulatedBuffers<double> at = work.articulated.view();
  const ResponseBuffers<double> out = work.articulated.response();
  const double* const joint_vdot = joint_velocity(model, vdot, work.joints.vdot);
  const std::span<const Link> links = model.links();
  for (std::size_t i = 0; i < links.size(); ++i) {
    out.p[i] = links[i].inertia * out.A[i];
    if (!on_links.empty()) out.p[i] -= on_links[i];
  }
  for (std::size_t i = links.size(); i-- > 0;) {
    for (int k = links[i].v; k < links[i].v + links[i].nv; ++k)
      work.joints.tau[size(k)] = fma(model.tree().armature[k], joint_vdot[k], dot(at.S[k], out.p[i]));
    if (links[i].parent >= 0) out.p[links[i].parent] += at.X_PL[i] * out.p[i];
  }
  independent_efforts(model, work.joints.tau, tau);
}

MassMatrixInverseWorkspace::MassMatrixInverseWorkspace(const Model& model)
    : response(model),
      columns(!model.has_couplings() ? dynamics_kernels_in_use().mass_matrix_inverse_bytes(model.plan().view<double>())
                                     : 0) {}

DynamicsReport mass_matrix_inverse(const Model& model, std::span<const double> q, MassMatrixInverseWorkspace& work,
                                   std::span<double> inverse) {
  const std::size_t n = size(model.nv());
  require_size("mass_matrix_inverse", "q", q.size(), size(model.nq()));
  require_size("mass_matrix_inverse", "inverse", inverse.size(), n * n);
  require_fit("mass_matrix_inverse", work.response.sizes, model);
  const DynamicsKernels& kernels = dynamics_kernels_in_use();
  ResponseWorkspace& response = work.response;
  if (!model.has_couplings()) {
    const PlanView<double>& plan = model.plan().view<double>();
    const bool same = response.sizes.model == model.serial();  // else the plan may need more memory than there is
    require(same || kernels.mass_matrix_inverse_bytes(plan) <= work.columns.size(), "mass_matrix_inverse", "work",
            "it was made for another model");
    if (kernels.planned_mass_matrix_inverse(plan, q.data(), work.columns.data(), inverse.data())) return {};
  }
  const DynamicsReport report = prepare_response(model, q, response);
  if (!report.ok()) return report;
  if (!model.has_couplings()) {
    kernels.mass_matrix_inverse(model.tree(), response.articulated.view(), response.articulated.response(),
                                inverse.data());
    return report;
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (double& x : response.column) x = 0.0;
    response.column[j] = 1.0;
    solve_mass_matrix(model, response.factor, response.column);
    for (std::size_t i = 0; i <= j; ++i) inverse[i * n + j] = inverse[j * n + i] = response.column[i];
  }
  return report;
}

}  // namespace pintle
