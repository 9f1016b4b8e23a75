// Numbers in the attributes of XML formats: "1 0 -2.5e-3".
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace pintle {

/// What a text of numbers holds.
struct NumberList {
  std::vector<double> numbers{};
  /// What is no number: its first byte and its length; the length is 0 when all are.
  std::size_t wrong_at = 0, wrong_length = 0;
  bool not_finite = false;  ///< what is wrong is "nan", "inf" or too large for a double
};

/// Reads numbers with spaces, tabs or line breaks between and around them. A sign `+` is allowed; a number too small
/// for a double is 0; "nan", "inf" and numbers too large are wrong. Nothing behind what is wrong is read.
NumberList read_number_list(std::string_view text);

}  // namespace pintle
