#include "pintle/base/hash.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "pintle/base/random.h"

namespace pintle {
namespace {

template <class... Parts>
std::uint64_t hash(const Parts&... parts) {
  StateHash h;
  (h.add(parts), ...);
  return h.value();
}

std::uint64_t words(const std::vector<std::uint64_t>& list) {
  StateHash h;
  for (const std::uint64_t w : list) h.add(w);
  return h.value();
}

TEST_CASE("these values define the format: a change of any of them makes recorded hashes worthless") {
  CHECK(to_hex(hash()) == "ef46db3751d8e999");
  CHECK(to_hex(words({0})) == "6c2d1446465faf75");
  CHECK(to_hex(words({1, 2, 3})) == "4a0005cf029eeef1");
  CHECK(to_hex(hash(1.0)) == "9ecec3bf4087ec30");
  CHECK(to_hex(hash(-0.0)) == "8ae2ec22c750f6cd");
  CHECK(to_hex(hash(1.0F)) == "a54bf8cd1a63672d");
  CHECK(to_hex(hash(std::string_view("forearm_link"))) == "3332daf4c684be18");
}

TEST_CASE("adding to a hash after asking for its value is as if it had not been asked") {
  StateHash asked, not_asked;
  for (std::uint64_t i = 0; i < 10; ++i) {
    asked.add(i);
    CHECK(asked.value() == asked.value());
    not_asked.add(i);
  }
  CHECK(asked.value() == not_asked.value());
}

TEST_CASE("numbers are hashed by their bits, a span as its numbers") {
  const std::vector<double> numbers = {1.5, -0.0, 0.0, 1e-310, std::numeric_limits<double>::infinity()};
  StateHash by_bits;
  for (const double x : numbers) by_bits.add(std::bit_cast<std::uint64_t>(x));
  CHECK(hash(std::span<const double>(numbers)) == by_bits.value());
  CHECK(hash(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]) == by_bits.value());
  CHECK(hash(2.5F) == words({std::bit_cast<std::uint32_t>(2.5F)}));

  CHECK(hash(0.0) != hash(-0.0));
  CHECK(hash(0.0F) != hash(-0.0F));
  CHECK(hash(std::bit_cast<double>(0x7ff8000000000001)) != hash(std::bit_cast<double>(0x7ff8000000000002)));
  CHECK(hash(1.0) != hash(std::nextafter(1.0, 2.0)));
}

TEST_CASE("the order and the number of words count") {
  CHECK(words({1, 2}) != words({2, 1}));
  RandomStream random(3);
  std::vector<std::uint64_t> seen;
  std::vector<std::uint64_t> zeros;
  for (int n = 0; n < 1000; ++n) {
    seen.push_back(words(zeros));
    zeros.push_back(0);
  }
  std::sort(seen.begin(), seen.end());
  CHECK(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
}

TEST_CASE("a text is its length and its bytes, eight to a word, the first lowest") {
  CHECK(hash(std::string_view()) == words({0}));
  CHECK(hash(std::string_view("abc")) == words({3, 0x636261}));
  CHECK(hash(std::string_view("12345678")) == words({8, 0x3837363534333231}));
  CHECK(hash(std::string_view("123456789")) == words({9, 0x3837363534333231, 0x39}));
  CHECK(hash(std::string_view("\xff")) == words({1, 0xff}));
  CHECK(hash(std::string_view("ab"), std::string_view("c")) != hash(std::string_view("a"), std::string_view("bc")));
  CHECK(hash(std::string_view("a")) != hash(std::string_view("a\0", 2)));
}

TEST_CASE("sequences that differ in one word differ in their hash, and in half of its bits") {
  // Each of the 64 x 64 pairs (input bit, output bit) of each of three positions is a coin that is tossed `trials`
  // times: a fair one stays within six standard deviations of a half.
  constexpr int kTrials = 2000;
  const double bound = 6 * std::sqrt(0.25 / kTrials);
  RandomStream random(4);
  for (std::size_t position = 0; position < 3; ++position) {
    std::vector<int> flips(64 * 64, 0);
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<std::uint64_t> message = {random.bits(), random.bits(), random.bits()};
      const std::uint64_t before = words(message);
      for (std::size_t in = 0; in < 64; ++in) {
        message[position] ^= std::uint64_t{1} << in;
        const std::uint64_t change = before ^ words(message);
        message[position] ^= std::uint64_t{1} << in;
        if (change == 0) FAIL("two words collide");
        for (std::size_t out = 0; out < 64; ++out) flips[64 * in + out] += static_cast<int>(change >> out & 1);
      }
    }
    double worst = 0;
    for (const int n : flips) worst = std::max(worst, std::abs(double(n) / kTrials - 0.5));
    CAPTURE(position);
    CHECK(worst < bound);
  }
}

TEST_CASE("small, regular states do not collide") {
  // 2^18 words hit the same hash by chance with a probability of 2e-9.
  std::vector<std::uint64_t> seen;
  for (int a = -32; a < 32; ++a) {
    for (int b = -32; b < 32; ++b) {
      for (int c = -32; c < 32; ++c) seen.push_back(hash(0.5 * a, 0.5 * b, 0.5 * c));
    }
  }
  std::sort(seen.begin(), seen.end());
  CHECK(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
}

TEST_CASE("whole numbers of every type count as words") {
  StateHash words, numbers;
  words.add(std::uint64_t{7});
  words.add(std::uint64_t{1});
  words.add(~std::uint64_t{0});
  numbers.add(7);
  numbers.add(true);
  numbers.add(-1);
  CHECK(words.value() == numbers.value());
}

TEST_CASE("hexadecimal digits are sixteen, lower case, the highest first") {
  CHECK(to_hex(0) == "0000000000000000");
  CHECK(to_hex(0x0123456789abcdef) == "0123456789abcdef");
  CHECK(to_hex(~std::uint64_t{0}) == "ffffffffffffffff");
  RandomStream random(5);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t word = random.bits();
    CHECK(std::stoull(to_hex(word), nullptr, 16) == word);
  }
}

}  // namespace
}  // namespace pintle
