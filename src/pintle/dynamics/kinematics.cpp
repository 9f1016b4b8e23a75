#include "pintle/dynamics/kinematics.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/kernels/kernels.h"
#include "pintle/math/number_arrays.h"

namespace pintle {
namespace {

/// Adds to J the columns of the joints from a place's link inwards, down to but excluding the link `end`, times sign.
void add_columns(const Model& model, const ConstTreeMotion<double>& motion, const Place& place, int end,
                 const Pose<>& X_FP, const Pose<>& X_WF, Axes axes, double sign, std::span<double> J) {
  const std::size_t nv = size(model.nv());
  Pose<> X_FL = X_FP * inverse(place.X_LF);  // of the current link
  for (int at = place.link; at != end; at = model.links()[size(at)].parent) {
    const Link& link = model.links()[size(at)];
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const CoordinateSource& source = model.v_sources()[size(k)];
      const std::array<double, 6> column = to_array(in_axes(X_FL * motion.S[k], X_WF, axes));
      for (std::size_t row = 0; row < 6; ++row) J[row * nv + size(source.source)] += sign * source.ratio * column[row];
    }
    X_FL = X_FL * inverse(motion.X_PL[at]);
  }
}

/// The pose of a place in the frame of a link that carries it.
Pose<> pose_in(const Model& model, const ConstTreeMotion<double>& motion, const Place& place, int carrier) {
  Pose<> X_CF = place.X_LF;
  for (int at = place.link; at != carrier; at = model.links()[size(at)].parent) X_CF = motion.X_PL[at] * X_CF;
  return X_CF;
}

/// The outermost link that carries both, -1 when that is the world.
int common_link(const Model& model, int a, int b) {
  while (a != b) (a > b ? a : b) = model.links()[size(a > b ? a : b)].parent;
  return a;
}

/// A place must be on a link that the workspace knows.
void require_place(const char* function, const KinematicsWorkspace& work, const Place& place) {
  require(place.link < static_cast<int>(work.X_WL.size()), function, "place", "it belongs to another model");
}

}  // namespace

KinematicsWorkspace::KinematicsWorkspace(const Model& model)
    : sizes(model),
      joints(model),
      positions(model.q_sources().size()),
      velocities(model.dofs().size()),
      accelerations(model.dofs().size()),
      efforts(model.dofs().size()),
      X_WL(model.links().size()),
      A(model.links().size()),
      motion(model) {}

void kinematics(const Model& model, std::span<const double> q, std::span<const double> v, std::span<const double> vdot,
                KinematicsWorkspace& work, const RootMotion& root) {
  require_size("kinematics", "q", q.size(), size(model.nq()));
  require_size("kinematics", "v", v.size(), size(model.nv()));
  require_size("kinematics", "vdot", vdot.size(), size(model.nv()));
  require_fit("kinematics", work.sizes, model);
  const double* const joint_q = joint_configuration(model, q, work.joints.q);
  const double* const joint_v = joint_velocity(model, v, work.joints.v);
  const double* const joint_vdot = joint_velocity(model, vdot, work.joints.vdot);
  for (std::size_t k = 0; k < work.positions.size(); ++k) work.positions[k] = joint_q[k];
  for (std::size_t k = 0; k < work.velocities.size(); ++k) {
    work.velocities[k] = joint_v[k];
    work.accelerations[k] = joint_vdot[k];
  }
  work.root = root;
  LinkTree tree = model.tree();
  tree.root = root;
  tree.gravity = {0.0, 0.0, 0.0};
  dynamics_kernels_in_use().kinematics(tree, joint_q, joint_v, joint_vdot, work.motion.view(), work.X_WL.data(),
                                       work.A.data());
}

void first_order_kinematics(const Model& model, std::span<const double> q, std::span<const double> v,
                            KinematicsWorkspace& work) {
  require_size("first_order_kinematics", "q", q.size(), size(model.nq()));
  require_size("first_order_kinematics", "v", v.size(), size(model.nv()));
  require_fit("first_order_kinematics", work.sizes, model);
  const double* const joint_q = joint_configuration(model, q, work.joints.q);
  const double* const joint_v = joint_velocity(model, v, work.joints.v);
  copy_numbers(joint_q, static_cast<int>(work.positions.size()), work.positions.data());
  copy_numbers(joint_v, static_cast<int>(work.velocities.size()), work.velocities.data());
  work.root = {};
  LinkTree tree = model.tree();
  tree.root = {};
  dynamics_kernels_in_use().first_order_kinematics(tree, joint_q, joint_v, work.motion.view(), work.X_WL.data());
}

