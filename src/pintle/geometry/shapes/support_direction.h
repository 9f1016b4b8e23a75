// What the support functions of all shapes share: the direction, and when two points count as equally far along it.
#pragma once

#include "pintle/math/vec3.h"

namespace pintle {

/// A direction closer than this [rad] to the normal of a face, of an edge or of a generating line counts as that
/// normal: a cylinder is upright also when its axis carries some rounding errors. A support point then lies below the
/// farthest one by at most this angle times the size of the shape.
inline constexpr double kTieAngle = 1e-12;

/// The unit vector along `direction`. Throws UsageError, naming function and argument, when it is zero or not finite.
Vec3<> support_direction(const Vec3<>& direction, const char* function = "support_point",
                         const char* argument = "direction");

/// 1 or -1, the side a component of a unit direction points to; 0 for a tie.
double support_side(double component);

/// The point of a disc of this radius [m] around the z axis that is farthest along a unit direction, at z = 0; the
/// centre when the direction is perpendicular to the disc.
Vec3<> support_point_of_disc(double radius, const Vec3<>& unit_direction);

}  // namespace pintle
