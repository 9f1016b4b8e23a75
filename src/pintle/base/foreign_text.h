// What people write elsewhere, and what to write here instead: for the fixes of error messages.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

/// The character that a text begins with, for what it claims to be in UTF-8. The text is not empty.
std::string_view first_character(std::string_view text);

/// What to write in place of a character: "write deg for degrees" for the sign of degrees. Empty when that is not
/// known.
std::string_view character_fix(std::string_view character);

/// How a unit that does not exist is to be written: "1 in is 25.4 mm"; else one whose name is near; else `otherwise`.
std::string unit_fix(std::string_view name, std::string otherwise);

}  // namespace pintle
