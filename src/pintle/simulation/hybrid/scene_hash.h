// What a checkpoint knows its scene by.
#pragma once

#include <cstdint>

#include "pintle/simulation/hybrid/scene_system.h"

namespace pintle {

/// A hash of a scene with the elements of its caller: of every number and name in its spec that its motion depends on
/// (not of its duration, rows and sensors), and of what the caller's elements do at a few states, to the seven digits
/// in which both bit families agree.
std::uint64_t scene_hash(SceneSystem& system);

}  // namespace pintle
