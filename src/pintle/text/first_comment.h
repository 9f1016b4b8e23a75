// The description that a scene file begins with.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

/// The comment that a TOML text begins with, in one line. Skips a line for editors (#:schema).
std::string first_comment(std::string_view text);

}  // namespace pintle
