// The accelerations that a step of semi-implicit Euler has used.
#pragma once

#include <vector>

#include "engine.h"
#include "pintle/simulation/integrators/chart_impl.h"

namespace peers {

/// vdot at the start of a step from velocities `before` to those in `answer`, which it replaces: their difference per
/// time, but of a floating base, which Pintle advances by the centre of mass of its link, by the inverse of that.
inline void accelerations_of_step(const pintle::Model& model, const std::vector<double>& before,
                                  std::vector<double>& answer) {
  using pintle::Vec3;
  std::vector<double> after = answer;
  for (std::size_t i = 0; i < answer.size(); ++i) answer[i] = (after[i] - before[i]) / kStep;
  for (const pintle::ChartJoint& joint : pintle::chart_joints(model)) {
    if (joint.kind != pintle::JointKind::free) continue;
    const double *const v0 = before.data() + joint.v, *const v1 = after.data() + joint.v;
    double* const vdot = answer.data() + joint.v;
    const double xi[6] = {0, 0, 0, kStep * v1[3], kStep * v1[4], kStep * v1[5]};
    double u0[6], u1[6];
    pintle::chart_velocity_joint(joint.kind, joint.center, pintle::NoRotation(), v0, u0);
    pintle::chart_velocity_joint(joint.kind, joint.center, pintle::chart_rotation_joint(joint.kind, xi), v1, u1);
    const Vec3<double> c = joint.center, w{v0[3], v0[4], v0[5]}, wdot{vdot[3], vdot[4], vdot[5]};
    const Vec3<double> of_center{(u1[0] - u0[0]) / kStep, (u1[1] - u0[1]) / kStep, (u1[2] - u0[2]) / kStep};
    const Vec3<double> linear = of_center - cross(wdot, c) - cross(w, Vec3<double>{u0[0], u0[1], u0[2]});
    vdot[0] = linear.x;
    vdot[1] = linear.y;
    vdot[2] = linear.z;
  }
}

}  // namespace peers
