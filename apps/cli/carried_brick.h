// A brick that is carried from one pose to another along the one screw that does it (Mozzi-Chasles).
#pragma once

#include <string>

#include "pintle/spatial/screw.h"

namespace pintle::cli {

/// The brick A is at X_WA before and at X_WB after; W is the world with z up.
struct CarriedBrick {
  Vec3<> size;  ///< edge lengths [m] along the axes of the brick, which are at its centre
  Pose<> X_WA;
  Pose<> X_WB;
};

/// The displacement from start to end in world axes: X_WB = displacement * X_WA.
Pose<> displacement_of(const CarriedBrick& brick);

/// The brick after a `part` of the way along the screw: X_WA for 0, X_WB for 1.
Pose<> pose_along(const CarriedBrick& brick, double part);

/// A picture of the two poses, bricks in between, the screw axis and the helices of three corners, as SVG.
std::string picture_of(const CarriedBrick& brick);

}  // namespace pintle::cli
