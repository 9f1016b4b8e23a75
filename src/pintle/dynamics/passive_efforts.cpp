#include "pintle/dynamics/passive_efforts.h"

#include "pintle/base/usage_error.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/configuration_impl.h"

namespace pintle {

void passive_efforts(const Model& model, std::span<const double> q, std::span<const double> v, std::span<double> tau) {
  require_size("passive_efforts", "q", q.size(), static_cast<std::size_t>(model.joint_nq()));
  require_size("passive_efforts", "v", v.size(), static_cast<std::size_t>(model.joint_nv()));
  require_size("passive_efforts", "tau", tau.size(), v.size());
  for (const Link& link : model.links()) {
    // How far the joint is from zero, as a velocity for unit time.
    double origin[7] = {0, 0, 0, 0, 0, 0, 0};
    const int place = quaternion_place(link.kind);
    if (place >= 0) origin[place + 3] = 1.0;
    double displacement[kMostFreedoms];
    difference_joint(link.kind, origin, q.data() + link.q, displacement);
    for (int k = 0; k < link.nv; ++k) {
      const std::size_t i = static_cast<std::size_t>(link.v + k);
      const JointPassive& passive = model.freedoms()[i].passive;
      const double rest = place >= 0 ? 0.0 : passive.rest;
      const double friction = v[i] > 0.0 ? -passive.friction : v[i] < 0.0 ? passive.friction : 0.0;
      tau[i] = friction - passive.damping * v[i] - passive.stiffness * (displacement[k] - rest);
    }
  }
}

}  // namespace pintle
