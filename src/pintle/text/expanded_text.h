// Texts of repeated elements. For the readers of this layer.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

/// A text with numbers in place of {i}, {i-1}, {i+2} and so on.
struct ExpandedText {
  std::string text;
  bool has_numbers = false;
  int lowest = 0;  ///< of these numbers
};

/// The text of repetition i.
ExpandedText expand(std::string_view text, int i);

}  // namespace pintle
