// What a checkpoint knows its scene by.
#pragma once

#include <cstdint>

#include "pintle/simulation/scene_system.h"

namespace pintle {

/// A hash of a scene with the elements of its caller: of its model, its start, its settings, and of how it moves: the
/// rates at a few states, which depend on the numbers of every element.
std::uint64_t scene_hash(SceneSystem& system);

}  // namespace pintle
