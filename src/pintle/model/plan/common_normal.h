// Where the frames of a plan lie on the axes of their joints, and the transform from one axis to the next.
#pragma once

#include "pintle/spatial/pose.h"

namespace pintle {

/// The pose of a link's frame of the plan in its frame of the model, whose z axis is the joint axis: rotated about z,
/// then translated. For a revolute joint along z only.
struct Seat {
  double cos = 1.0, sin = 0.0;
  double height = 0.0;           ///< [m]
  double aside[2] = {0.0, 0.0};  ///< [m] in x and y, for a prismatic joint

  double angle() const;
  Pose<> pose() const;
};

/// The seat `to` as seen from the seat `from` on the same axis.
Seat relative(const Seat& from, const Seat& to);

/// From the z axis of a frame to another axis by their common normal: X = Rz Tz (foot) Rx(alpha) Tx(a) Rz(offset)
/// Tz(d).
struct CommonNormal {
  Seat foot;
  double cos_alpha, sin_alpha, a;
  double offset, d;
  bool well_conditioned;  ///< well-conditioned: the feet of the common normal are near
};

/// The common normal of the z axes of a frame and of a frame at X in it.
CommonNormal common_normal(const Pose<>& X);

}  // namespace pintle
