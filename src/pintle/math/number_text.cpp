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

std::string point_text(const Vec3<>& point) {
  return "(" + number_text(point.x) + ", " + number_text(point.y) + ", " + number_text(point.z) + ")";
}

}  // namespace pintle
