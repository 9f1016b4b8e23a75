#include "pintle/math/number_arrays.h"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

using namespace pintle;

namespace {

constexpr double kNotFinite[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()};

/// By packs and one by one.
bool finite(std::span<const double> numbers) {
  const bool by_packs = all_finite(numbers);
  CHECK(all_finite<double>(numbers) == by_packs);
  return by_packs;
}

}  // namespace

TEST_CASE("number arrays: one number that is not finite is found in every place, alone and among others") {
  for (std::size_t count = 0; count <= 40; ++count) {
    std::vector<double> numbers(count, -2.5);
    CHECK(finite(numbers));
    for (std::size_t i = 0; i < count; ++i) {
      for (const double bad : kNotFinite) {
        numbers[i] = bad;
        CHECK_FALSE(finite(numbers));
        const std::vector<double> good(7, 1.0);
        CHECK_FALSE(all_finite(numbers, good));
        CHECK_FALSE(all_finite(good, numbers));
      }
      numbers[i] = 3.0;
    }
  }
}

TEST_CASE("number arrays: infinities of both signs are found; the largest numbers are finite though their sum is not") {
  for (const std::size_t count : {2u, 5u, 16u, 33u}) {
    std::vector<double> numbers(count, std::numeric_limits<double>::max());
    CHECK(finite(numbers));
    CHECK(all_finite(numbers, numbers));
    for (std::size_t i = 0; i < count; ++i) numbers[i] = kNotFinite[1 + i % 2];
    CHECK_FALSE(finite(numbers));
  }
}

TEST_CASE("number arrays: numbers are mapped and copied as many as there are, and none beside them") {
  for (int count = 0; count <= 20; ++count) {
    std::vector<double> from(static_cast<std::size_t>(count)), to(static_cast<std::size_t>(count) + 1, 7.0);
    for (int i = 0; i < count; ++i) from[static_cast<std::size_t>(i)] = 0.1 * i;
    copy_numbers(from.data(), count, to.data());
    for (int i = 0; i < count; ++i) CHECK(to[static_cast<std::size_t>(i)] == 0.1 * i);
    map_numbers(
        count, to.data(), [](const auto& a, const auto& b) { return a + b; }, from.data(), from.data());
    for (int i = 0; i < count; ++i) CHECK(to[static_cast<std::size_t>(i)] == 0.1 * i + 0.1 * i);
    CHECK(to.back() == 7.0);
  }
}
