#include "pintle/dynamics/hybrid_dynamics.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/solve_motion.h"

namespace pintle {
namespace {

/// Flags the dofs of a joint as prescribed.
void mark(const Model& model, int joint, std::span<unsigned char> given) {
  require(joint >= 0 && size(joint) < model.joints().size(), "hybrid_dynamics", "given", "there is no such joint");
  for (const IndependentJoint& independent : model.independent_joints()) {
    if (independent.joint != joint) continue;
    for (int k = 0; k < facts(independent.kind).nv; ++k) given[size(independent.v + k)] = 1;
    return;
  }
  const std::string& name = model.joints()[size(joint)].name;
  for (const ModelCoupling& coupling : model.couplings()) {
    if (coupling.joint != joint) continue;
    throw UsageError("hybrid_dynamics: joint '" + name + "' follows '" + model.joints()[size(coupling.driver)].name +
                     "' by a coupling: prescribe the motion of that joint instead");
  }
  throw UsageError("hybrid_dynamics: joint '" + name + "' is fixed and has no motion to prescribe");
}

void check_sizes(const char* function, const Model& model, std::span<const double> q, std::span<const double> v,
                 const ForwardDynamicsWorkspace<>& work, std::span<const double> tau, std::span<const double> vdot,
                 const DynamicsOptions& options) {
  require_size(function, "q", q.size(), size(model.nq()));
  require_size(function, "v", v.size(), size(model.nv()));
  require_size(function, "tau", tau.size(), size(model.nv()));
  require_size(function, "vdot", vdot.size(), size(model.nv()));
  if (!options.external.empty()) {
    require_size(function, "options.external", options.external.size(), model.bodies().size());
  }
  require_fit(function, work.sizes, model);
}

/// The efforts of the prescribed dofs by inverse dynamics of the solution.
void find_efforts(const Model& model, std::span<const double> q, std::span<const double> v,
                  ForwardDynamicsWorkspace<>& work, std::span<double> tau, std::span<const double> vdot,
                  const DynamicsOptions& options) {
  inverse_dynamics(model, q, v, vdot, work.inverse, work.correction, options);
  for (std::size_t i = 0; i < tau.size(); ++i)
    if (work.given[i] != 0) tau[i] = work.correction[i];
}

/// The efforts without those of dampers and springs.
void subtract_passive(const Model& model, const ForwardDynamicsWorkspace<>& work, std::span<double> tau,
                      const DynamicsOptions& options) {
  if (!options.passive || !model.has_passive()) return;
  for (std::size_t i = 0; i < tau.size(); ++i)
    if (work.given[i] != 0) tau[i] -= work.joints.tau[i];
}

/// The same from the results of the recursion: f = I_A A + p_A is the wrench of the joint on the link.
void find_efforts_by_recursion(const Model& model, ForwardDynamicsWorkspace<>& work, std::span<double> tau,
                               std::span<const double> vdot) {
  const ForwardDynamicsBuffers<double> at = work.view();
  const double* const armature = model.tree().armature;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    for (std::size_t k = size(link.v); k < size(link.v + link.nv); ++k) {
      if (work.given[k] == 0) continue;
      const Wrench<> f = at.I_A[i] * at.A[i] + at.p_A[i];
      tau[k] = fma(armature[k], vdot[k], dot(at.motion.S[k], f));
    }
  }
}

}  // namespace

DynamicsReport hybrid_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                               std::span<const int> given, ForwardDynamicsWorkspace<>& work, std::span<double> tau,
                               std::span<double> vdot, const DynamicsOptions& options) {
  check_sizes("hybrid_dynamics", model, q, v, work, tau, vdot, options);
  for (unsigned char& dof : work.given) dof = 0;
  for (const int joint : given) mark(model, joint, work.given);
  const DynamicsReport report = solve_motion(model, q, v, tau, !given.empty(), work, vdot, options);
  if (report.ok() && !given.empty()) find_efforts(model, q, v, work, tau, vdot, options);
  return report;
}

DynamicsReport hybrid_dynamics_of(const Model& model, std::span<const double> q, std::span<const double> v,
                                  std::span<const unsigned char> given, ForwardDynamicsWorkspace<>& work,
                                  std::span<double> tau, std::span<double> vdot, const DynamicsOptions& options) {
  check_sizes("hybrid_dynamics_of", model, q, v, work, tau, vdot, options);
  require_size("hybrid_dynamics_of", "given", given.size(), vdot.size());
  bool any = false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    work.given[i] = given[i];
    any = any || given[i] != 0;
  }
  const DynamicsReport report = solve_motion(model, q, v, tau, any, work, vdot, options);
  if (!report.ok() || !any) return report;
  if (options.refine || model.has_couplings()) {
    find_efforts(model, q, v, work, tau, vdot, options);
    return report;
  }
  if (work.planned.in_use) {
    for (std::size_t i = 0; i < tau.size(); ++i)
      if (given[i] != 0) tau[i] = work.correction[i];
  } else {
    find_efforts_by_recursion(model, work, tau, vdot);
  }
  subtract_passive(model, work, tau, options);
  return report;
}

}  // namespace pintle
