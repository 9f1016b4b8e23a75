#include "pintle/simulation/elements/joint_efforts.h"

#include "pintle/math/scalar.h"

namespace pintle {

ForcePower JointEfforts::apply(const Model&, const ForceInput& in, const ForceOutput& out) {
  ForcePower result;
  for (std::size_t i = 0; i < efforts_.size(); ++i) {
    out.tau[i] += efforts_[i];
    result.power = fma(efforts_[i], in.v[i], result.power);
  }
  return result;
}

void JointEfforts::reset() {
  for (double& effort : efforts_) effort = 0.0;
}

}  // namespace pintle
