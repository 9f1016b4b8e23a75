#include "pintle/dynamics/solve_motion.h"

#include "pintle/base/size.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/external_wrench.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/kernels/kernels.h"
#include "pintle/dynamics/kernels/planned_kernels.h"
#include "pintle/dynamics/mass_matrix.h"
#include "pintle/dynamics/mass_matrix_factor.h"
#include "pintle/dynamics/passive_efforts.h"
#include "pintle/dynamics/world_motion.h"
#include "pintle/math/number_arrays.h"

namespace pintle {
namespace {

/// Whether every value of the state and every acceleration is finite: not every value of the state affects the
/// accelerations.
DynamicsReport finite_report(std::span<const double> q, std::span<const double> v, std::span<const double> vdot) {
  DynamicsReport report;
  report.finite = all_finite(q, v, vdot);
  return report;
}

/// The residual efforts of the free dofs by inverse dynamics of vdot; zero for the prescribed ones.
void find_residual(const Model& model, std::span<const double> q, std::span<const double> v,
                   std::span<const double> tau, ForwardDynamicsWorkspace<>& work, std::span<const double> vdot,
                   const DynamicsOptions& options) {
  inverse_dynamics(model, q, v, vdot, work.inverse, work.correction, options);
  for (std::size_t i = 0; i < tau.size(); ++i) {
    work.correction[i] = work.given[i] != 0 ? 0.0 : tau[i] - work.correction[i];
  }
}

/// Solves with the reduced mass matrix of a model with couplings, with the prescribed dofs locked; then one step of
/// refinement by inverse dynamics corrects the error of the factors.
DynamicsReport solve_coupled(const Model& model, std::span<const double> q, std::span<const double> v,
                             std::span<const double> tau, ForwardDynamicsWorkspace<>& work, std::span<double> vdot,
                             const DynamicsOptions& options) {
  const std::size_t n = vdot.size();
  mass_matrix(model, q, work.mass, work.M);
  cut_out_dofs(work.given, work.M);
  for (std::size_t i = 0; i < n; ++i)
    if (work.given[i] == 0) vdot[i] = 0.0;
  const DynamicsReport report = factor_mass_matrix(model, work.M, work.factor);
  if (!report.ok()) return report;
  for (int round = 0; round < 2; ++round) {
    find_residual(model, q, v, tau, work, vdot, options);
    solve_mass_matrix(model, work.factor, work.correction);
    for (std::size_t i = 0; i < n; ++i) vdot[i] += work.correction[i];
  }
  return finite_report(q, v, vdot);
}

/// Whether the plan can prescribe the motion of these dofs: of each joint all or none.
bool are_on_plan(const Model& model, std::span<const unsigned char> given) {
  for (const Link& link : model.links())
    for (int k = link.v + 1; k < link.v + link.nv; ++k)
      if ((given[size(k)] != 0) != (given[size(link.v)] != 0)) return false;
  return true;
}

}  // namespace

bool solve_on_plan(const Model& model, const double* q, const double* v, const double* tau,
                   const DynamicsOptions& options, bool any_given, ForwardDynamicsWorkspace<>& work, double* vdot) {
  PlannedWorkspace& planned = work.planned;
  const PlannedKernelTable& kernels = planned_kernels_in_use();
  std::byte* const memory = planned.memory("forward_dynamics", model);
  PlannedMotion<double> world;
  const PlannedLoads<double> loads{.external = on_plan(model, options.external, work.inverse.external),
                                   .world = world_motion(model, options, planned, world),
                                   .given = any_given ? work.given.data() : nullptr,
                                   .given_efforts = work.correction.data()};
  planned.given = any_given;
  planned.in_use = planned.keep(q, v, tau) &&
                   kernels.forward_dynamics(model.plan().view<double>(), q, v, tau, loads, memory, vdot) &&
                   all_finite<double>(std::span(vdot, size(model.nv())));
  return planned.in_use;
}

DynamicsReport solve_motion(const Model& model, std::span<const double> q, std::span<const double> v,
                            std::span<const double> tau, bool any_given, ForwardDynamicsWorkspace<>& work,
                            std::span<double> vdot, const DynamicsOptions& options, bool try_plan) {
  const bool passive = options.passive && model.has_passive();
  work.planned.in_use = false;
  // vdot may alias tau. The efforts of prescribed dofs are not read but set to zero, so that joints.tau is their
  // passive effort.
  if (any_given) {
    for (std::size_t i = 0; i < vdot.size(); ++i) work.tau[i] = work.given[i] != 0 ? 0.0 : tau[i];
  } else {
    for (unsigned char& mark : work.given) mark = 0;
    copy_numbers(tau.data(), model.nv(), work.tau.data());
  }
  if (model.has_couplings()) return solve_coupled(model, q, v, work.tau, work, vdot, options);

  std::span<const double> total = work.tau;
  if (passive) {
    joint_passive_efforts(model, q, v, work.joints.tau, options.friction);
    for (std::size_t i = 0; i < total.size(); ++i) work.joints.tau[i] += work.tau[i];
    total = work.joints.tau;
  }
  if (try_plan && is_on_plan(model, options) && (!any_given || are_on_plan(model, work.given))) {
    if (any_given)
      for (std::size_t i = 0; i < vdot.size(); ++i)
        if (work.given[i] == 0) vdot[i] = 0.0;
    if (solve_on_plan(model, q.data(), v.data(), total.data(), options, any_given, work, vdot.data())) return {};
  }
  const DynamicsKernels& kernels = dynamics_kernels_in_use();
  LinkTree tree = model.tree();
  tree.root = options.root_motion();
  const unsigned char* const given = any_given ? work.given.data() : nullptr;
  const std::span<const Wrench<>> external = on_links(model, options.external, work.inverse.external);
  const int link =
      kernels.forward_dynamics(tree, q.data(), v.data(), total.data(), external.empty() ? nullptr : external.data(),
                               given, work.view(), vdot.data());
  if (link >= 0) return {model.dofs()[size(model.links()[size(link)].v)].joint};
  if (options.refine) {
    find_residual(model, q, v, work.tau, work, vdot, options);
    kernels.apply_mass_inverse(tree, work.view().articulated(), work.correction.data(), nullptr, given, nullptr,
                               work.response(), work.joints.vdot.data());
    for (std::size_t i = 0; i < vdot.size(); ++i) vdot[i] += work.joints.vdot[i];
  }
  return finite_report(q, v, vdot);
}

}  // namespace pintle
