#include "pintle/dynamics/kinematics.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/joint_numbers.h"
#include "pintle/dynamics/kernels.h"

namespace pintle {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// A motion with the numbers of the place's own frame, in the axes asked for.
Twist<> in_axes(const Twist<>& V_F, const Pose<>& X_WF, Axes axes) {
  switch (axes) {
    case Axes::world:
      return X_WF * V_F;
    case Axes::local_world_aligned:
      return {X_WF.rotation * V_F.linear, X_WF.rotation * V_F.angular};
    case Axes::local:
      break;
  }
  return V_F;
}

}  // namespace

KinematicsWorkspace::KinematicsWorkspace(const Model& model)
    : joints(model),
      velocities(model.freedoms().size()),
      X_WL(model.links().size()),
      A(model.links().size()),
      motion(model) {}

void kinematics(const Model& model, std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
                KinematicsWorkspace& work) {
  require_size("kinematics", "q", q.size(), size(model.nq()));
  require_size("kinematics", "v", v.size(), size(model.nv()));
  require_size("kinematics", "vdot", vdot.size(), size(model.nv()));
  const double* const joint_q = joint_configuration(model, q, work.joints.q);
  const double* const joint_v = joint_velocity(model, v, work.joints.v);
  const double* const joint_vdot = joint_velocity(model, vdot, work.joints.vdot);
  for (std::size_t k = 0; k < work.velocities.size(); ++k) work.velocities[k] = joint_v[k];
  const TreeMotion<double> motion = work.motion.view();
  dynamics_kernels_in_use().tree_motion(model.tree(), joint_q, joint_v, motion);
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    const std::size_t parent = size(link.parent);
    work.X_WL[i] = link.parent < 0 ? motion.X_PL[i] : work.X_WL[parent] * motion.X_PL[i];
    work.A[i] = motion.c[i];
    if (link.parent >= 0) work.A[i] += inverse_times(motion.X_PL[i], work.A[parent]);
    for (int k = link.v; k < link.v + link.nv; ++k) work.A[i] += motion.S[k] * joint_vdot[k];
  }
}

Pose<> pose_of(const KinematicsWorkspace& work, const Place& place) {
  return place.link < 0 ? place.X_LF : work.X_WL[size(place.link)] * place.X_LF;
}

Twist<> velocity_of(KinematicsWorkspace& work, const Place& place, Axes axes) {
  if (place.link < 0) return zero_twist();
  return in_axes(inverse_times(place.X_LF, work.motion.view().V[place.link]), pose_of(work, place), axes);
}

Twist<> acceleration_of(KinematicsWorkspace& work, const Place& place, Axes axes) {
  if (place.link < 0) return zero_twist();
  Twist<> A_F = inverse_times(place.X_LF, work.A[size(place.link)]);
  const Twist<> V_F = inverse_times(place.X_LF, work.motion.view().V[place.link]);
  // From the rate of the numbers to the acceleration of the material point at the origin.
  if (axes != Axes::world) A_F.linear += cross(V_F.angular, V_F.linear);
  return in_axes(A_F, pose_of(work, place), axes);
}

void jacobian(const Model& model, KinematicsWorkspace& work, const Place& place, Axes axes, std::span<double> J) {
  const std::size_t nv = size(model.nv());
  require_size("jacobian", "J", J.size(), 6 * nv);
  for (double& x : J) x = 0.0;
  const Pose<> X_WF = pose_of(work, place);
  const TreeMotion<double> motion = work.motion.view();
  Pose<> X_FL = inverse(place.X_LF);  // of the link at hand, from the place towards the root
  for (int at = place.link; at >= 0; at = model.links()[size(at)].parent) {
    const Link& link = model.links()[size(at)];
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const CoordinateSource& source = model.v_sources()[size(k)];
      const std::array<double, 6> column = to_array(in_axes(X_FL * motion.S[k], X_WF, axes));
      for (std::size_t row = 0; row < 6; ++row) J[row * nv + size(source.source)] += source.ratio * column[row];
    }
    X_FL = X_FL * inverse(motion.X_PL[at]);
  }
}

}  // namespace pintle
