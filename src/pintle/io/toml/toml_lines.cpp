#include "pintle/io/toml/toml_lines.h"

#include <array>
#include <cmath>

#include "pintle/text/exact_numbers.h"
#include "pintle/text/utf8.h"

namespace pintle {

std::string toml_text(const std::string& text) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : valid_utf8(text)) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') quoted += '\\';
    if (byte < 0x20 || byte == 0x7f) {
      quoted += std::string("\\u00") + kDigits[byte >> 4] + kDigits[byte & 15];
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string toml_key(const std::string& key) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !key.empty() && key.find_first_not_of(kPlain) == std::string::npos ? key : toml_text(key);
}

std::string toml_number(double number) {
  // An integer that TOML cannot represent, or a negative zero, is written with a decimal point.
  constexpr double kLargestWhole = 1e15;
  std::string text = exact_text(number);
  const bool whole = text.find_first_of(".e") == std::string::npos;
  if (whole && (std::abs(number) > kLargestWhole || (number == 0.0 && std::signbit(number)))) text += ".0";
  return text;
}

std::string toml_numbers(std::span<const double> numbers) {
  std::string text = "[";
  for (const double number : numbers) text += (text.size() > 1 ? ", " : "") + toml_number(number);
  return text + "]";
}

void TomlLines::number(std::string_view key, double value, std::string_view unit) {
  // Values with a unit must not be subnormal.
  const bool bare = unit.empty() || (value != 0.0 && std::abs(value) < 1e-300);
  raw(key, bare ? toml_number(value) : toml_text(exact_text(value) + " " + std::string(unit)));
}

void TomlLines::vector(std::string_view key, const Vec3<>& v) {
  numbers(key, std::array{v.x, v.y, v.z});
}

void TomlLines::text_unless(std::string_view key, const std::string& value, const std::string& usual) {
  if (value != usual) text(key, value);
}

void TomlLines::number_unless(std::string_view key, double value, double usual, std::string_view unit) {
  if (value != usual) number(key, value, unit);
}

void TomlLines::vector_unless(std::string_view key, const Vec3<>& value, const Vec3<>& usual) {
  if (!same_numbers(value, usual)) vector(key, value);
}

void TomlLines::flag_unless(std::string_view key, bool value, bool usual) {
  if (value != usual) flag(key, value);
}

std::string TomlLines::as_inline() const {
  if (entries_.empty()) return "{}";
  std::string text;
  for (const Entry& entry : entries_) text += (text.empty() ? "{ " : ", ") + entry.key + " = " + entry.value;
  return text + " }";
}

std::string TomlLines::as_lines() const {
  std::string text;
  for (const Entry& entry : entries_) text += entry.key + " = " + entry.value + "\n";
  return text;
}

}  // namespace pintle
