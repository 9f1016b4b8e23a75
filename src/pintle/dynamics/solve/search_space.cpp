#include "pintle/dynamics/solve/search_space.h"

#include "pintle/base/size.h"
#include "pintle/math/elementary.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/model/links/configuration_impl.h"

namespace pintle {
SearchSpace::SearchSpace(const Model& model)
    : lower(size(model.nv())),
      upper(lower.size()),
      q_number(lower.size(), -1),
      turn(lower.size()),
      travel(lower.size()),
      weight(lower.size()) {
  position_ranges(model, lower, upper);
  for (const IndependentJoint& joint : model.independent_joints()) {
    if (quaternion_place(joint.kind) >= 0) continue;
    for (int i = 0; i < facts(joint.kind).nv; ++i) q_number[size(joint.v + i)] = joint.q + i;
  }
  for (const Link& link : model.links()) {
    const double anywhere[7] = {};  // the lengths of the columns are the same everywhere
    Twist<> S[kMaxDofs];
    (void)joint_motion(link, anywhere, S);
    for (int k = 0; k < link.nv; ++k) {
      const CoordinateSource& source = model.v_sources()[size(link.v + k)];
      turn[size(source.source)] += source.ratio * source.ratio * norm_squared(S[k].angular);
      travel[size(source.source)] += source.ratio * source.ratio * norm_squared(S[k].linear);
    }
  }
  set_length(1.0);
}

void SearchSpace::set_length(double length) {
  for (std::size_t k = 0; k < weight.size(); ++k) weight[k] = travel[k] + length * length * turn[k];
}

void SearchSpace::clamp(std::span<double> q) const {
  for (std::size_t k = 0; k < q_number.size(); ++k) {
    if (q_number[k] < 0) continue;
    double& x = q[size(q_number[k])];
    x = x < lower[k] ? lower[k] : x > upper[k] ? upper[k] : x;
  }
}

void SearchSpace::room(std::span<const double> q, std::span<double> below, std::span<double> above) const {
  for (std::size_t k = 0; k < q_number.size(); ++k) {
    const double x = q_number[k] < 0 ? 0.0 : q[size(q_number[k])];
    below[k] = lower[k] - x;
    above[k] = upper[k] - x;
  }
}

void SearchSpace::move(const Model& model, std::span<const double> q, std::span<const double> step,
                       std::span<double> result) const {
  integrate(model, q, step, result);
  clamp(result);
}

double SearchSpace::length_of(std::span<const double> step) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < step.size(); ++k) sum += weight[k] * step[k] * step[k];
  return sqrt(sum);
}

int SearchSpace::side(std::span<const double> q, std::size_t dof) const {
  if (q_number[dof] < 0) return 0;
  const double x = q[size(q_number[dof])];
  return x <= lower[dof] ? -1 : x >= upper[dof] ? 1 : 0;
}

double way_from_root(const Model& model, int link) {
  double way = 0.0;
  while (link >= 0 && model.links()[size(link)].parent >= 0) {
    way += norm(model.links()[size(link)].X_PJ.translation);
    link = model.links()[size(link)].parent;
  }
  return way;
}

}  // namespace pintle
