#include "pintle/dynamics/passive_efforts.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/passive_efforts_impl.h"
#include "pintle/math/elementary_impl.h"

namespace pintle {

void passive_efforts(const Model& model, std::span<const double> q, std::span<const double> v, std::span<double> tau) {
  require_size("passive_efforts", "q", q.size(), static_cast<std::size_t>(model.joint_nq()));
  require_size("passive_efforts", "v", v.size(), static_cast<std::size_t>(model.joint_nv()));
  require_size("passive_efforts", "tau", tau.size(), v.size());
  passive_efforts_of_joints(model.links(), model.freedoms(), q.data(), v.data(), tau.data());
}

}  // namespace pintle
