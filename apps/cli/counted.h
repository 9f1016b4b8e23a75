// A number with its noun.
#pragma once

#include <fmt/core.h>

#include <concepts>
#include <string>

namespace pintle::cli {

/// "1 body", "2 bodies".
std::string counted(std::integral auto count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

}  // namespace pintle::cli
