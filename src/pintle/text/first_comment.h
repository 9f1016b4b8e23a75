// What a scene file says of itself.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

/// The comment that a TOML text begins with, in one line: what it is about. A line for editors (#:schema) is left out.
std::string first_comment(std::string_view text);

}  // namespace pintle
