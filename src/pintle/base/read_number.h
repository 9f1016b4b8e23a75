// A decimal number at the beginning of a text: std::from_chars with its corners rounded off, for every reader.
#pragma once

#include <cstddef>
#include <string_view>

namespace pintle {

/// What stands at the beginning of a text.
enum class NumberText : unsigned char {
  number,        ///< a number that a double can hold
  none,          ///< no number
  out_of_range,  ///< a number too large for a double, or one that is not zero and too small
};

/// A number read from a text.
struct ReadNumber {
  NumberText found = NumberText::none;
  double value = 0.0;      ///< 0 unless a number was found
  std::size_t length = 0;  ///< bytes it takes, its sign included; 0 when there is none
};

/// Reads the number a text begins with: an optional sign, digits with an optional decimal point, an optional exponent
/// ("-1", "+.5", "2.", "6.02e23"), rounded to the nearest double. Independent of the locale. Spaces before it, "nan",
/// "inf" and hexadecimal digits are no number; what follows it does not matter.
ReadNumber read_number(std::string_view text);

}  // namespace pintle
