#include "pintle/dynamics/velocity_efforts.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/kernels/kernels.h"

namespace pintle {
namespace {

/// h(q, v) without gravity, of the independent dofs.
void without_gravity(const Model& model, const double* joint_q, std::span<const double> v,
                     VelocityEffortsWorkspace& work, std::span<double> result) {
  LinkTree tree = model.tree();
  tree.gravity = {0.0, 0.0, 0.0};
  const double* const joint_v = joint_velocity(model, v, work.joints.v);
  const double* const rest = work.joints.vdot.data();  // stays zero
  dynamics_kernels_in_use().inverse_dynamics(tree, joint_q, joint_v, rest, nullptr, work.inverse.view(),
                                             work.joints.tau.data());
  independent_efforts(model, work.joints.tau, result);
}

}  // namespace

VelocityEffortsWorkspace::VelocityEffortsWorkspace(const Model& model)
    : sizes(model), joints(model), inverse(model), single(size(model.nv())), efforts(size(model.nv())) {}

void velocity_efforts(const Model& model, std::span<const double> q, std::span<const double> v,
                      VelocityEffortsWorkspace& work, std::span<double> centripetal, std::span<double> coriolis) {
  const std::size_t n = size(model.nv());
  require_size("velocity_efforts", "q", q.size(), size(model.nq()));
  require_size("velocity_efforts", "v", v.size(), n);
  require_size("velocity_efforts", "centripetal", centripetal.size(), n);
  require_size("velocity_efforts", "coriolis", coriolis.size(), n);
  require_fit("velocity_efforts", work.sizes, model);
  const double* const joint_q = joint_configuration(model, q, work.joints.q);
  for (double& effort : centripetal) effort = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    work.single[j] = v[j];
    without_gravity(model, joint_q, work.single, work, work.efforts);
    work.single[j] = 0.0;
    for (std::size_t i = 0; i < n; ++i) centripetal[i] += work.efforts[i];
  }
  without_gravity(model, joint_q, v, work, coriolis);
  for (std::size_t i = 0; i < n; ++i) coriolis[i] -= centripetal[i];
}

}  // namespace pintle
