// PoseErrors: the pose errors of places of a mechanism against their targets, and their derivatives by the dofs.
#pragma once

#include <span>
#include <vector>

#include "pintle/dynamics/kinematics.h"

namespace pintle {

/// The target of a place F of the mechanism: the frame T. The error is in the axes of T: the position of F [m], and the
/// rotation vector of F relative to T [rad].
struct PoseTarget {
  Place place;
  Pose<> X_WT = identity_pose<double>();
  /// Weight of each axis of T; 0 leaves it free. Orientation (1, 1, 0): the z axes agree, F may rotate about z.
  Vec3<> position_weight{1.0, 1.0, 1.0};
  Vec3<> orientation_weight{1.0, 1.0, 1.0};
};

/// The residual errors of one target, over the axes of nonzero weight.
struct TargetResidual {
  double position;     ///< [m]
  double orientation;  ///< [rad]
};

class PoseErrorsWorkspace {
 public:
  PoseErrorsWorkspace(const Model& model, std::size_t max_targets);

  /// A dof between a target's place and the root: its column of the place's Jacobian, in the place's frame.
  struct Column {
    Twist<> J;
    int source;
    double ratio;
    int link;
    bool turning_frame;  ///< the joint has a quaternion: its columns are constant in the link's frame
  };
  /// The errors of one target and their gradient.
  struct Error {
    Vec3<> position, orientation;
    Mat3<> R_TF, orientation_jacobian;
    Wrench<> F;  ///< generalised force of the weighted errors, in the place's frame; in units of the cost
  };

  KinematicsWorkspace kinematics;
  std::vector<double> zero;
  std::vector<Pose<>> X_AT;  ///< the targets relative to the fixed side of their root joint
  std::vector<Error> errors;
  std::vector<TargetResidual> residuals;
  std::vector<Column> columns;
};

/// The weighted errors of targets, normalised by the largest weight; a rotation of 1 rad counts as a translation of
/// `length`.
class PoseErrors {
 public:
  /// `length` 0: the longest path along the links from a root joint to a place, or 1 m where that is zero. Throws
  /// UsageError for invalid targets. The targets must not change.
  PoseErrors(const Model& model, std::span<const PoseTarget> targets, double length, PoseErrorsWorkspace& work);

  double length() const { return length_; }

  /// Half the sum of the squares of all weighted errors at q [m^2]. The functions below refer to this q.
  double cost(std::span<const double> q);

  /// Adds to the gradient of the cost (nv values), to the Gauss-Newton part of its Hessian and to the rest of it (each
  /// nv x nv, row-major).
  void linearise(std::span<double> gradient, std::span<double> H, std::span<double> curvature);

  std::span<const TargetResidual> residuals() const { return {work_.residuals.data(), targets_.size()}; }

  /// Every error of nonzero weight is below the tolerance, in rad or in lengths, up to rounding.
  bool within(double tolerance) const;

 private:
  Pose<> pose_from_root(const Place& place, std::span<const double> q);
  Vec3<> position_squares(const PoseTarget& target) const;
  Vec3<> orientation_squares(const PoseTarget& target) const;
  std::size_t gather_columns(const Place& place);

  const Model& model_;
  std::span<const PoseTarget> targets_;
  PoseErrorsWorkspace& work_;
  double length_;
  double unit_ = 1.0;  // one over the largest weight
};

}  // namespace pintle
