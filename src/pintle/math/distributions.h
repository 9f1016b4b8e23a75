// Random numbers, directions and rotations from a RandomStream, by Pintle's own functions: the same bits everywhere.
#pragma once

#include "pintle/base/random.h"
#include "pintle/math/quaternion.h"

namespace pintle {

/// A normally distributed number with mean 0 and variance 1 (Box and Muller); uses two words of the stream.
double standard_normal(RandomStream& stream);

/// A direction, uniformly distributed.
Vec3<> uniform_direction(RandomStream& stream);

/// A rotation, uniformly distributed, as a unit quaternion.
Quaternion<> uniform_rotation(RandomStream& stream);

}  // namespace pintle
