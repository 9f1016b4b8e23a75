// Counts what the test program allocates: linking count_allocations.cpp replaces the global operator new.
#pragma once

#include <cstddef>

namespace pintle {

/// How often any thread of this program has called operator new so far.
std::size_t count_allocations();

}  // namespace pintle
