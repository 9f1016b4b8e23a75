// HalfSpace: everything below a plane, such as the ground.
#pragma once

namespace pintle {

/// All points with z <= 0 of its frame. Its surface is the plane z = 0, its free side is +z.
struct HalfSpace {};

}  // namespace pintle
