// The hash by which a checkpoint identifies its scene.
#pragma once

#include <cstdint>

#include "pintle/simulation/hybrid/scene_system.h"

namespace pintle {

/// A hash of a scene with the elements of its caller: of every value and name in its spec that its motion depends on
/// (not of its duration, rows and sensors), and of the forces of the caller's elements at a few states, to the seven
/// digits in which both bit families agree.
std::uint64_t scene_hash(SceneSystem& system);

}  // namespace pintle
