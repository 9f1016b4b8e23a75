// Notations from elsewhere and what to write here instead: for the fixes of error messages.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

/// The first character of a text, taken as UTF-8. The text is not empty.
std::string_view first_character(std::string_view text);

/// What to write instead of a character: "write deg for degrees" for the degree sign. Empty when unknown.
std::string_view character_fix(std::string_view character);

/// What to write for an unknown unit: "1 in is 25.4 mm"; else a unit with a similar name; else `otherwise`.
std::string unit_fix(std::string_view name, std::string otherwise);

}  // namespace pintle
