// UsageError: an invalid call of the library, detected at its public interface in every build.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "pintle/base/isa.h"

namespace pintle {

/// An invalid call: an argument of the wrong size, an unknown name, a value outside its range. The message names the
/// function, the argument and what was expected; for a size also the actual one.
class UsageError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace detail {
[[noreturn, gnu::cold]] void throw_wrong_size(const char* function, const char* argument, std::size_t actual,
                                              std::size_t expected);
[[noreturn, gnu::cold]] void throw_too_small(const char* function, const char* argument, std::size_t actual,
                                             std::size_t min_size);
[[noreturn, gnu::cold]] void throw_wrong_argument(const char* function, const char* argument, const char* reason);
}  // namespace detail

/// Throws UsageError "function: argument 'name' has size A, expected E" unless the sizes are equal. Active in release
/// builds too; a check that passes costs one comparison.
PINTLE_INLINE void require_size(const char* function, const char* argument, std::size_t actual, std::size_t expected) {
  if (actual != expected) [[unlikely]] {
    detail::throw_wrong_size(function, argument, actual, expected);
  }
}

/// Throws UsageError "function: argument 'name' has size A, expected at least E" unless it is large enough.
PINTLE_INLINE void require_size_at_least(const char* function, const char* argument, std::size_t actual,
                                         std::size_t min_size) {
  if (actual < min_size) [[unlikely]] {
    detail::throw_too_small(function, argument, actual, min_size);
  }
}

/// Throws UsageError "function: argument 'name': reason" unless the condition holds. Active in release builds too; a
/// check that passes costs one comparison.
PINTLE_INLINE void require(bool condition, const char* function, const char* argument, const char* reason) {
  if (!condition) [[unlikely]] {
    detail::throw_wrong_argument(function, argument, reason);
  }
}

}  // namespace pintle
