// PoseErrors: how far places of a mechanism are from where they should be, and how that changes with its dofs.
#pragma once

#include <span>
#include <vector>

#include "pintle/dynamics/kinematics.h"

namespace pintle {

/// Where a place F of the mechanism should stand: on the frame T. The error is in the axes of T: the position of F
/// [m], and the rotation vector of F against T [rad].
struct PoseTarget {
  Place place;
  Pose<> X_WT = identity_pose<double>();
  /// How much each axis of T counts; 0 leaves it free. Orientation (1, 1, 0): the z axes agree, F may spin about z.
  Vec3<> position_weight{1.0, 1.0, 1.0};
  Vec3<> orientation_weight{1.0, 1.0, 1.0};
};

/// What is left of the errors of one target, over the axes that count.
struct TargetResidual {
  double position;     ///< [m]
  double orientation;  ///< [rad]
};

class PoseErrorsWorkspace {
 public:
  PoseErrorsWorkspace(const Model& model, std::size_t max_targets);

  /// A dof between a target's place and the root: how the place moves with it, in the place's frame.
  struct Column {
    Twist<> J;
    int source;
    double ratio;
    int link;
    bool turning_frame;  ///< the joint has a quaternion: its columns stand still in the link's frame
  };
  /// The errors of one target and their gradient.
  struct Error {
    Vec3<> position, orientation;
    Mat3<> R_TF, orientation_jacobian;
    Wrench<> F;  ///< what the weighted errors pull with, in the place's frame; of the cost's dimension
  };

  KinematicsWorkspace kinematics;
  std::vector<double> zero;
  std::vector<Pose<>> X_AT;  ///< the targets seen from the fixed side of their root joint
  std::vector<Error> errors;
  std::vector<TargetResidual> residuals;
  std::vector<Column> columns;
};

/// The weighted errors of targets, over the largest weight; a rotation of 1 rad counts as a translation of `length`.
class PoseErrors {
 public:
  /// `length` 0: the longest way along the links from a root joint to a place, or 1 m where that is zero. Throws
  /// UsageError for targets that cannot be. The targets must stay as they are.
  PoseErrors(const Model& model, std::span<const PoseTarget> targets, double length, PoseErrorsWorkspace& work);

  double length() const { return length_; }

  /// Half the sum of the squares of all weighted errors at q [m^2]. What is asked below is about this q.
  double cost(std::span<const double> q);

  /// Adds to the gradient of the cost (nv numbers), to Gauss and Newton's part of its second derivative and to the rest
  /// of it (nv x nv, row-major each).
  void linearise(std::span<double> gradient, std::span<double> H, std::span<double> curvature);

  std::span<const TargetResidual> residuals() const { return {work_.residuals.data(), targets_.size()}; }

  /// Every error that counts is below the tolerance, in rad or in lengths, up to rounding.
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
