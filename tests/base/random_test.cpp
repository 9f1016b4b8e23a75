#include "pintle/base/random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

std::vector<std::uint64_t> take(RandomStream stream, int n) {
  std::vector<std::uint64_t> words;
  for (int i = 0; i < n; ++i) words.push_back(stream.bits());
  return words;
}

TEST_CASE("the stream is Philox4x64-10: the answer published with Random123 for a zero counter and a zero key") {
  const std::vector<std::uint64_t> published = {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b,
                                                0x7e68b68aec7ba23b};
  CHECK(take(RandomStream(0, 0), 4) == published);
}

TEST_CASE("these words define the streams: a change of any of them makes recorded runs irreproducible") {
  const std::vector<std::uint64_t> words = take(RandomStream(42, 7), 6);
  CHECK(words[0] == 0x2fd1bc0d2c8697bb);
  CHECK(words[3] == 0xe123b6bbe4e89f03);
  CHECK(words[4] == 0xa64064f34e84b9a3);
  CHECK(words[5] == 0xe287959a866a08fd);
}

TEST_CASE("a stream is a function of seed, run and position, on any thread") {
  const std::vector<std::uint64_t> here = take(RandomStream(11, 3), 1000);
  std::vector<std::uint64_t> there;
  std::thread([&] { there = take(RandomStream(11, 3), 1000); }).join();
  CHECK(here == there);
  RandomStream stream(11, 3);
  CHECK(stream.seed() == 11);
  CHECK(stream.run() == 3);
}

TEST_CASE("streams of neighbouring seeds and runs share no word") {
  std::vector<std::uint64_t> all;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t run = 0; run < 20; ++run) {
      const std::vector<std::uint64_t> words = take(RandomStream(seed, run), 50);
      all.insert(all.end(), words.begin(), words.end());
    }
  }
  std::sort(all.begin(), all.end());
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}

TEST_CASE("seek and discard go to any position, forwards and backwards, also beyond the last block of small counters") {
  const std::vector<std::uint64_t> words = take(RandomStream(5, 6), 64);
  RandomStream chooser(9);
  RandomStream stream(5, 6);
  for (int trial = 0; trial < 1000; ++trial) {
    const std::uint64_t position = chooser.below(60);
    stream.seek(position);
    CHECK(stream.position() == position);
    for (std::uint64_t i = 0; i < 3; ++i) CHECK(stream.bits() == words[position + i]);
    CHECK(stream.position() == position + 3);
  }
  for (std::uint64_t start = 0; start < 9; ++start) {
    for (std::uint64_t n = 0; n < 9; ++n) {
      RandomStream jumped(5, 6);
      for (std::uint64_t i = 0; i < start; ++i) jumped.bits();
      jumped.discard(n);
      CHECK(jumped.position() == start + n);
      CHECK(jumped.bits() == words[start + n]);
    }
  }
  RandomStream far(5, 6), farther(5, 6);
  far.seek(std::uint64_t{1} << 60);
  farther.seek((std::uint64_t{1} << 60) - 3);
  farther.discard(3);
  CHECK(far.bits() == farther.bits());
}

TEST_CASE("a stream restored from its position goes on where the other one was") {
  RandomStream original(1, 2);
  for (int i = 0; i < 100; ++i) {
    RandomStream restored(original.seed(), original.run());
    restored.seek(original.position());
    RandomStream copy = original;
    for (int k = 0; k < 9; ++k) CHECK(restored.bits() == copy.bits());
    original.below(1000);
    original.uniform();
  }
}

