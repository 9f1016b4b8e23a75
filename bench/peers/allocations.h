// Counts the memory allocations of an engine's calls.
#pragma once

#include "engine.h"

namespace peers {

/// Calls of malloc and related functions (operator new too) per call of the engine, over all states in order, after a
/// first round that does not count.
double allocations_of(Engine& engine, Function function, std::size_t states);

}  // namespace peers
