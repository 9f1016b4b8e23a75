// Explains the syntax errors of a file that is not TOML to an author of scenes. For toml_value.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pintle {

struct TomlMistake {
  std::size_t at;  ///< the byte to point at
  std::string what, why, fix;
};

/// Explains in plain words what the parser found at a byte of a file, if it is a common mistake: a text without quotes,
/// a number with its unit outside the quotes, a missing comma, an inline table over several lines. `description` is the
/// parser's own, "Error while parsing KIND: WHAT".
TomlMistake explain_toml_mistake(std::string_view source, std::size_t at, std::string description);

}  // namespace pintle
