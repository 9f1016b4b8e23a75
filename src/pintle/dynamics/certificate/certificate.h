// Certificate: how well a claimed motion satisfies the laws of mechanics, checked by a separate implementation.
//
// It shares no recursion with the algorithms it checks: accelerations come from the vector equations of relative
// motion, and the Newton-Euler equations of every body are checked about its centre of mass, with its own inertia as
// specified.
#pragma once

#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/options.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// What an algorithm claims: the mechanism at (q, v) accelerates with vdot under tau (all in independent coordinates).
struct Claim {
  std::span<const double> q, v, vdot, tau;
  DynamicsOptions options{};
  /// The wrench of each body's joint, fixed or not, on it, in the body's frame, if known (ReactionsWorkspace::on_body).
  std::span<const Wrench<>> joint_wrenches{};
  /// The effort by which each coupling drives its joint [N m, N] (transmission_efforts), if known.
  std::span<const double> transmission{};
};

/// The residuals. `relative` is relative to the sum of the absolute terms of the same body, joint or balance, without
/// cancellation; torques also to the forces at levers of the size of the body and of the distance between its joint and
/// the previous one, so that rounding is never compared with rounding.
struct Certificate {
  /// Whether the claim includes the joint wrenches. If not, the balances of the bodies define them, force_balance is
  /// zero, and the joint equations are the test.
  bool joint_wrenches_checked = false;
  /// Whether the claim includes the efforts of the couplings. If not, the equations of the driven joints define them.
  bool transmission_checked = false;
  double force_balance_relative = 0.0;  ///< Newton-Euler equations of the bodies, the worst
  double force_balance_newton = 0.0;    ///< its size [N, or N m about the centre of mass]
  int worst_body = -1;                  ///< that body (Model::bodies), -1 without bodies
  double joint_balance_relative = 0.0;  ///< tau + passive = S'f + armature vdot of the dofs, the worst
  double joint_balance_effort = 0.0;    ///< its size [N m, or N]
  int worst_joint = -1;                 ///< its joint (Model::joints), -1 without dofs
  double power_balance_relative = 0.0;  ///< d/dt kinetic energy = power of everything that acts
  double power_balance_watt = 0.0;      ///< its size [W]

  /// The largest of the three; NaN when any is.
  double worst() const;
};

class CertificateWorkspace {
 public:
  explicit CertificateWorkspace(const Model& model);

  ModelSizes sizes;
  JointArrays<> joints;
  Buffer<double> passive, effort, effort_scale;  // of all joints
  Buffer<double> transmission;  ///< per coupling: the effort by which it drives its joint, claimed or found

  /// Motion of one link, in world axes. A scale is the sum of the absolute terms of the preceding quantity.
  struct LinkMotion {
    Mat3<> R_WL;
    Vec3<> d;               // its origin from its parent's origin
    Vec3<> v, w, a, alpha;  // of its origin; true accelerations
    double a_scale, alpha_scale;
  };
  /// Wrenches on one body, in world axes.
  struct BodyBalance {
    Vec3<> origin, center;  // its origin and its centre of mass, from the link's origin
    Vec3<> force, torque;   // required besides weight and external wrench, about the centre of mass
    double force_scale, torque_scale;
    Wrench<> joint;  // of its joint, about its origin
    double joint_force_scale, joint_torque_scale;
  };
  Buffer<LinkMotion> links;
  Buffer<BodyBalance> bodies;
  Buffer<Twist<>> S;
};

/// Checks a claim. Sizes as in forward_dynamics, else UsageError.  [eq. newton-euler]
Certificate certify(const Model& model, const Claim& claim, CertificateWorkspace& work);

}  // namespace pintle
