#include "pintle/model/compiled/configuration.h"

#include <cmath>

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/distributions.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/compiled/driver_range.h"
#include "pintle/model/links/configuration_impl.h"

namespace pintle {
namespace {

/// The limits of a dof of an independent joint, restricted by those of the joints coupled to it.
PositionRange range_of(const Model& model, const IndependentJoint& joint, int i) {
  const JointLimits& own = model.dofs()[size(model.joints()[size(joint.joint)].v + i)].limits;
  PositionRange range{own.lower, own.upper};
  for (const ModelCoupling& coupling : model.couplings()) {
    if (coupling.driver != joint.joint) continue;
    const ModelJoint& follower = model.joints()[size(coupling.joint)];
    const PositionRange wanted = driver_range(coupling, model.dofs()[size(follower.v)].limits);
    range = {max(range.lower, wanted.lower), min(range.upper, wanted.upper)};
  }
  return range;
}

}  // namespace

void neutral(const Model& model, std::span<double> q) {
  require_size("neutral", "q", q.size(), size(model.nq()));
  for (double& x : q) x = 0.0;
  for (const IndependentJoint& joint : model.independent_joints()) {
    const int place = quaternion_place(joint.kind);
    if (place >= 0) q[size(joint.q + place + 3)] = 1.0;
  }
}

void integrate(const Model& model, std::span<const double> q, std::span<const double> v, std::span<double> result) {
  require_size("integrate", "q", q.size(), size(model.nq()));
  require_size("integrate", "v", v.size(), size(model.nv()));
  require_size("integrate", "result", result.size(), size(model.nq()));
  for (const IndependentJoint& joint : model.independent_joints())
    integrate_joint(joint.kind, q.data() + joint.q, v.data() + joint.v, result.data() + joint.q);
}

void difference(const Model& model, std::span<const double> q0, std::span<const double> q1, std::span<double> v) {
  require_size("difference", "q0", q0.size(), size(model.nq()));
  require_size("difference", "q1", q1.size(), size(model.nq()));
  require_size("difference", "v", v.size(), size(model.nv()));
  for (const IndependentJoint& joint : model.independent_joints())
    difference_joint(joint.kind, q0.data() + joint.q, q1.data() + joint.q, v.data() + joint.v);
}

void normalize(const Model& model, std::span<double> q) {
  require_size("normalize", "q", q.size(), size(model.nq()));
  for (const IndependentJoint& joint : model.independent_joints()) {
    const int place = quaternion_place(joint.kind);
    if (place < 0) continue;
    double* const at = q.data() + joint.q + place;
    double largest = 0.0;  // divided out first, so that the squares neither overflow nor underflow
    bool finite = true;
    for (int i = 0; i < 4; ++i) {
      largest = max(largest, abs(at[i]));
      finite = finite && std::isfinite(at[i]);
    }
    if (!finite || largest == 0.0) {
      throw UsageError("normalize: the quaternion of joint '" + model.joints()[size(joint.joint)].name +
                       "' has length zero or is not finite");
    }
    store_quaternion(normalized(Quaternion<>{at[0] / largest, at[1] / largest, at[2] / largest, at[3] / largest}), at);
  }
}

void position_ranges(const Model& model, std::span<double> lower, std::span<double> upper) {
  require_size("position_ranges", "lower", lower.size(), size(model.nv()));
  require_size("position_ranges", "upper", upper.size(), size(model.nv()));
  for (const IndependentJoint& joint : model.independent_joints()) {
    for (int i = 0; i < facts(joint.kind).nv; ++i) {
      const PositionRange range = range_of(model, joint, i);
      lower[size(joint.v + i)] = range.lower;
      upper[size(joint.v + i)] = range.upper;
    }
  }
}

void random_configuration(const Model& model, RandomStream& stream, std::span<double> q) {
  require_size("random_configuration", "q", q.size(), size(model.nq()));
  for (const IndependentJoint& joint : model.independent_joints()) {
    const int place = quaternion_place(joint.kind);
    const int plain = place < 0 ? facts(joint.kind).nv : place;  // coordinates before the quaternion
    for (int i = 0; i < plain; ++i) {
      const PositionRange range = range_of(model, joint, i);
      const double reach = is_angle(joint.kind, i) ? kPi<double> : 1.0;
      double low = std::isfinite(range.lower) ? range.lower : min(-reach, range.upper - reach);
      double high = std::isfinite(range.upper) ? range.upper : max(reach, range.lower + reach);
      if (!std::isfinite(high - low)) {  // the width overflows: the same as no limits, and the default range is within
        low = -reach;
        high = reach;
      }
      q[size(joint.q + i)] = stream.uniform(low, high);
    }
    if (place >= 0) store_quaternion(uniform_rotation(stream), q.data() + joint.q + place);
  }
}

}  // namespace pintle
