// Models of one joint or of a random tree, and configurations compared.
#pragma once

#include <limits>
#include <vector>

#include "pintle/model/compiled/configuration.h"
#include "pintle/model/links/configuration_impl.h"
#include "support/arms.h"
#include "support/law.h"
#include "support/random_model.h"

namespace test {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kEps = kEpsilon<double>;

inline std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// Every variety of tree in turn, couplings included.
inline Model random_model(std::uint64_t run, RandomStream& stream) {
  RandomModelOptions options;
  options.links = 1 + static_cast<int>(run % 16);
  options.couplings = run % 2 == 1;
  options.welds = run % 3 == 0;
  return compile(random_spec(stream, options)).value();
}

template <class Law>
void for_random_models(Law law) {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    RandomStream stream(61, run);
    const Model model = random_model(run, stream);
    const RandomState state(model, stream);
    law(model, state, stream);
  }
}

/// One body on one joint, which stands anywhere.
inline Model one_joint(JointKind kind, RandomStream& stream, const std::vector<JointLimits>& limits = {}) {
  RandomModelOptions options;
  options.links = 1;
  ModelSpec spec = random_spec(stream, options);
  spec.joints[0].kind = kind;
  if (kind == JointKind::fixed) spec.joints[0].passive.clear();
  spec.joints[0].limits = limits;
  return compile(spec).value();
}

/// Largest difference of two lists of numbers.
inline double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = max(most, abs(a[i] - b[i]));
  return most;
}

/// How far quaternions are from unit length.
inline double worst_length_error(const Model& model, const std::vector<double>& q) {
  double most = 0.0;
  for (const IndependentJoint& joint : model.independent_joints()) {
    const int place = quaternion_place(joint.kind);
    if (place >= 0) most = max(most, abs(norm(load_quaternion(q.data() + joint.q + place)) - 1.0));
  }
  return most;
}

}  // namespace test
