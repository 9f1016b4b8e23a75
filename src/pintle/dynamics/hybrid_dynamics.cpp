#include "pintle/dynamics/hybrid_dynamics.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/solve_motion.h"

namespace pintle {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// Marks the freedoms of a joint as given.
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
                     "' by a coupling: give that one");
  }
  throw UsageError("hybrid_dynamics: joint '" + name + "' is fixed and has no motion to give");
}

}  // namespace

DynamicsReport hybrid_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                               std::span<const int> given, ForwardDynamicsWorkspace<>& work, std::span<double> tau,
                               std::span<double> vdot, const DynamicsOptions& options) {
  require_size("hybrid_dynamics", "q", q.size(), size(model.nq()));
  require_size("hybrid_dynamics", "v", v.size(), size(model.nv()));
  require_size("hybrid_dynamics", "tau", tau.size(), size(model.nv()));
  require_size("hybrid_dynamics", "vdot", vdot.size(), size(model.nv()));
  if (!options.external.empty()) {
    require_size("hybrid_dynamics", "options.external", options.external.size(), model.bodies().size());
  }
  require_fit("hybrid_dynamics", work.sizes, model);
  for (unsigned char& freedom : work.given) freedom = 0;
  for (const int joint : given) mark(model, joint, work.given);
  const DynamicsReport report = solve_motion(model, q, v, tau, !given.empty(), work, vdot, options);
  if (!report.ok() || given.empty()) return report;
  inverse_dynamics(model, q, v, vdot, work.inverse, work.correction, options);
  for (std::size_t i = 0; i < tau.size(); ++i)
    if (work.given[i] != 0) tau[i] = work.correction[i];
  return report;
}

}  // namespace pintle
