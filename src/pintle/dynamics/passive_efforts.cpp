#include "pintle/dynamics/passive_efforts.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/recursions/passive_efforts_impl.h"
#include "pintle/math/elementary_impl.h"

namespace pintle {

void joint_passive_efforts(const Model& model, std::span<const double> q, std::span<const double> v,
                           std::span<double> tau, bool friction) {
  require_size("joint_passive_efforts", "q", q.size(), static_cast<std::size_t>(model.joint_nq()));
  require_size("joint_passive_efforts", "v", v.size(), static_cast<std::size_t>(model.joint_nv()));
  require_size("joint_passive_efforts", "tau", tau.size(), v.size());
  passive_efforts_of_joints(model.links(), model.dofs(), q.data(), v.data(), tau.data(), friction);
}

void passive_efforts(const Model& model, std::span<const double> q, std::span<const double> v,
                     InverseDynamicsWorkspace<>& work, std::span<double> tau, bool friction) {
  require_size("passive_efforts", "q", q.size(), static_cast<std::size_t>(model.nq()));
  require_size("passive_efforts", "v", v.size(), static_cast<std::size_t>(model.nv()));
  require_size("passive_efforts", "tau", tau.size(), v.size());
  require_fit("passive_efforts", work.sizes, model);
  const double* const joint_q = joint_configuration(model, q, work.joints.q);
  const double* const joint_v = joint_velocity(model, v, work.joints.v);
  joint_passive_efforts(model, {joint_q, work.joints.q.size()}, {joint_v, work.joints.v.size()}, work.passive,
                        friction);
  independent_efforts(model, work.passive, tau);
}

}  // namespace pintle
