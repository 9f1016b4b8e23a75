#include "pintle/dynamics/jacobian.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/kernels/kernels.h"

namespace pintle {
namespace {

void require_sizes(const char* function, const Model& model, std::span<const double> q, const JacobianWorkspace& work,
                   std::span<double> J) {
  require_size(function, "q", q.size(), size(model.nq()));
  require_size(function, "J", J.size(), 6 * size(model.nv()));
  require_fit(function, work.sizes, model);
}

}  // namespace

JacobianWorkspace::JacobianWorkspace(const Model& model)
    : sizes(model),
      joints(model),
      J(model.has_couplings() ? 6 * model.dofs().size() : 0),
      memory(dynamics_kernels_in_use().jacobian_bytes(model.tree())) {}

void jacobian(const Model& model, std::span<const double> q, const Place& place, Axes axes, JacobianWorkspace& work,
              std::span<double> J) {
  require_sizes("jacobian", model, q, work, J);
  require(place.link < static_cast<int>(model.links().size()), "jacobian", "place", "it belongs to another model");
  const bool coupled = model.has_couplings();
  const std::span<double> joint_J = coupled ? std::span<double>(work.J) : J;
  for (double& x : joint_J) x = 0.0;
  if (place.link >= 0) {
    dynamics_kernels_in_use().jacobian(model.tree(), joint_configuration(model, q, work.joints.q), place.link,
                                       place.X_LF, axes, work.memory.data(), joint_J.data());
  }
  if (coupled) independent_columns(model, work.J, J);
}

void jacobian_columns(const Model& model, std::span<const double> q, JacobianWorkspace& work, std::span<double> J) {
  require_sizes("jacobian_columns", model, q, work, J);
  const bool coupled = model.has_couplings();
  dynamics_kernels_in_use().jacobian_columns(model.tree(), joint_configuration(model, q, work.joints.q),
                                             work.memory.data(), coupled ? work.J.data() : J.data());
  if (coupled) independent_columns(model, work.J, J);
}

}  // namespace pintle
