// Every tagged equation of seed 003: the dynamics of a body in plain vectors, about its joint. World axes throughout.
//
// r_i is the joint's point on body i, v_i and a_i its velocity and acceleration, c_i the way from it to the centre of
// mass. A joint turns by z_i `turn` and travels by z_i `travel` per unit of q: a screw has turn = 1 and travel = h, a
// revolute joint h = 0, and a prismatic joint, the limit of an infinite pitch, turn = 0 and travel = 1.
#pragma once

#include "pintle/math/mat3.h"

namespace test {

using namespace pintle;

template <class T>
struct VectorJoint {
  Vec3<T> z;  ///< unit vector along the axis
  Vec3<T> r;  ///< the joint's point on body i
  T turn, travel;
};

/// What moves: the point r of a body with velocity v and acceleration a; angular velocity and acceleration.
template <class T>
struct VectorMotion {
  Vec3<T> r, v, omega, a, alpha;
};

/// w_i = w_{i-1} + z qd  [vec-vel-rot]
template <class T>
Vec3<T> vec_vel_rot(const VectorMotion<T>& before, const VectorJoint<T>& joint, const T& qd) {
  return before.omega + joint.turn * qd * joint.z;
}

/// v_i + r_i x w_i = v_{i-1} + r_{i-1} x w_{i-1} + r_i x z qd + h z qd  [vec-vel-lin], solved for v_i
template <class T>
Vec3<T> vec_vel_lin(const VectorMotion<T>& before, const VectorJoint<T>& joint, const Vec3<T>& omega, const T& qd) {
  const Vec3<T> turned = joint.turn * qd * joint.z, travelled = joint.travel * qd * joint.z;
  return before.v + cross(before.r, before.omega) + cross(joint.r, turned) + travelled - cross(joint.r, omega);
}

/// alpha_i = alpha_{i-1} + z qdd + w_i x z qd  [vec-acc-rot]
template <class T>
Vec3<T> vec_acc_rot(const VectorMotion<T>& before, const VectorJoint<T>& joint, const Vec3<T>& omega, const T& qd,
                    const T& qdd) {
  return before.alpha + joint.turn * qdd * joint.z + cross(omega, joint.turn * qd * joint.z);
}

/// a_i + r_i x alpha_i + v_i x w_i = a_{i-1} + r_{i-1} x alpha_{i-1} + v_{i-1} x w_{i-1} + r_i x z qdd + h z qdd
///   + (v_i + r_i x w_i) x z qd + w_i x (r_i x z qd + h z qd)  [vec-acc-lin], solved for a_i
template <class T>
Vec3<T> vec_acc_lin(const VectorMotion<T>& before, const VectorJoint<T>& joint, const Vec3<T>& v, const Vec3<T>& omega,
                    const Vec3<T>& alpha, const T& qd, const T& qdd) {
  const Vec3<T> turned = joint.turn * qd * joint.z, travelled = joint.travel * qd * joint.z;
  const Vec3<T> turning = joint.turn * qdd * joint.z, travelling = joint.travel * qdd * joint.z;
  return before.a + cross(before.r, before.alpha) + cross(before.v, before.omega) + cross(joint.r, turning) +
         travelling + cross(v + cross(joint.r, omega), turned) + cross(omega, cross(joint.r, turned) + travelled) -
         cross(joint.r, alpha) - cross(v, omega);
}

/// p = m (v + w x c)  [vec-mom-lin]
template <class T>
Vec3<T> vec_mom_lin(const T& m, const Vec3<T>& c, const VectorMotion<T>& at) {
  return m * (at.v + cross(at.omega, c));
}

/// L = I w + c x p, about the joint  [vec-mom-ang]
template <class T>
Vec3<T> vec_mom_ang(const Mat3<T>& I_c, const Vec3<T>& c, const Vec3<T>& p, const VectorMotion<T>& at) {
  return I_c * at.omega + cross(c, p);
}

/// F_net = m (a + alpha x c + w x (w x c))  [vec-frc-lin]
template <class T>
Vec3<T> vec_frc_lin(const T& m, const Vec3<T>& c, const VectorMotion<T>& at) {
  return m * (at.a + cross(at.alpha, c) + cross(at.omega, cross(at.omega, c)));
}

/// tau_net = I alpha + w x I w + c x F_net, about the joint  [vec-frc-ang]
template <class T>
Vec3<T> vec_frc_ang(const Mat3<T>& I_c, const Vec3<T>& c, const Vec3<T>& F_net, const VectorMotion<T>& at) {
  return I_c * at.alpha + cross(at.omega, I_c * at.omega) + cross(c, F_net);
}

/// Q = z.tau + h z.F: the effort that the joint's force F and its torque tau about the joint have along the joint.
template <class T>
T vec_joint_condition(const VectorJoint<T>& joint, const Vec3<T>& tau, const Vec3<T>& F) {
  return joint.turn * dot(joint.z, tau) + joint.travel * dot(joint.z, F);
}

}  // namespace test
