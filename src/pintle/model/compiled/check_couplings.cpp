#include "pintle/model/compiled/check_couplings.h"

#include <cmath>
#include <utility>

#include "pintle/base/size.h"
#include "pintle/math/elementary.h"
#include "pintle/math/number_text.h"
#include "pintle/model/compiled/driver_range.h"

namespace pintle {
namespace {

bool usable(const ModelCoupling& coupling) {
  return std::isfinite(coupling.ratio) && std::isfinite(coupling.offset) && coupling.ratio != 0.0;
}

/// Whether it contains a finite position.
bool has_position(const PositionRange& range) {
  return range.lower <= range.upper && range.lower < __builtin_inf() && range.upper > -__builtin_inf();
}

std::string text(const PositionRange& range) {
  return number_text(range.lower) + " and " + number_text(range.upper);
}

Diagnostic out_of_range(const ModelCoupling& coupling, const CouplingSpec& spec, const std::string& driver) {
  return make_error("coupling-ratio", spec.origin,
                    "the coupling of '" + spec.joint + "', followed to the driver '" + driver + "', has the ratio " +
                        number_text(coupling.ratio) + " and the offset " + number_text(coupling.offset),
                    "the ratios along the chain multiply, and the result must be finite and not zero",
                    "use ratios and offsets of ordinary magnitude");
}

}  // namespace

Diagnostics check_couplings(const Model& model, const ModelSpec& spec) {
  Diagnostics problems;
  std::vector<PositionRange> left;  // for each driver: the position range that the limits so far leave
  for (const ModelJoint& joint : model.joints()) {
    const bool one = facts(joint.kind).nv == 1;
    const JointLimits limits = one ? model.dofs()[size(joint.v)].limits : JointLimits{};
    left.push_back({limits.lower, limits.upper});
  }
  for (std::size_t i = 0; i < model.couplings().size(); ++i) {  // in the order of the spec's
    const ModelCoupling& coupling = model.couplings()[i];
    const std::string& driver = model.joints()[size(coupling.driver)].name;
    if (!usable(coupling)) {
      problems.push_back(out_of_range(coupling, spec.couplings[i], driver));
      continue;
    }
    const ModelJoint& follower = model.joints()[size(coupling.joint)];
    const PositionRange wanted = driver_range(coupling, model.dofs()[size(follower.v)].limits);
    PositionRange& others = left[size(coupling.driver)];
    const PositionRange both{max(others.lower, wanted.lower), min(others.upper, wanted.upper)};
    if (has_position(both)) {
      others = both;
      continue;
    }
    problems.push_back(make_error("limits-leave-nothing", spec.joints[size(coupling.joint)].origin,
                                  "the limits of joint '" + follower.name + "' require its driver '" + driver +
                                      "' to be between " + text(wanted) + ", other limits require it between " +
                                      text(others),
                                  "there is no position that all of them allow",
                                  "widen the limits, or change the ratio or the offset of the coupling"));
  }
  return problems;
}

}  // namespace pintle
