#include "pintle/base/usage_error.h"

#include <string>

namespace pintle::detail {

void throw_wrong_size(const char* function, const char* argument, std::size_t actual, std::size_t expected) {
  throw UsageError(std::string(function) + ": argument '" + argument + "' has size " + std::to_string(actual) +
                   ", expected " + std::to_string(expected));
}

void throw_too_small(const char* function, const char* argument, std::size_t actual, std::size_t min_size) {
  throw UsageError(std::string(function) + ": argument '" + argument + "' has size " + std::to_string(actual) +
                   ", expected at least " + std::to_string(min_size));
}

void throw_wrong_argument(const char* function, const char* argument, const char* reason) {
  throw UsageError(std::string(function) + ": argument '" + argument + "': " + reason);
}

}  // namespace pintle::detail
