#include "pintle/text/csv_text.h"

#include <charconv>
#include <cmath>

namespace pintle {

std::string csv_word(std::string_view word) {
  if (word.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(word);
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

void append_csv_number(std::string& text, double number) {
  if (std::isnan(number)) {
    text += "nan";  // of either sign
    return;
  }
  char digits[32];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number);
  text.append(digits, end.ptr);
}

}  // namespace pintle
