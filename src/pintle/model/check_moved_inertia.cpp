#include "pintle/model/check_moved_inertia.h"

#include "pintle/math/elementary_impl.h"
#include "pintle/model/configuration_impl.h"

namespace pintle {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// What each freedom of all joints moves with joint i at 0.3 (i + 1) times `position`: S' I_C S + armature, relative to
/// the largest it could be with that inertia.
void find_moved(const Model& model, double position, std::vector<double>& moved) {
  const std::size_t count = model.links().size();
  std::vector<Pose<>> X_PL(count);
  std::vector<Twist<>> S(model.freedoms().size());
  std::vector<SpatialInertia<>> I_C(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Link& link = model.links()[i];
    double origin[7] = {}, q[7], v[kMostFreedoms];
    if (quaternion_place(link.kind) >= 0) origin[quaternion_place(link.kind) + 3] = 1.0;
    for (int k = 0; k < link.nv; ++k)
      v[k] = 0.3 * position * static_cast<double>(1 + (i + static_cast<std::size_t>(k)) % 7);
    integrate_joint(link.kind, origin, v, q);
    X_PL[i] = link.X_PJ * joint_motion(link, q, S.data() + link.v);
    I_C[i] = link.inertia;
  }
  for (std::size_t i = count; i-- > 0;) {
    const Link& link = model.links()[i];
    const SpatialInertia<>& I = I_C[i];
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const Twist<>& s = S[size(k)];
      const double most = I.mass * norm_squared(s.linear) + trace(I.inertia) * norm_squared(s.angular);
      const double armature = model.freedoms()[size(k)].passive.armature;
      const double inertia = dot(s, I * s) + armature;
      // Below this it is rounding of the bodies' inertia.
      if (inertia > 64.0 * kEpsilon<double> * (most + armature)) moved[size(k)] = inertia;
    }
    if (link.parent >= 0) I_C[size(link.parent)] = I_C[size(link.parent)] + X_PL[i] * I;
  }
}

}  // namespace

Diagnostics check_moved_inertia(const Model& model, const ModelSpec& spec) {
  std::vector<double> moved(model.freedoms().size(), 0.0);
  for (const double position : {0.0, 1.0, -1.7}) find_moved(model, position, moved);
  Diagnostics problems;
  for (std::size_t k = 0; k < moved.size(); ++k) {
    const JointSpec& joint = spec.joints[size(model.freedoms()[k].joint)];
    if (moved[k] > 0.0 || joint.prescribed) continue;
    Diagnostic problem;
    problem.code = "joint-without-inertia";
    problem.origin = joint.origin;
    problem.what = "joint '" + joint.name + "' moves nothing that has inertia along its freedom " +
                   std::to_string(model.freedoms()[k].index + 1) + " of " + std::to_string(facts(joint.kind).nv);
    problem.why = "an effort there would give an infinite acceleration";
    problem.fix = "give the bodies outboard of it mass or inertia, give it armature, or prescribe its motion";
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace pintle
