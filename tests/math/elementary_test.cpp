#include <doctest/doctest.h>

#include <string>

#include "math/ulp.h"

using namespace pintle;
using namespace pintle::testing;

namespace {

// What elementary.h promises, in units in the last place. Every function keeps what it has computed as a double word
// until the last addition, so the error is that of one rounding (0.5) and a small rest.
constexpr double kExpLogBound = 1.0;
constexpr double kPowBound = 1.0;
constexpr double kAtanBound = 1.5;
// Float results are rounded once from doubles with these errors: half a unit and 2^-29 of one.
constexpr double kFloatBound = 0.51;

const double kInf = HUGE_VAL;
const double kNotANumber = std::numeric_limits<double>::quiet_NaN();

void check(const std::string& what, const Worst& worst, double bound) {
  CAPTURE(what);
  CAPTURE(worst.x);
  CAPTURE(worst.y);
  MESSAGE(what, ": worst error ", worst.error, " ulp");
  CHECK(worst.error <= bound);
}

/// Worst errors of a function of one number, for double and for float, where `draw` gives the arguments.
template <class Function, class Truth, class Draw>
void check_function(const std::string& what, Function function, Truth truth, Draw draw, double bound) {
  CAPTURE(what);
  Random random;
  Worst worst, worst_float;
  for (int i = 0; i < 200000; ++i) {
    const double x = draw(random);
    worst.see(ulp_error(function(x), truth(static_cast<long double>(x))), x);
    const float f = static_cast<float>(draw(random));
    worst_float.see(ulp_error(function(f), truth(static_cast<double>(f))), static_cast<double>(f));
  }
  check("double", worst, bound);
  check("float", worst_float, kFloatBound);
}

/// The same for functions of two numbers.
template <class Function, class Truth, class Draw>
void check_function_of_two(const std::string& what, Function function, Truth truth, Draw draw, double bound) {
  CAPTURE(what);
  Random random;
  Worst worst, worst_float;
  for (int i = 0; i < 200000; ++i) {
    const auto [x, y] = draw(random);
    worst.see(ulp_error(function(x, y), truth(static_cast<long double>(x), static_cast<long double>(y))), x, y);
    const float xf = static_cast<float>(x), yf = static_cast<float>(y);
    worst_float.see(ulp_error(function(xf, yf), truth(static_cast<double>(xf), static_cast<double>(yf))), x, y);
  }
  check("double", worst, bound);
  check("float", worst_float, kFloatBound);
}

struct Pair {
  double x, y;
};

const auto our_exp = [](auto x) { return pintle::exp(x); };
const auto our_log = [](auto x) { return pintle::log(x); };
const auto our_atan = [](auto x) { return pintle::atan(x); };
const auto our_asin = [](auto x) { return pintle::asin(x); };
const auto our_acos = [](auto x) { return pintle::acos(x); };
const auto our_pow = [](auto x, auto y) { return pintle::pow(x, y); };
const auto our_atan2 = [](auto y, auto x) { return pintle::atan2(y, x); };
const auto std_exp = [](auto x) { return std::exp(x); };
const auto std_log = [](auto x) { return std::log(x); };
const auto std_atan = [](auto x) { return std::atan(x); };
const auto std_asin = [](auto x) { return std::asin(x); };
const auto std_acos = [](auto x) { return std::acos(x); };
const auto std_pow = [](auto x, auto y) { return std::pow(x, y); };
const auto std_atan2 = [](auto y, auto x) { return std::atan2(y, x); };

/// Both NaN, or the same bits: -0 is not 0.
bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || bits_of(a) == bits_of(b);
}

}  // namespace

