// Reads a decimal number at the beginning of a text: std::from_chars without its special cases, for every reader.
#pragma once

#include <cstddef>
#include <string_view>

namespace pintle {

/// What a text begins with.
enum class NumberText : unsigned char {
  number,        ///< a number that a double can hold
  none,          ///< not a number
  out_of_range,  ///< too large for a double, or nonzero and too small
};

/// A number read from a text.
struct ReadNumber {
  NumberText found = NumberText::none;
  double value = 0.0;      ///< 0 unless a number was found
  std::size_t length = 0;  ///< bytes of the number, its sign included; 0 when there is none
};

/// Reads the number a text begins with: an optional sign, digits with an optional decimal point, an optional exponent
/// ("-1", "+.5", "2.", "6.02e23"), rounded to the nearest double. Independent of the locale. Spaces before it, "nan",
/// "inf" and hexadecimal digits are not numbers; the text after the number is ignored.
ReadNumber read_number(std::string_view text);

}  // namespace pintle
