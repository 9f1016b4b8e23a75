#include "pintle/math/array_functions.h"

#include <doctest/doctest.h>

#include <vector>

#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/elementary.h"

using namespace pintle;

namespace {

template <class T>
std::vector<T> random_values(std::size_t size, double low, double high) {
  RandomStream stream(11, size);
  std::vector<T> x(size);
  for (T& value : x) value = static_cast<T>(stream.uniform(low, high));
  return x;
}

/// The kernels in use may be of the other bit family than this file: then they differ by rounding, never by more.
template <class T>
void check_near(T a, T b) {
  CHECK(static_cast<double>(a) ==
        doctest::Approx(static_cast<double>(b)).epsilon(4.0 * static_cast<double>(kEpsilon<T>)));
}

}  // namespace

TEST_CASE_TEMPLATE("array functions: every size, with and without a rest, gives the plain function", T, double, float) {
  for (std::size_t size = 0; size <= 37; ++size) {
    const std::vector<T> x = random_values<T>(size, 0.1, 3.0), y = random_values<T>(size, -2.0, 2.0);
    std::vector<T> a(size), b(size);
    sincos(x, a, b);
    for (std::size_t i = 0; i < size; ++i) {
      check_near(a[i], sin(x[i]));
      check_near(b[i], cos(x[i]));
    }
    exp(std::span<const T>(x), a);
    log(std::span<const T>(x), b);
    for (std::size_t i = 0; i < size; ++i) {
      check_near(a[i], exp(x[i]));
      check_near(b[i], log(x[i]));
    }
    pow(std::span<const T>(x), y, a);
    atan2(std::span<const T>(y), x, b);
    for (std::size_t i = 0; i < size; ++i) {
      check_near(a[i], pow(x[i], y[i]));
      check_near(b[i], atan2(y[i], x[i]));
    }
  }
}

TEST_CASE_TEMPLATE("array functions: an output may be the input", T, double, float) {
  const std::vector<T> x = random_values<T>(23, 0.1, 3.0);
  std::vector<T> apart(23), in_place = x;
  exp(std::span<const T>(x), apart);
  exp(std::span<const T>(in_place), in_place);
  CHECK(apart == in_place);
}

TEST_CASE_TEMPLATE("array functions: sizes that differ are a wrong call that names the argument", T, double, float) {
  const std::vector<T> x(4, T(1));
  std::vector<T> four(4), three(3);
  CHECK_THROWS_WITH_AS(sincos(x, three, four), doctest::Contains("sine"), UsageError);
  CHECK_THROWS_WITH_AS(sincos(x, four, three), doctest::Contains("cosine"), UsageError);
  CHECK_THROWS_WITH_AS(exp(std::span<const T>(x), three), doctest::Contains("'y'"), UsageError);
  CHECK_THROWS_WITH_AS(log(std::span<const T>(x), three), doctest::Contains("'y'"), UsageError);
  CHECK_THROWS_WITH_AS(pow(std::span<const T>(x), std::span<const T>(three), four), doctest::Contains("'y'"),
                       UsageError);
  CHECK_THROWS_WITH_AS(atan2(std::span<const T>(x), std::span<const T>(x), three), doctest::Contains("angle"),
                       UsageError);
}
