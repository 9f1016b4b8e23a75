// Numbers in the attributes of XML formats: "1 0 -2.5e-3".
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace pintle {

/// The numbers of a text.
struct NumberList {
  std::vector<double> numbers{};
  /// The first invalid word: its first byte and its length; the length is 0 when there is none.
  std::size_t wrong_at = 0, wrong_length = 0;
  bool not_finite = false;  ///< the invalid word is "nan", "inf" or too large for a double
};

/// Reads numbers with spaces, tabs or line breaks between and around them. A sign `+` is allowed; a number too small
/// for a double is 0; "nan", "inf" and numbers too large are invalid. Reading stops at the first invalid word.
NumberList read_number_list(std::string_view text);

}  // namespace pintle
