#include "pintle/dynamics/forward_dynamics.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/solve_motion.h"

namespace pintle {

DynamicsReport forward_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                std::span<const double> tau, ForwardDynamicsWorkspace<>& work, std::span<double> vdot,
                                const DynamicsOptions& options) {
  const std::size_t nv = static_cast<std::size_t>(model.nv());
  require_size("forward_dynamics", "q", q.size(), static_cast<std::size_t>(model.nq()));
  require_size("forward_dynamics", "v", v.size(), nv);
  require_size("forward_dynamics", "tau", tau.size(), nv);
  require_size("forward_dynamics", "vdot", vdot.size(), nv);
  if (!options.external.empty()) {
    require_size("forward_dynamics", "options.external", options.external.size(), model.bodies().size());
  }
  require_fit("forward_dynamics", work.sizes, model);
  const bool passive = options.passive && model.has_passive();
  const bool at_once = !passive && vdot.data() != tau.data() && is_on_plan(model, options);
  if (at_once && solve_on_plan(model, q.data(), v.data(), tau.data(), options, false, work, vdot.data()))
    return {};
  return solve_motion(model, q, v, tau, false, work, vdot, options, !at_once);
}

}  // namespace pintle
