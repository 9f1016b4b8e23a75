// A floating tree in momentum state (seed 004): its total momentum is integrated, and the velocity of its root follows
// from it.
#pragma once

#include "pintle/base/buffer.h"
#include "pintle/dynamics/centroidal.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

/// Wraps another system, of a model with one root on a free joint, and appends nine values to its auxiliary state: the
/// position r_b [m] of a point b of the root body, and the momentum p [kg m/s] and L_b [kg m^2/s] about b of all
/// bodies, in world axes.
///
/// `prescribe` sets the root's position from r_b and its velocity from the momentum, the configuration and the joint
/// speeds: V = I_C^-1 (M - momentum of the joint speeds alone). The derivatives are dr_b/dt = v_b, dp/dt = F and
/// dL_b/dt = tau_b - v_b x p, with F and tau_b the external wrench: from MotionSystem::outside_wrench or, if that
/// returns false, the derivative of the momentum for the accelerations of the other system. The position is part of the
/// state for the sake of L_b + r_b x p: it is linear in r_b and L_b while p does not change, so that every integrator
/// keeps it to rounding in free flight. (Without r_b only to its order.) Rotors (armature) carry no momentum, as in
/// centroidal_momentum.h.  [eq. momentum-state]
class MomentumForm : public MotionSystem {
 public:
  /// b [m] is in the frame of the body on the root joint. The other system must outlive this one. UsageError unless its
  /// model is connected to the world by one joint of six dofs, and has mass.
  explicit MomentumForm(MotionSystem& other, const Vec3<>& b = {0.0, 0.0, 0.0});

  const Model& model() const override { return other_.model(); }
  int auxiliary_count() const override { return other_.auxiliary_count() + kNumbers; }
  bool derivatives(double t, std::span<const double> q, std::span<const double> v, std::span<const double> auxiliary,
                   std::span<double> vdot, std::span<double> auxiliary_derivative) override;
  void prescribe(double t, std::span<double> q, std::span<double> v, std::span<const double> auxiliary) override;
  std::span<const unsigned char> imposed() const override { return {imposed_levels_.data(), imposed_levels_.size()}; }
  bool outside_wrench(const Vec3<>& point, Wrench<>& wrench) override { return other_.outside_wrench(point, wrench); }
  double driven_rate() const override { return other_.driven_rate(); }
  int failed_joint() const override { return other_.failed_joint(); }

  /// Fills the nine values of a state from its q and v: the start of a run. Sizes must fit, else UsageError; likewise
  /// below.
  void take_momentum(MotionState& state);

  /// r_b of a state.
  Vec3<> position(const MotionState& state) const;
  /// p and L_b of a state.  [eq. momentum]
  Momentum<> momentum(const MotionState& state) const;

 private:
  static constexpr int kNumbers = 9;

  /// The root at a configuration.
  struct Root {
    Mat3<> R_WL;
    Vec3<> b;  ///< from the link's origin, in world axes
  };
  Root root_at(std::span<const double> q) const;
  std::span<const double> own(std::span<const double> auxiliary) const;
  void require_sizes(const char* function, const MotionState& state) const;
  Wrench<> momentum_of_joints(std::span<const double> q, std::span<const double> v);

  MotionSystem& other_;
  std::size_t others_;  // size of the auxiliary state of the other system
  std::size_t q_, v_;   // where the root's values begin
  Vec3<> b_L_;          // b in the root link
  KinematicsWorkspace place_;
  CentroidalWorkspace scratch_;
  Buffer<Wrench<>> momenta_;  // of each link and its descendants
  Buffer<double> speeds_, zero_;
  Buffer<unsigned char> imposed_levels_;
};

}  // namespace pintle
