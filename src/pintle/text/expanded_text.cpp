#include "pintle/text/expanded_text.h"

#include <algorithm>
#include <charconv>

namespace pintle {

ExpandedText expand(std::string_view text, int i) {
  ExpandedText result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.substr(at, 2) == "{i" ? text.find('}', at) : std::string_view::npos;
    int shift = 0;
    bool is_number = end == at + 2;
    constexpr std::size_t kMaxDigits = 6;
    if (end != std::string_view::npos && end > at + 3 && end <= at + 3 + kMaxDigits &&
        (text[at + 2] == '+' || text[at + 2] == '-') && text[at + 3] != '-') {
      const std::from_chars_result read = std::from_chars(text.data() + at + 3, text.data() + end, shift);
      is_number = read.ec == std::errc() && read.ptr == text.data() + end;
      if (text[at + 2] == '-') shift = -shift;
    }
    if (!is_number) {
      result.text += text[at++];
      continue;
    }
    result.lowest = result.has_numbers ? std::min(result.lowest, i + shift) : i + shift;
    result.has_numbers = true;
    result.text += std::to_string(i + shift);
    at = end + 1;
  }
  return result;
}

}  // namespace pintle
