#include "pintle/dynamics/forward_dynamics.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/joint_numbers.h"
#include "pintle/dynamics/kernels.h"
#include "pintle/dynamics/mass_matrix.h"
#include "pintle/dynamics/passive_efforts.h"

namespace pintle {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

int joint_of_link(const Model& model, int link) {
  return model.freedoms()[size(model.links()[size(link)].v)].joint;
}

/// L D L' of a symmetric positive definite matrix given by rows, in place. The number of the first pivot that is not
/// positive, -1 when all are.
int factor_in_place(std::span<double> M, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    const double before = M[j * n + j];
    for (std::size_t k = 0; k < j; ++k) M[j * n + j] -= M[j * n + k] * M[j * n + k] * M[k * n + k];
    if (!(M[j * n + j] > 16.0 * kEpsilon<double> * before)) return static_cast<int>(j);
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) M[i * n + j] -= M[i * n + k] * M[j * n + k] * M[k * n + k];
      M[i * n + j] /= M[j * n + j];
    }
  }
  return -1;
}

/// x becomes M^-1 x, from the factors of M.
void solve_in_place(std::span<const double> M, std::span<double> x) {
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) x[i] -= M[i * n + k] * x[k];
  for (std::size_t i = 0; i < n; ++i) x[i] /= M[i * n + i];
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= M[k * n + i] * x[k];
}

/// With couplings: the equations of the independent freedoms, G'MG vdot = tau - (efforts of inverse dynamics at vdot =
/// 0), and the answer refined once by the efforts it leaves unexplained.
ForwardDynamicsReport coupled(const Model& model, std::span<const double> q, std::span<const double> v,
                              std::span<const double> tau, ForwardDynamicsWorkspace<>& work, std::span<double> vdot,
                              const DynamicsOptions& options) {
  mass_matrix(model, q, work.mass, work.M);
  const int pivot = factor_in_place(work.M, vdot.size());
  for (const IndependentJoint& joint : model.independent_joints()) {
    if (pivot >= joint.v && pivot < joint.v + facts(joint.kind).nv) return {joint.joint};
  }
  for (double& x : vdot) x = 0.0;
  for (int round = 0; round < 2; ++round) {
    inverse_dynamics(model, q, v, vdot, work.inverse, work.correction, options);
    for (std::size_t i = 0; i < vdot.size(); ++i) work.correction[i] = tau[i] - work.correction[i];
    solve_in_place(work.M, work.correction);
    for (std::size_t i = 0; i < vdot.size(); ++i) vdot[i] += work.correction[i];
  }
  return {};
}

/// Adds to vdot the accelerations that the unexplained efforts give to the mechanism at rest and without weight.
void refine(const Model& model, std::span<const double> q, std::span<const double> v, std::span<const double> tau,
            ForwardDynamicsWorkspace<>& work, std::span<double> vdot, const DynamicsOptions& options) {
  inverse_dynamics(model, q, v, vdot, work.inverse, work.correction, options);
  for (std::size_t i = 0; i < tau.size(); ++i) work.joints.tau[i] = tau[i] - work.correction[i];
  LinkTree weightless = model.tree();
  weightless.gravity = {0.0, 0.0, 0.0};
  dynamics_kernels_in_use().forward_dynamics(weightless, q.data(), work.inverse.zero.data(), work.joints.tau.data(),
                                             nullptr, work.view(), work.correction.data());
  for (std::size_t i = 0; i < vdot.size(); ++i) vdot[i] += work.correction[i];
}

}  // namespace

ForwardDynamicsReport forward_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                       std::span<const double> tau, ForwardDynamicsWorkspace<>& work,
                                       std::span<double> vdot, const DynamicsOptions& options) {
  require_size("forward_dynamics", "q", q.size(), size(model.nq()));
  require_size("forward_dynamics", "v", v.size(), size(model.nv()));
  require_size("forward_dynamics", "tau", tau.size(), size(model.nv()));
  require_size("forward_dynamics", "vdot", vdot.size(), size(model.nv()));
  if (!options.external.empty()) {
    require_size("forward_dynamics", "options.external", options.external.size(), model.links().size());
  }
  if (!model.couplings().empty()) return coupled(model, q, v, tau, work, vdot, options);

  std::span<const double> total = tau;
  if (options.passive) {
    passive_efforts(model, q, v, work.joints.tau);
    for (std::size_t i = 0; i < tau.size(); ++i) work.joints.tau[i] += tau[i];
    total = work.joints.tau;
  }
  const Wrench<>* const external = options.external.empty() ? nullptr : options.external.data();
  const int link = dynamics_kernels_in_use().forward_dynamics(model.tree(), q.data(), v.data(), total.data(), external,
                                                              work.view(), vdot.data());
  if (link >= 0) return {joint_of_link(model, link)};
  if (options.refine) refine(model, q, v, tau, work, vdot, options);
  return {};
}

}  // namespace pintle
