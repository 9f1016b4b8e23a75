#include "pintle/dynamics/inverse_dynamics.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/external_wrench.h"
#include "pintle/dynamics/kernels/kernels.h"
#include "pintle/dynamics/kernels/planned_kernels.h"
#include "pintle/dynamics/passive_efforts.h"
#include "pintle/dynamics/world_motion.h"

namespace pintle {
namespace {

/// By the plain recursion, which leaves its results in the buffers.
void recursion(const Model& model, const double* q, const double* v, const double* vdot, const DynamicsOptions& options,
               InverseDynamicsWorkspace<>& work, double* tau) {
  work.planned.in_use = false;
  const std::span<const Wrench<>> external = on_links(model, options.external, work.external);
  LinkTree tree = model.tree();
  tree.root = options.root_motion();
  dynamics_kernels_in_use().inverse_dynamics(tree, q, v, vdot, external.empty() ? nullptr : external.data(),
                                             work.view(), tau);
}

/// Efforts but for the passive ones, by the plan unless the results of the recursion are wanted.
void bare_efforts(const Model& model, const double* q, const double* v, const double* vdot,
                  const DynamicsOptions& options, InverseDynamicsWorkspace<>& work, double* tau) {
  if (options.keep_recursion) return recursion(model, q, v, vdot, options, work, tau);
  PlannedWorkspace& planned = work.planned;
  std::byte* const memory = planned.memory("inverse_dynamics", model);
  planned.keep(q, v, vdot);
  planned.in_use = true;
  PlannedMotion<double> world;
  const PlannedLoads<double> loads{.external = on_plan(model, options.external, work.external),
                                   .world = world_motion(model, options, planned, world)};
  planned_kernels_in_use().inverse_dynamics(model.plan().view<double>(), q, v, vdot, loads, memory, tau);
}

/// From the coordinates of all joints: efforts on all joints, by the kernel, minus the passive ones.
void on_all_joints(const Model& model, const double* q, const double* v, const double* vdot,
                   const DynamicsOptions& options, InverseDynamicsWorkspace<>& work, std::span<double> tau) {
  bare_efforts(model, q, v, vdot, options, work, tau.data());
  if (!options.passive || !model.has_passive()) return;
  const std::size_t nq = size(model.joint_nq()), nv = size(model.joint_nv());
  std::span<double> passive(work.passive);
  joint_passive_efforts(model, {q, nq}, {v, nv}, passive, options.friction);
  for (std::size_t i = 0; i < nv; ++i) tau[i] -= passive[i];
}

}  // namespace

void inverse_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                      std::span<const double> vdot, InverseDynamicsWorkspace<>& work, std::span<double> tau,
                      const DynamicsOptions& options) {
  require_size("inverse_dynamics", "q", q.size(), size(model.nq()));
  require_size("inverse_dynamics", "v", v.size(), size(model.nv()));
  require_size("inverse_dynamics", "vdot", vdot.size(), size(model.nv()));
  require_size("inverse_dynamics", "tau", tau.size(), size(model.nv()));
  if (!options.external.empty()) {
    require_size("inverse_dynamics", "options.external", options.external.size(), model.bodies().size());
  }
  require_fit("inverse_dynamics", work.sizes, model);
  if (!model.has_couplings()) return on_all_joints(model, q.data(), v.data(), vdot.data(), options, work, tau);
  const double* const joint_q = joint_configuration(model, q, work.joints.q);
  const double* const joint_v = joint_velocity(model, v, work.joints.v);
  const double* const joint_vdot = joint_velocity(model, vdot, work.joints.vdot);
  on_all_joints(model, joint_q, joint_v, joint_vdot, options, work, work.joints.tau);
  independent_efforts(model, work.joints.tau, tau);
}

void transmission_efforts(const Model& model, const InverseDynamicsWorkspace<>& work, std::span<double> efforts) {
  require_size("transmission_efforts", "efforts", efforts.size(), model.couplings().size());
  require_fit("transmission_efforts", work.sizes, model);
  for (std::size_t c = 0; c < efforts.size(); ++c) {
    efforts[c] = work.joints.tau[size(model.joints()[size(model.couplings()[c].joint)].v)];
  }
}

void bias_efforts(const Model& model, std::span<const double> q, std::span<const double> v,
                  InverseDynamicsWorkspace<>& work, std::span<double> h) {
  require_size("bias_efforts", "q", q.size(), size(model.nq()));
  require_size("bias_efforts", "v", v.size(), size(model.nv()));
  require_size("bias_efforts", "h", h.size(), size(model.nv()));
  require_fit("bias_efforts", work.sizes, model);
  inverse_dynamics(model, q, v, work.zero, work, h, {.passive = false});
}

void gravity_efforts(const Model& model, std::span<const double> q, InverseDynamicsWorkspace<>& work,
                     std::span<double> g) {
  require_size("gravity_efforts", "q", q.size(), size(model.nq()));
  require_size("gravity_efforts", "g", g.size(), size(model.nv()));
  require_fit("gravity_efforts", work.sizes, model);
  inverse_dynamics(model, q, work.zero, work.zero, work, g, {.passive = false});
}

}  // namespace pintle
