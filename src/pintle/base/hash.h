// StateHash: a 64-bit fingerprint of a state, to compare runs bit for bit.
//
// The complete definition, so that a trace can be checked in any language. All arithmetic is modulo 2^64, rotl rotates
// to the left, and every input becomes a sequence of 64-bit words:
//
//     P1 = 0x9e3779b185ebca87   P2 = 0xc2b2ae3d27d4eb4f   P3 = 0x165667b19e3779f9
//     P4 = 0x85ebca77c2b2ae63   P5 = 0x27d4eb2f165667c5
//
//     start:   h = P5
//     word w:  h = rotl(h xor (rotl(w * P2, 31) * P1), 27) * P1 + P4
//     value:   x = h + n, where n is the number of words so far
//              x = (x xor (x >> 33)) * P2;  x = (x xor (x >> 29)) * P3;  x = x xor (x >> 32)
//
// These are the step and the final avalanche that XXH64 (Y. Collet, xxHash) applies to the last words of its input.
// Both steps are one-to-one in h and in w, so two sequences that differ in one word always differ in their hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace pintle {

/// A hash of a sequence of words; the order counts, the byte order of the machine does not. Not for security.
class StateHash {
 public:
  /// One word.
  void add(std::uint64_t word);

  /// Adds an integer of any other type (or a bool) as a word: its value modulo 2^64.
  template <class Integer>
  requires std::is_integral_v<Integer>
  void add(Integer number) { add(static_cast<std::uint64_t>(number)); }

  /// One word: the IEEE bits of the number. So 0.0 and -0.0 differ, and so do NaNs of different payload.
  void add(double number);

  /// One word: the 32 IEEE bits of the number, extended by zeros.
  void add(float number);

  /// One word per value, in their order; the size is not hashed.
  void add(std::span<const double> numbers);

  /// The number of bytes as one word, then the bytes, eight to a word, the first in the lowest bits, the last word
  /// padded with zeros.
  void add(std::string_view bytes);

  /// The hash of what was added so far; more may be added afterwards.
  std::uint64_t value() const;

 private:
  std::uint64_t h_ = 0x27d4eb2f165667c5;
  std::uint64_t words_ = 0;
};

/// The value as 16 lower-case hexadecimal digits.
std::string to_hex(std::uint64_t number);

}  // namespace pintle
