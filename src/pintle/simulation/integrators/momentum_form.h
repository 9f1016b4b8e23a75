// A floating tree in momentum state (seed 004): its momentum as a whole is integrated, and the velocity of its root
// follows from it.
#pragma once

#include "pintle/base/buffer.h"
#include "pintle/dynamics/centroidal.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

/// Another system, of a model with one root on a free joint, with nine further numbers after those of the other: the
/// position r_b [m] of a point b of the root body, and the momentum p [kg m/s] and L_b [kg m^2/s] about b of all
/// bodies, in world axes.
///
/// `prescribe` sets the root's position from r_b and its velocity from the momentum, the configuration and the joint
/// speeds: V = I_C^-1 (M - momentum of the joint speeds alone). The rates are dr_b/dt = v_b, dp/dt = F and
/// dL_b/dt = tau_b - v_b x p, with F and tau_b all that acts from outside: as MotionSystem::outside_wrench tells or,
/// where it does not, as the rate of momentum that belongs to the accelerations of the other system. The position is
/// one of the numbers for the sake of L_b + r_b x p: it is linear in r_b and L_b while p does not change, so that every
/// integrator keeps it to rounding in free flight. (Without r_b only as well as its order says.) Rotors (armature)
/// carry no momentum, as in centroidal_momentum.h.  [eq. momentum-state]
class MomentumForm : public MotionSystem {
 public:
  /// b [m] is in the frame of the body on the root joint. The other system must outlive this one. UsageError unless its
  /// model hangs on one joint of six dofs, on the world, and has mass.
  explicit MomentumForm(MotionSystem& other, const Vec3<>& b = {0.0, 0.0, 0.0});

  const Model& model() const override { return other_.model(); }
  int auxiliary_count() const override { return other_.auxiliary_count() + kNumbers; }
  bool derivatives(double t, std::span<const double> q, std::span<const double> v, std::span<const double> auxiliary,
                   std::span<double> vdot, std::span<double> auxiliary_derivative) override;
  void prescribe(double t, std::span<double> q, std::span<double> v, std::span<const double> auxiliary) override;
  std::span<const unsigned char> imposed() const override { return {imposed_levels_.data(), imposed_levels_.size()}; }
  bool outside_wrench(const Vec3<>& point, Wrench<>& wrench) override { return other_.outside_wrench(point, wrench); }
  int trouble_joint() const override { return other_.trouble_joint(); }

  /// Fills the nine numbers of a state from its q and v: the start of a run. Sizes must fit, else UsageError; likewise
  /// below.
  void take_momentum(MotionState& state);

  /// r_b of a state.
  Vec3<> position(const MotionState& state) const;
  /// p and L_b of a state.  [eq. momentum]
  Momentum<> momentum(const MotionState& state) const;

 private:
  static constexpr int kNumbers = 9;

  /// The root, as a configuration has it.
  struct Root {
    Mat3<> R_WL;
    Vec3<> b;  ///< from the link's origin, in world axes
  };
  Root root_at(std::span<const double> q) const;
  std::span<const double> own(std::span<const double> auxiliary) const;
  void require_sizes(const char* function, const MotionState& state) const;
  Wrench<> momentum_of_joints(std::span<const double> q, std::span<const double> v);

  MotionSystem& other_;
  std::size_t others_;  // further numbers of the other system
  std::size_t q_, v_;   // where the root's numbers begin
  Vec3<> b_L_;          // b in the root link
  KinematicsWorkspace place_;
  CentroidalWorkspace scratch_;
  Buffer<Wrench<>> momenta_;  // of each link and all that hangs on it
  Buffer<double> speeds_, zero_;
  Buffer<unsigned char> imposed_levels_;
};

}  // namespace pintle
