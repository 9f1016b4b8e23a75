#include "pintle/io/report/axis.h"

#include <charconv>
#include <cmath>

namespace pintle {

int decimal_exponent(double x) {
  char text[32];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, x, std::chars_format::scientific);
  const std::string_view all(text, static_cast<std::size_t>(end.ptr - text));
  const char* digits = all.data() + all.find('e') + 1;
  if (*digits == '+') ++digits;
  int exponent = 0;
  std::from_chars(digits, end.ptr, exponent);
  return exponent;
}

double power_of_ten(int e) {
  const std::string text = "1e" + std::to_string(e);
  double value = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

double round_up_to_step(double x) {
  const double power = power_of_ten(decimal_exponent(x));
  constexpr double kSame = 1.0 + 1e-9;
  for (const double digit : {1.0, 2.0, 5.0})
    if (x <= digit * power * kSame) return digit * power;
  return 10.0 * power;
}

std::string fixed_text(double x, int decimals) {
  char text[400];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, x, std::chars_format::fixed, decimals);
  std::string result(text, end.ptr);
  if (result.find_first_not_of("-0.") == std::string::npos && result[0] == '-') result.erase(0, 1);
  return result;
}

int decimals_of_step(double step) {
  const int exponent = decimal_exponent(step * (1.0 + 1e-9));
  return exponent < 0 ? -exponent : 0;
}

int readable_exponent(double largest) {
  if (!(largest > 0.0) || !std::isfinite(largest)) return 0;
  const int exponent = decimal_exponent(largest);
  if (exponent >= -2 && exponent < 5) return 0;
  return 3 * (exponent >= 0 ? exponent / 3 : (exponent - 2) / 3);
}

std::string scaled_unit(std::string_view unit, int exponent) {
  if (exponent == 0) return std::string(unit);
  static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10";
  for (const char c : std::to_string(exponent)) text += c == '-' ? "⁻" : kDigits[c - '0'];
  return unit == "1" ? text : text + " " + std::string(unit);
}

}  // namespace pintle
