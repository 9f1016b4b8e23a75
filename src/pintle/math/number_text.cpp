#include "pintle/math/number_text.h"

#include <charconv>
#include <cmath>

namespace pintle {

std::string number_text(double number) {
  if (std::isnan(number)) return "nan";  // of either sign
  constexpr int kDigits = 9;
  char text[32];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, number, std::chars_format::general, kDigits);
  return {text, end.ptr};
}

std::string rough_text(double number) {
  if (!std::isfinite(number)) return number_text(number);
  char text[32];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, number, std::chars_format::scientific, 1);
  double rounded = 0.0;
  std::from_chars(text, end.ptr, rounded);
  return number_text(rounded);
}

std::string point_text(const Vec3<>& point) {
  return "(" + number_text(point.x) + ", " + number_text(point.y) + ", " + number_text(point.z) + ")";
}

}  // namespace pintle
