#include "pintle/base/read_number.h"

#include <charconv>
#include <system_error>

namespace pintle {
namespace {

bool is_digit(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

}  // namespace

ReadNumber read_number(std::string_view text) {
  const bool sign = text.starts_with('-') || text.starts_with('+');
  const std::string_view digits = text.substr(sign ? 1 : 0);
  // Also keeps "nan", "inf" and a second sign from std::from_chars, which accepts them.
  const bool begins = is_digit(digits, 0) || (digits.starts_with('.') && is_digit(digits, 1));
  if (!begins) return {};

  double size = 0.0;
  const std::from_chars_result end = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  const std::size_t length = static_cast<std::size_t>(end.ptr - text.data());
  if (end.ec != std::errc()) return {NumberText::out_of_range, 0.0, length};
  return {NumberText::number, text.starts_with('-') ? -size : size, length};
}

}  // namespace pintle
