// Counts and indices: `int` in the engine, std::size_t in the standard library.
#pragma once

#include <cstddef>

namespace pintle {

/// A count or an index that is not negative, as the standard library takes it.
[[gnu::always_inline]] constexpr std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

}  // namespace pintle
