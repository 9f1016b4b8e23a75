// MeanForces: the forces at the active contacts after a step of time stepping, which are the means over it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "pintle/simulation/contact/contacts.h"

namespace pintle {

/// A mean force or moment of an active contact in the axes of its contact frame now, which may have rotated about the
/// normal since.
Vec3<> in_axes_now(const Vec3<>& mean, const ActiveContact& contact, const ContactFrame& frame);

struct MeanForce {
  ContactFrame frame{};
  std::array<double, 3> force{};  ///< [N] on B, in the axes of the contact, normal first
  Vec3<> moment{};                ///< [N m] likewise, of spinning friction about x, of rolling friction about y and z
  std::array<double, 3> speed{};  ///< [m/s] of B relative to A, likewise
  Vec3<> angular_speed{};         ///< [rad/s]
};

class MeanForces {
 public:
  /// With the poses and velocities of `kinematics`. Allocates at a new maximum of contacts only.
  void find(const Contacts& contacts, const KinematicsWorkspace& places);

  std::span<const MeanForce> all() const { return forces_; }

 private:
  std::vector<MeanForce> forces_;
};

}  // namespace pintle
