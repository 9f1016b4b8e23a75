#include "pintle/text/number_list.h"

#include <string>

#include "pintle/base/read_number.h"

namespace pintle {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

/// Whether a number out of the range of double is too small, rather than too large: its first digit that is not zero is
/// after the point.
bool is_tiny(std::string_view number) {
  const std::size_t exponent_at = number.find_first_of("eE");
  const std::string_view digits = number.substr(0, exponent_at);
  // A double's exponent has three digits; with more, its sign alone decides unless the digits are as many.
  long long power = 0;
  if (exponent_at != std::string_view::npos) {
    const std::string_view exponent = number.substr(exponent_at + 1);
    constexpr long long kMax = 1000000000000;
    for (const char c : exponent)
      if (c >= '0' && c <= '9' && power < kMax) power = 10 * power + (c - '0');
    if (exponent.starts_with('-')) power = -power;
  }
  const std::size_t point = digits.find('.') == std::string_view::npos ? digits.size() : digits.find('.');
  const std::size_t first = digits.find_first_of("123456789");
  const long long lead = static_cast<long long>(point) - static_cast<long long>(first);
  return lead + power < 0;
}

bool is_not_finite(std::string_view word) {
  std::string lower;
  for (const char c : word)
    if (c != '+' && c != '-') lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower == "nan" || lower == "inf" || lower == "infinity" || lower == "infty";
}

}  // namespace

NumberList read_number_list(std::string_view text) {
  NumberList list;
  for (std::size_t at = 0; (at = text.find_first_not_of(kSpaces, at)) != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(kSpaces, at);
    const std::string_view word = text.substr(at, end == std::string_view::npos ? end : end - at);
    const ReadNumber number = read_number(word);
    const bool whole = number.length == word.size();
    const bool tiny = whole && number.found == NumberText::out_of_range && is_tiny(word);
    if (!whole || (number.found != NumberText::number && !tiny)) {
      list.wrong_at = at;
      list.wrong_length = word.size();
      list.not_finite = is_not_finite(word) || (whole && number.found == NumberText::out_of_range);
      return list;
    }
    list.numbers.push_back(tiny ? 0.0 : number.value);
    at += word.size();
  }
  return list;
}

}  // namespace pintle