Pose<> pose_of(const KinematicsWorkspace& work, const Place& place) {
  require_place("pose_of", work, place);
  return place.link < 0 ? place.X_LF : work.X_WL[size(place.link)] * place.X_LF;
}

Pose<> relative_pose(const Model& model, const KinematicsWorkspace& work, const Place& place, const Place& reference) {
  require_fit("relative_pose", work.sizes, model);
  require_place("relative_pose", work, place);
  require_place("relative_pose", work, reference);
  const auto motion = work.motion.view();
  const int common = common_link(model, place.link, reference.link);
  return inverse_times(pose_in(model, motion, reference, common), pose_in(model, motion, place, common));
}

Twist<> velocity_of(const KinematicsWorkspace& work, const Place& place, Axes axes) {
  require_place("velocity_of", work, place);
  const Twist<>& V_L = place.link < 0 ? work.root.velocity : work.motion.view().V[place.link];
  const Twist<> V_F = inverse_times(place.X_LF, V_L);
  return axes == Axes::local ? V_F : in_axes(V_F, pose_of(work, place), axes);
}

Twist<> acceleration_of(const KinematicsWorkspace& work, const Place& place, Axes axes) {
  require_place("acceleration_of", work, place);
  const RootMotion& root = work.root;
  const Twist<> V_L = place.link < 0 ? root.velocity : work.motion.view().V[place.link];
  const Twist<> V_F = inverse_times(place.X_LF, V_L);
  Twist<> A_L;  // component-wise time derivative of V_L
  if (place.link < 0) {
    A_L = {root.acceleration.linear - cross(V_L.angular, V_L.linear), root.acceleration.angular};
  } else {
    A_L = work.A[size(place.link)];
  }
  Twist<> A_F = inverse_times(place.X_LF, A_L);
  // From the component-wise time derivative to the acceleration of the material point at the origin.
  if (axes != Axes::world) A_F.linear += cross(V_F.angular, V_F.linear);
  return axes == Axes::local ? A_F : in_axes(A_F, pose_of(work, place), axes);
}

void jacobian(const Model& model, const KinematicsWorkspace& work, const Place& place, Axes axes, std::span<double> J) {
  require_fit("jacobian", work.sizes, model);
  require_place("jacobian", work, place);
  require_size("jacobian", "J", J.size(), 6 * size(model.nv()));
  for (double& x : J) x = 0.0;
  add_columns(model, work.motion.view(), place, -1, identity_pose(), pose_of(work, place), axes, 1.0, J);
}

void relative_jacobian(const Model& model, const KinematicsWorkspace& work, const Place& place, const Place& reference,
                       Axes axes, std::span<double> J) {
  require_fit("relative_jacobian", work.sizes, model);
  require_place("relative_jacobian", work, place);
  require_place("relative_jacobian", work, reference);
  require_size("relative_jacobian", "J", J.size(), 6 * size(model.nv()));
  for (double& x : J) x = 0.0;
  const auto motion = work.motion.view();
  const int common = common_link(model, place.link, reference.link);
  const Pose<> X_WF = pose_of(work, place);
  add_columns(model, motion, place, common, identity_pose(), X_WF, axes, 1.0, J);
  if (reference.link == common) return;
  add_columns(model, motion, reference, common, relative_pose(model, work, reference, place), X_WF, axes, -1.0, J);
}

Twist<> jacobian_rate_times_v(const Model& model, const KinematicsWorkspace& work, const Place& place, Axes axes) {
  require_fit("jacobian_rate_times_v", work.sizes, model);
  require_place("jacobian_rate_times_v", work, place);
  require(is_at_rest(work.root), "jacobian_rate_times_v", "work", "its kinematics must have the world at rest");
  if (place.link < 0) return zero_twist();
  const auto motion = work.motion.view();
  Twist<> A_F = zero_twist();
  Pose<> X_FL = inverse(place.X_LF);  // of the current link, from the place towards the root
  for (int at = place.link; at >= 0; at = model.links()[size(at)].parent) {
    A_F += X_FL * motion.c[at];
    X_FL = X_FL * inverse(motion.X_PL[at]);
  }
  const Twist<> V_F = inverse_times(place.X_LF, motion.V[place.link]);
  if (axes == Axes::local_world_aligned) A_F.linear += cross(V_F.angular, V_F.linear);
  return in_axes(A_F, pose_of(work, place), axes);
}

}  // namespace pintle
