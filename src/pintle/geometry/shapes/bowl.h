// Bowl: a thin spherical shell that is open at the top, or closed.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/geometry/shapes/bounding_box.h"

namespace pintle {

/// The part of a sphere of this radius [m] up to the height `depth` [m] above its lowest point, which is the origin of
/// its frame; the opening faces +z. With depth = radius it is half a sphere, with depth = 2 radius a whole one: a
/// hollow sphere in which objects move. The shell has no thickness.
struct Bowl {
  double radius;
  double depth;
};

/// Whether it has no opening, up to the rounding of the depth.
inline bool is_closed(const Bowl& bowl) {
  return bowl.depth >= (2.0 - 1e-14) * bowl.radius;
}

/// The radius of the opening [m]; 0 when closed.
double rim_radius(const Bowl& bowl);

BoundingBox bounding_box(const Bowl& bowl);

/// Returns the problems of the dimensions; empty when both are finite and positive and the depth is at most two radii.
Diagnostics check(const Bowl& bowl);

}  // namespace pintle
