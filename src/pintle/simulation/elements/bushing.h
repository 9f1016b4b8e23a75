// A bushing: springs and dampers in all six directions between two frames.
#pragma once

#include <string>

#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// Between frame A and frame B, which coincide where it is undeformed. With p and R the position and the rotation of B
/// as seen from A, and phi the rotation vector of R, its energy is
///
///     E = sum of k p^2/2 - preload.p  +  sum of rotational k phi^2/2 - rotational preload.phi
///
/// and the wrench on B is its exact negative gradient, on A the reaction. Dampers act on the velocity of B as seen from
/// A. All three-vectors are in A's axes.
struct BushingSpec {
  std::string name{};
  std::string first{};                   ///< A: a body or a frame, or the world
  std::string second{};                  ///< B
  Vec3<> stiffness{0, 0, 0};             ///< [N/m]
  Vec3<> damping{0, 0, 0};               ///< [N s/m]
  Vec3<> preload{0, 0, 0};               ///< [N] on B where it is undeformed
  Vec3<> rotational_stiffness{0, 0, 0};  ///< [N m/rad]
  Vec3<> rotational_damping{0, 0, 0};    ///< [N m s/rad]
  Vec3<> rotational_preload{0, 0, 0};    ///< [N m] on B where it is undeformed
  Origin origin{};
};

/// Beyond this rotation [rad] a bushing has no value (ForcePower::ok is false): at half a revolution the rotation
/// vector changes sides. Does not apply to bushings without rotational stiffness and preload.
inline constexpr double kMaxBushingTurn = 3.1;

/// The bushing for a model. Its power is that of the dampers, never above zero.  [eq. bushing]
Result<ForceElementPointer> make_bushing(const Model& model, const BushingSpec& spec);

}  // namespace pintle
