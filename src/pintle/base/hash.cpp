#include "pintle/base/hash.h"

#include <bit>

namespace pintle {
namespace {

constexpr std::uint64_t kP1 = 0x9e3779b185ebca87;
constexpr std::uint64_t kP2 = 0xc2b2ae3d27d4eb4f;
constexpr std::uint64_t kP3 = 0x165667b19e3779f9;
constexpr std::uint64_t kP4 = 0x85ebca77c2b2ae63;

std::uint64_t absorb(std::uint64_t h, std::uint64_t word) {
  return std::rotl(h ^ (std::rotl(word * kP2, 31) * kP1), 27) * kP1 + kP4;
}

}  // namespace

void StateHash::add(std::uint64_t word) {
  h_ = absorb(h_, word);
  ++words_;
}

void StateHash::add(double number) {
  add(std::bit_cast<std::uint64_t>(number));
}

void StateHash::add(float number) {
  add(std::uint64_t{std::bit_cast<std::uint32_t>(number)});
}

void StateHash::add(std::span<const double> numbers) {
  std::uint64_t h = h_;
  for (const double number : numbers) h = absorb(h, std::bit_cast<std::uint64_t>(number));
  h_ = h;
  words_ += numbers.size();
}

void StateHash::add(std::string_view bytes) {
  add(std::uint64_t{bytes.size()});
  while (!bytes.empty()) {
    const std::string_view group = bytes.substr(0, 8);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(group[i])} << (8 * i);
    }
    add(word);
    bytes.remove_prefix(group.size());
  }
}

std::uint64_t StateHash::value() const {
  std::uint64_t x = h_ + words_;
  x = (x ^ (x >> 33)) * kP2;
  x = (x ^ (x >> 29)) * kP3;
  return x ^ (x >> 32);
}

std::string to_hex(std::uint64_t number) {
  std::string digits(16, '0');
  for (std::size_t i = digits.size(); i > 0; --i, number >>= 4) digits[i - 1] = "0123456789abcdef"[number & 15];
  return digits;
}

}  // namespace pintle
