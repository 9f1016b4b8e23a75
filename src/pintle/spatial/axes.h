// Axes: the coordinates in which motions, wrenches and Jacobians of a place are expressed.
#pragma once

#include "pintle/spatial/pose.h"

namespace pintle {

/// The axes and the reference point of a motion, a wrench or a Jacobian of a place.
enum class Axes : unsigned char {
  local,                ///< the place's own axes, its own origin
  world,                ///< the world's axes, the world's origin
  local_world_aligned,  ///< the world's axes, the place's own origin
};

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

/// Transforms a motion from the place's own frame F to the requested axes.
inline Twist<> in_axes(const Twist<>& V_F, const Pose<>& X_WF, Axes axes) {
  if (axes == Axes::world) return X_WF * V_F;
  if (axes == Axes::local_world_aligned) return {X_WF.rotation * V_F.linear, X_WF.rotation * V_F.angular};
  return V_F;
}

/// Transforms a wrench from the place's own frame F to the requested axes.
inline Wrench<> in_axes(const Wrench<>& F_F, const Pose<>& X_WF, Axes axes) {
  if (axes == Axes::world) return X_WF * F_F;
  if (axes == Axes::local_world_aligned) return {X_WF.rotation * F_F.force, X_WF.rotation * F_F.torque};
  return F_F;
}

/// The inverse: transforms a wrench from some axes to the place's own frame F.
inline Wrench<> from_axes(const Wrench<>& F, const Pose<>& X_WF, Axes axes) {
  if (axes == Axes::world) return inverse_times(X_WF, F);
  if (axes == Axes::local) return F;
  return {transpose_times(X_WF.rotation, F.force), transpose_times(X_WF.rotation, F.torque)};
}

}  // namespace pintle::inline PINTLE_ISA
