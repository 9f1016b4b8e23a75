#include "pintle/model/configuration.h"

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/math/distributions.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/configuration_impl.h"

namespace pintle {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// A bound of a driver, moved inwards by roundings until the joint coupled to it keeps its own limits to the bit.
double within(const ModelCoupling& coupling, const JointLimits& own, double bound, double inwards) {
  constexpr int kMostRoundings = 8;
  for (int i = 0; i < kMostRoundings && std::isfinite(bound); ++i) {
    const double follower = coupling.ratio * bound + coupling.offset;
    if (own.lower <= follower && follower <= own.upper) break;
    bound = std::nextafter(bound, inwards);
  }
  return bound;
}

/// Takes away from the limits of a driver what those of the joints coupled to it forbid. UsageError when nothing is
/// left.
void narrow_by_couplings(const char* function, const Model& model, int driver, JointLimits& limits) {
  for (const ModelCoupling& coupling : model.couplings()) {
    if (coupling.driver != driver) continue;
    const ModelJoint& joint = model.joints()[size(coupling.joint)];
    const JointLimits& own = model.freedoms()[size(joint.v)].limits;
    const double a = (own.lower - coupling.offset) / coupling.ratio, b = (own.upper - coupling.offset) / coupling.ratio;
    const double low = min(a, b), high = max(a, b);
    limits.lower = max(limits.lower, low < high ? within(coupling, own, low, high) : low);
    limits.upper = min(limits.upper, low < high ? within(coupling, own, high, low) : high);
    if (limits.lower > limits.upper) {
      throw UsageError(std::string(function) + ": the limits of joint '" + joint.name + "' and of its driver '" +
                       model.joints()[size(driver)].name + "' leave no position");
    }
  }
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
    double largest = 0.0;  // divided out first, so that the squares stay within range
    bool finite = true;
    for (int i = 0; i < 4; ++i) {
      largest = max(largest, abs(at[i]));
      finite = finite && std::isfinite(at[i]);
    }
    if (!finite || largest == 0.0) {
      throw UsageError("normalize: the quaternion of joint '" + model.joints()[size(joint.joint)].name +
                       "' has no direction");
    }
    store_quaternion(normalized(Quaternion<>{at[0] / largest, at[1] / largest, at[2] / largest, at[3] / largest}), at);
  }
}

void position_ranges(const Model& model, std::span<double> lower, std::span<double> upper) {
  require_size("position_ranges", "lower", lower.size(), size(model.nv()));
  require_size("position_ranges", "upper", upper.size(), size(model.nv()));
  for (const IndependentJoint& joint : model.independent_joints()) {
    const int nv = facts(joint.kind).nv;
    for (int i = 0; i < nv; ++i) {
      JointLimits limits;
      if (quaternion_place(joint.kind) < 0)
        limits = model.freedoms()[size(model.joints()[size(joint.joint)].v + i)].limits;
      if (nv == 1) narrow_by_couplings("position_ranges", model, joint.joint, limits);
      lower[size(joint.v + i)] = limits.lower;
      upper[size(joint.v + i)] = limits.upper;
    }
  }
}

void random_configuration(const Model& model, RandomStream& stream, std::span<double> q) {
  require_size("random_configuration", "q", q.size(), size(model.nq()));
  for (const IndependentJoint& joint : model.independent_joints()) {
    const int place = quaternion_place(joint.kind);
    const int plain = place < 0 ? facts(joint.kind).nv : place;  // numbers before the quaternion
    const int first_freedom = model.joints()[size(joint.joint)].v;
    for (int i = 0; i < plain; ++i) {
      JointLimits limits = model.freedoms()[size(first_freedom + i)].limits;
      if (plain == 1) narrow_by_couplings("random_configuration", model, joint.joint, limits);
      const double reach = is_angle(joint.kind, i) ? kPi<double> : 1.0;
      const double low = std::isfinite(limits.lower) ? limits.lower : min(-reach, limits.upper - reach);
      const double high = std::isfinite(limits.upper) ? limits.upper : max(reach, limits.lower + reach);
      q[size(joint.q + i)] = stream.uniform(low, high);
    }
    if (place >= 0) store_quaternion(uniform_rotation(stream), q.data() + joint.q + place);
  }
}

}  // namespace pintle
