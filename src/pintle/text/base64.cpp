#include "pintle/text/base64.h"

#include <array>
#include <bit>

namespace pintle {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

template <class Bits, class Number>
std::string little_endian(std::span<const Number> numbers) {
  static_assert(sizeof(Bits) == sizeof(Number));
  std::string bytes;
  bytes.reserve(numbers.size() * sizeof(Number));
  for (const Number number : numbers) {
    const Bits bits = std::bit_cast<Bits>(number);
    for (unsigned shift = 0; shift < 8 * sizeof(Bits); shift += 8)
      bytes.push_back(static_cast<char>(static_cast<unsigned char>(bits >> shift)));
  }
  return bytes;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = bytes.size() - i < 3 ? bytes.size() - i : 3;
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : std::uint32_t{0});
    for (std::size_t k = 0; k < 4; ++k) text.push_back(k <= count ? kLetters[word >> (18 - 6 * k) & 63] : '=');
  }
  return text;
}

std::string base64(std::span<const double> numbers) {
  return base64(little_endian<std::uint64_t>(numbers));
}
std::string base64(std::span<const float> numbers) {
  return base64(little_endian<std::uint32_t>(numbers));
}
std::string base64(std::span<const std::uint32_t> numbers) {
  return base64(little_endian<std::uint32_t>(numbers));
}

bool base64_bytes(std::string_view text, std::string& bytes) {
  bytes.clear();
  if (text.size() % 4 != 0) return false;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::array<std::uint8_t, 256> value{};
  value.fill(64);
  for (std::size_t i = 0; i < kLetters.size(); ++i)
    value[static_cast<unsigned char>(kLetters[i])] = static_cast<std::uint8_t>(i);
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint32_t letter = i + padding < text.size() ? value[static_cast<unsigned char>(text[i])] : 0;
    if (letter > 63) return false;
    word = word << 6 | letter;
    if (i % 4 != 3) continue;
    for (unsigned shift = 24; shift > 0; shift -= 8)
      bytes.push_back(static_cast<char>(static_cast<unsigned char>(word >> (shift - 8))));
    word = 0;
  }
  bytes.resize(bytes.size() - padding);
  return true;
}

}  // namespace pintle