TEST_CASE("uniform is the upper 53 bits of one word, in [0, 1)") {
  RandomStream numbers(3), words(3);
  double sum = 0, sum_of_squares = 0;
  constexpr int kCount = 100000;
  for (int i = 0; i < kCount; ++i) {
    const double x = numbers.uniform();
    CHECK_MESSAGE(x == static_cast<double>(words.bits() / 2048) / 9007199254740992.0, "draw ", i);
    if (!(x >= 0 && x < 1)) FAIL("outside [0, 1)");
    sum += x;
    sum_of_squares += x * x;
  }
  // Six standard deviations of the mean of x (variance 1/12) and of x^2 (variance 4/45).
  CHECK(std::abs(sum / kCount - 0.5) < 6 * std::sqrt(1.0 / 12 / kCount));
  CHECK(std::abs(sum_of_squares / kCount - 1.0 / 3) < 6 * std::sqrt(4.0 / 45 / kCount));
}

TEST_CASE("uniform(a, b) stays in [a, b) and takes one word, even where rounding would reach b") {
  RandomStream stream(8);
  const double one = 1.0;
  const double after_one = std::nextafter(1.0, 2.0);
  struct Interval {
    double a, b;
  };
  for (const Interval interval : {Interval{-2.0, 3.0}, Interval{one, after_one}, Interval{-after_one, -one},
                                  Interval{0.0, 5e-324}, Interval{-8e307, 8e307}, Interval{1e16, 1e16 + 2}}) {
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t before = stream.position();
      const double x = stream.uniform(interval.a, interval.b);
      CHECK(stream.position() == before + 1);
      CHECK(x >= interval.a);
      CHECK(x < interval.b);
    }
  }
  CHECK(stream.uniform(4.0, 4.0) == 4.0);
  RandomStream a(9), b(9);
  for (int i = 0; i < 100; ++i) CHECK(a.uniform(-1.0, 1.0) == -1.0 + 2.0 * b.uniform());
}

TEST_CASE("an interval that is none is a wrong call") {
  RandomStream stream(0);
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const char* text = "RandomStream::uniform: argument 'b': must be at least a; a, b and b - a must be finite";
  CHECK_THROWS_WITH_AS(stream.uniform(1, 0), text, UsageError);
  CHECK_THROWS_AS(stream.uniform(0, inf), UsageError);
  CHECK_THROWS_AS(stream.uniform(inf, inf), UsageError);
  CHECK_THROWS_AS(stream.uniform(-inf, 0), UsageError);
  CHECK_THROWS_AS(stream.uniform(nan, 0), UsageError);
  CHECK_THROWS_AS(stream.uniform(0, nan), UsageError);
  CHECK_THROWS_AS(stream.uniform(-1.7e308, 1.7e308), UsageError);
  CHECK(stream.position() == 0);
}

TEST_CASE("below(n) gives every number under n equally often") {
  RandomStream stream(10);
  for (const std::uint64_t n : {1U, 2U, 3U, 7U, 10U, 64U}) {
    constexpr int kEach = 2000;
    std::vector<int> counts(n, 0);
    for (std::uint64_t i = 0; i < kEach * n; ++i) {
      const std::uint64_t k = stream.below(n);
      REQUIRE(k < n);
      ++counts[k];
    }
    for (const int count : counts) CHECK(std::abs(count - kEach) < 6 * std::sqrt(double(kEach)));
  }
}

TEST_CASE("below(n) is unbiased also where n does not divide 2^64 by far") {
  // With n = 3 * 2^62 the remainder of a plain word would fall into the lowest third twice as often.
  const std::uint64_t third = std::uint64_t{1} << 62;
  RandomStream stream(12);
  constexpr int kCount = 30000;
  int lowest = 0;
  for (int i = 0; i < kCount; ++i) {
    const std::uint64_t k = stream.below(3 * third);
    REQUIRE(k < 3 * third);
    if (k < third) ++lowest;
  }
  CHECK(std::abs(double(lowest) / kCount - 1.0 / 3) < 6 * std::sqrt(2.0 / 9 / kCount));
  CHECK(stream.position() > kCount);
  CHECK_THROWS_WITH_AS(stream.below(0), "RandomStream::below: argument 'n': must be at least 1", UsageError);
}

}  // namespace
}  // namespace pintle
