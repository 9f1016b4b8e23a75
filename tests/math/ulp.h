// Measuring elementary functions: errors in units in the last place, repeatable random numbers, lanes against numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "pintle/math/elementary_impl.h"

namespace pintle::testing {

/// The arithmetic that serves as truth: at least 11 bits more than T, so its own error is below 0.001 ulp of T.
template <class T>
using Reference = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// |value - truth| in units in the last place of T at the truth; the unit of subnormals is the smallest number. Zero
/// for two NaNs, two equal infinities, and an infinity where the truth overflows; infinite when only one of them is
/// finite.
template <class T>
double ulp_error(T value, Reference<T> truth) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(value) || std::isnan(truth)) return std::isnan(value) && std::isnan(truth) ? 0.0 : HUGE_VAL;
  if (std::isinf(value) || std::isinf(truth)) {
    const bool same = value == static_cast<T>(truth);
    return same ? 0.0 : HUGE_VAL;
  }
  const int exponent = truth == 0 ? Limits::min_exponent : std::max(std::ilogb(truth) + 1, Limits::min_exponent);
  const Reference<T> unit = std::ldexp(Reference<T>(1), exponent - Limits::digits);
  return static_cast<double>(std::fabs(static_cast<Reference<T>>(value) - truth) / unit);
}

/// The largest error seen and where.
struct Worst {
  double error = 0, x = 0, y = 0;

  void see(double new_error, double at_x, double at_y = 0) {
    if (new_error > error || std::isnan(new_error)) *this = {new_error, at_x, at_y};
  }
};

/// splitmix64: repeatable on every machine.
struct Random {
  std::uint64_t state = 1;

  std::uint64_t bits() {
    state += 0x9e3779b97f4a7c15;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double uniform(double low, double high) { return low + static_cast<double>(bits() >> 11) * 0x1p-53 * (high - low); }
  /// Magnitudes spread evenly over the exponents from 2^low to 2^high, either sign.
  double log_uniform(int low, int high) {
    const double mantissa = uniform(1, 2);
    const int exponent = low + static_cast<int>(bits() % static_cast<unsigned>(high - low));
    return std::ldexp(bits() & 1 ? mantissa : -mantissa, exponent);
  }
};

/// Numbers at which implementations go wrong: zeros, ends of the range, neighbours of 1, of pi/2 and of our own limits.
template <class T>
std::vector<T> special_values() {
  using Limits = std::numeric_limits<T>;
  const T inf = Limits::infinity();
  std::vector<T> values = {T(0), Limits::denorm_min(), Limits::min(), Limits::max(), inf, Limits::quiet_NaN()};
  for (const double x : {1e-20, 0.25,  0.41421356, 0.5,    1.0, 1.5, 1.5707963,          2.0,  3.0, 3.1415927, 5.0,
                         88.7,  103.9, 709.78,     745.13, 1e3, 1e5, 4503599627370497.0, 1e22, 1e30}) {
    values.push_back(T(x));
    values.push_back(std::nextafter(T(x), inf));
    values.push_back(std::nextafter(T(x), -inf));
  }
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) values.push_back(-values[i]);
  return values;
}

/// The specials and random numbers of all sizes, as many as fill the widest pack.
template <class T>
std::vector<T> mixed_values(std::size_t count) {
  std::vector<T> values = special_values<T>();
  Random random;
  while (values.size() < count || values.size() % 16 != 0) {
    values.push_back(static_cast<T>(random.uniform(-4, 4)));
    values.push_back(static_cast<T>(random.log_uniform(-100, 100)));
  }
  return values;
}

template <class T>
auto bits_of(T x) {
  return std::bit_cast<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>(x);
}

/// How many lanes of function(pack...) differ in any bit from function(number...), over the given arguments.
template <int N, class T, class Function>
int differing_lanes(Function function, const std::vector<T>& x, const std::vector<T>& y) {
  int differing = 0;
  for (std::size_t i = 0; i + N <= x.size(); i += N) {
    Pack<T, N> px, py;
    for (int lane = 0; lane < N; ++lane) {
      px.set(lane, x[i + static_cast<std::size_t>(lane)]);
      py.set(lane, y[i + static_cast<std::size_t>(lane)]);
    }
    const Pack<T, N> result = function(px, py);
    for (int lane = 0; lane < N; ++lane) {
      if (bits_of(result[lane]) != bits_of(function(px[lane], py[lane]))) ++differing;
    }
  }
  return differing;
}

/// The same, summed over all widths of pack.
template <class Function>
int differing_lanes_of_all_widths(Function function) {
  const std::vector<double> x = mixed_values<double>(4096);
  const std::vector<float> xf = mixed_values<float>(4096);
  std::vector<double> y(x.rbegin(), x.rend());
  std::vector<float> yf(xf.rbegin(), xf.rend());
  for (std::size_t i = 0; i < y.size(); i += 3) y[i] = std::nearbyint(y[i]);
  for (std::size_t i = 0; i < yf.size(); i += 3) yf[i] = std::nearbyint(yf[i]);
  return differing_lanes<2>(function, x, y) + differing_lanes<4>(function, x, y) + differing_lanes<8>(function, x, y) +
         differing_lanes<2>(function, xf, yf) + differing_lanes<4>(function, xf, yf) +
         differing_lanes<8>(function, xf, yf) + differing_lanes<16>(function, xf, yf);
}

/// FNV-1a over the bits of all results of `function` on the mixed values.
template <class T, class Function>
std::uint64_t hash_of_results(Function function, std::uint64_t hash) {
  const std::vector<T> x = mixed_values<T>(20000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    hash = (hash ^ bits_of(function(x[i], x[x.size() - 1 - i]))) * 0x100000001b3;
  }
  return hash;
}

}  // namespace pintle::testing
