// How often a call of an engine asks for memory.
#pragma once

#include "engine.h"

namespace peers {

/// Calls of malloc and its kin (operator new too) in one call of the engine, over all states in turn, after a first
/// round that does not count.
double allocations_of(Engine& engine, Function function, std::size_t states);

}  // namespace peers
