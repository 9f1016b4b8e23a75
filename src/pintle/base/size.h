// Counts and indices: `int` in the engine, std::size_t in the standard library.
#pragma once

#include <cstddef>

namespace pintle {

/// A nonnegative count or index as the standard library's size type.
[[gnu::always_inline]] constexpr std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

}  // namespace pintle
