// What acts on a plan besides gravity and joint efforts.
#pragma once

#include "pintle/spatial/twist.h"
#include "pintle/spatial/wrench.h"

namespace pintle {

/// The motion of a link or of the world, in its own frame.
template <class T>
struct PlannedMotion {
  Twist<T> V;  ///< its velocity
  Twist<T> A;  ///< its acceleration minus gravity; in the last pass of forward dynamics the part due to the efforts
};

/// What enters link by link; null: nothing.
template <class T>
struct PlannedLoads {
  const Wrench<T>* external = nullptr;      ///< on each link, in the plan's frame
  const PlannedMotion<T>* world = nullptr;  ///< null: at rest
  /// Forward dynamics only, per dof: its acceleration is prescribed and in vdot, where that of all others is zero. Of a
  /// joint all dofs or none.
  const unsigned char* given = nullptr;
  T* given_efforts = nullptr;  ///< becomes the efforts of these dofs; others are not touched
};

/// The call whose results are in the memory of a kernel.
struct PlannedCall {
  bool forward = false;  ///< forward dynamics, else inverse dynamics
  bool given = false;    ///< with prescribed dofs
};

}  // namespace pintle