TEST_SUITE("elementary") {
  TEST_CASE("the error of exp is bounded, down to the last subnormal") {
    check_function(
        "everyday", our_exp, std_exp, [](Random& r) { return r.uniform(-5, 5); }, kExpLogBound);
    check_function(
        "whole range", our_exp, std_exp, [](Random& r) { return r.uniform(-760, 720); }, kExpLogBound);
    check_function(
        "tiny", our_exp, std_exp, [](Random& r) { return r.log_uniform(-60, 0); }, kExpLogBound);
    check_function(
        "subnormal", our_exp, std_exp, [](Random& r) { return r.uniform(-746, -708); }, kExpLogBound);
    check_function(
        "subnormal float", our_exp, std_exp, [](Random& r) { return r.uniform(-104, -87); }, kExpLogBound);
  }

  TEST_CASE("exp over- and underflows where it must") {
    const double log_max = 0x1.62e42fefa39efp+9;  // the largest double whose exponential is finite
    CHECK(pintle::exp(log_max) < kInf);
    CHECK(pintle::exp(std::nextafter(log_max, kInf)) == kInf);
    CHECK(pintle::exp(kInf) == kInf);
    CHECK(same(pintle::exp(-kInf), 0.0));
    CHECK(pintle::exp(-745.1) == std::numeric_limits<double>::denorm_min());
    CHECK(same(pintle::exp(-745.2), 0.0));
    CHECK(pintle::exp(0.0) == 1);
    CHECK(pintle::exp(-0.0) == 1);
    CHECK(std::isnan(pintle::exp(kNotANumber)));
  }

  TEST_CASE("the error of log is bounded, also around one and for subnormals") {
    check_function(
        "everyday", our_log, std_log, [](Random& r) { return r.uniform(0, 10); }, kExpLogBound);
    check_function(
        "all sizes", our_log, std_log, [](Random& r) { return std::fabs(r.log_uniform(-1074, 1024)); }, kExpLogBound);
    check_function(
        "around one", our_log, std_log, [](Random& r) { return 1 + r.log_uniform(-53, -2); }, kExpLogBound);
    check_function(
        "at the change of exponent", our_log, std_log,
        [](Random& r) { return std::sqrt(0.5) * (1 + r.log_uniform(-52, -8)); }, kExpLogBound);
  }

  TEST_CASE("log at the ends of its domain") {
    CHECK(same(pintle::log(1.0), 0.0));
    CHECK(pintle::log(0.0) == -kInf);
    CHECK(pintle::log(-0.0) == -kInf);
    CHECK(pintle::log(kInf) == kInf);
    CHECK(std::isnan(pintle::log(-1.0)));
    CHECK(std::isnan(pintle::log(-kInf)));
    CHECK(std::isnan(pintle::log(-std::numeric_limits<double>::denorm_min())));
    CHECK(std::isnan(pintle::log(kNotANumber)));
  }

  TEST_CASE("exp undoes log") {
    // exp magnifies the error of its argument, half a unit in the last place of log x, by |log x|; its own error is 1.
    Random random;
    for (int i = 0; i < 100000; ++i) {
      const double x = std::fabs(random.log_uniform(-1000, 1000));
      const double size = std::fabs(pintle::log(x));
      CHECK(std::fabs(pintle::exp(pintle::log(x)) - x) <= (0.6 * size + 2) * kEpsilon<double> * x);
    }
  }

  TEST_CASE("the error of pow is bounded") {
    check_function_of_two(
        "everyday", our_pow, std_pow,
        [](Random& r) {
          return Pair{r.uniform(0, 10), r.uniform(-10, 10)};
        },
        kPowBound);
    check_function_of_two(
        "base around one, large exponent", our_pow, std_pow,
        [](Random& r) {
          const double f = r.log_uniform(-50, -2);
          return Pair{1 + f, r.uniform(-700, 700) / std::fabs(f)};
        },
        kPowBound);
    check_function_of_two(
        "whole range", our_pow, std_pow,
        [](Random& r) {
          const double x = std::fabs(r.log_uniform(-1074, 1024));
          return Pair{x, r.uniform(-745, 710) / std::log(x)};
        },
        kPowBound);
    check_function_of_two(
        "integer powers of negative numbers", our_pow, std_pow,
        [](Random& r) {
          return Pair{r.uniform(-3, 0), std::nearbyint(r.uniform(-300, 300))};
        },
        kPowBound);
  }

  TEST_CASE("pow has C's special values") {
    std::vector<double> values = {0.0,    0.5,  1.0,   1.5,    2.0,       3.0,      4.0,         0x1p52 + 1,
                                  0x1p53, kInf, 1e300, 1e-300, 0x1p-1074, 0.999999, kNotANumber, 5e15 + 1};
    const std::size_t count = values.size();
    for (std::size_t i = 0; i < count; ++i) values.push_back(-values[i]);
    for (const double x : values) {
      for (const double y : values) {
        const double expected = std::pow(x, y);
        const bool special = !std::isfinite(expected) || expected == 0 || std::fabs(expected) == 1;
        CAPTURE(x);
        CAPTURE(y);
        if (special)
          CHECK(same(pintle::pow(x, y), expected));
        else
          CHECK(ulp_error(pintle::pow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))) <=
                kPowBound);
      }
    }
  }

  TEST_CASE("small integer powers of small integers are exact") {
    // Exact results below 2^53: an error under half a unit rounds to them.
    for (int x = 2; x <= 9; ++x) {
      double power = 1;
      for (int n = 1; power * x < 0x1p53; ++n) {
        power *= x;
        CHECK(pintle::pow(static_cast<double>(x), static_cast<double>(n)) == power);
      }
    }
  }

  TEST_CASE("the error of atan2 is bounded in all quadrants and for all sizes") {
    check_function_of_two(
        "everyday", our_atan2, std_atan2,
        [](Random& r) {
          return Pair{r.uniform(-2, 2), r.uniform(-2, 2)};
        },
        kAtanBound);
    check_function_of_two(
        "all ratios", our_atan2, std_atan2,
        [](Random& r) {
          return Pair{r.log_uniform(-60, 60), r.log_uniform(-60, 60)};
        },
        kAtanBound);
    check_function_of_two(
        "all sizes", our_atan2, std_atan2,
        [](Random& r) {
          return Pair{r.log_uniform(-1074, 1024), r.log_uniform(-1074, 1024)};
        },
        kAtanBound);
    check_function_of_two(
        "near the diagonals", our_atan2, std_atan2,
        [](Random& r) {
          const double x = r.log_uniform(-1060, 1020);
          return Pair{x * (1 + r.log_uniform(-52, -2)), r.bits() & 1 ? x : -x};
        },
        kAtanBound);
    check_function(
        "atan", our_atan, std_atan, [](Random& r) { return r.log_uniform(-60, 60); }, kAtanBound);
  }

  TEST_CASE("atan2 has C's special values") {
    const double tiny = std::numeric_limits<double>::denorm_min();
    const double huge = std::numeric_limits<double>::max();
    for (const double y : {0.0, tiny, 1.0, huge, kInf, kNotANumber}) {
      for (const double x : {0.0, tiny, 1.0, huge, kInf, kNotANumber}) {
        for (const double signed_y : {y, -y}) {
          for (const double signed_x : {x, -x}) {
            CAPTURE(signed_y);
            CAPTURE(signed_x);
            CHECK(same(pintle::atan2(signed_y, signed_x), std::atan2(signed_y, signed_x)));
          }
        }
      }
    }
  }

  TEST_CASE("atan2 undoes sincos") {
    // The angle moves by at most the error of the point, 1.5 eps, and is rounded: 3 eps times its size or 1.
    Random random;
    for (int i = 0; i < 100000; ++i) {
      const double angle = random.uniform(-kPi<double>, kPi<double>);
      const SinCos<double> point = sincos(angle);
      CHECK(std::fabs(pintle::atan2(point.sin, point.cos) - angle) <=
            3 * kEpsilon<double> * std::fmax(1.0, std::fabs(angle)));
    }
  }

  TEST_CASE("the errors of asin and acos are bounded, also near the ends") {
    const auto everywhere = [](Random& r) { return r.uniform(-1, 1); };
    const auto near_zero = [](Random& r) { return r.log_uniform(-1060, 0); };
    const auto near_one = [](Random& r) {
      const double x = 1 - std::fabs(r.log_uniform(-53, -1));
      return r.bits() & 1 ? x : -x;
    };
    check_function("asin", our_asin, std_asin, everywhere, kAtanBound);
    check_function("asin near zero", our_asin, std_asin, near_zero, kAtanBound);
    check_function("asin near the ends", our_asin, std_asin, near_one, kAtanBound);
    check_function("acos", our_acos, std_acos, everywhere, kAtanBound);
    check_function("acos near zero", our_acos, std_acos, near_zero, kAtanBound);
    check_function("acos near the ends", our_acos, std_acos, near_one, kAtanBound);
    CHECK(same(pintle::asin(-0.0), -0.0));
    CHECK(pintle::asin(1.0) == std::asin(1.0));
    CHECK(pintle::asin(-1.0) == std::asin(-1.0));
    CHECK(same(pintle::acos(1.0), 0.0));
    CHECK(pintle::acos(-1.0) == std::acos(-1.0));
    for (const double x : {std::nextafter(1.0, 2.0), -1.5, kInf, -kInf, kNotANumber}) {
      CHECK(std::isnan(pintle::asin(x)));
      CHECK(std::isnan(pintle::acos(x)));
    }
  }

  TEST_CASE_TEMPLATE("rounding and floor are exact", T, double, float) {
    for (const T x : mixed_values<T>(10000)) {
      CAPTURE(x);
      if (std::isnan(x)) {
        CHECK(std::isnan(pintle::floor(x)));
        continue;
      }
      CHECK(bits_of(round_to_nearest(x)) == bits_of(std::nearbyint(x)));
      CHECK(bits_of(pintle::floor(x)) == bits_of(std::floor(x)));
    }
  }

  TEST_CASE("a lane of a pack has the bits of the plain number, whatever its neighbours are") {
    CHECK(differing_lanes_of_all_widths([](auto x, auto) { return pintle::exp(x); }) == 0);
    CHECK(differing_lanes_of_all_widths([](auto x, auto) { return pintle::log(x); }) == 0);
    CHECK(differing_lanes_of_all_widths([](auto x, auto y) { return pintle::pow(x, y); }) == 0);
    CHECK(differing_lanes_of_all_widths([](auto x, auto y) { return pintle::atan2(y, x); }) == 0);
    CHECK(differing_lanes_of_all_widths([](auto x, auto) { return pintle::atan(x); }) == 0);
    CHECK(differing_lanes_of_all_widths([](auto x, auto) { return pintle::asin(x); }) == 0);
    CHECK(differing_lanes_of_all_widths([](auto x, auto) { return pintle::acos(x); }) == 0);
    CHECK(differing_lanes_of_all_widths([](auto x, auto) { return pintle::floor(x); }) == 0);
    CHECK(differing_lanes_of_all_widths([](auto x, auto) { return round_to_nearest(x); }) == 0);
  }

  TEST_CASE("long double, the yard-stick of other tests, is the C library's") {
    CHECK(pintle::exp(1.0L) == std::exp(1.0L));
    CHECK(sincos(1.0L).cos == std::cos(1.0L));
    CHECK(pintle::atan2(1.0L, -2.0L) == std::atan2(1.0L, -2.0L));
  }

  TEST_CASE("the bits are those of the bit family, for every compiler and optimisation level") {
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&](auto function) {
      hash = hash_of_results<double>(function, hash);
      hash = hash_of_results<float>(function, hash);
    };
    add([](auto x, auto) { return sincos(x).sin; });
    add([](auto x, auto) { return sincos(x).cos; });
    add([](auto x, auto) { return pintle::tan(x); });
    add([](auto x, auto) { return pintle::exp(x); });
    add([](auto x, auto) { return pintle::log(x); });
    add([](auto x, auto y) { return pintle::pow(x, y); });
    add([](auto x, auto y) { return pintle::atan2(y, x); });
    add([](auto x, auto) { return pintle::asin(x); });
    add([](auto x, auto) { return pintle::acos(x); });
    // Whoever changes an algorithm or a constant on purpose writes the new values here and in CHANGELOG.md.
    CHECK(hash == (PINTLE_HAS_FMA ? 1474211809146632941u : 14133919295552006382u));
  }
}
