#include <doctest/doctest.h>

#include <string>

#include "math/ulp.h"

using namespace pintle;
using namespace pintle::testing;

namespace {

// What elementary.h promises. A reduced angle carries 2^-60 of error, the polynomials 2^-57 (float: 2^-27); the rest is
// the rounding of a handful of operations on terms that are at most half the result, and of the result itself.
constexpr double kDoubleBound = 1.5;
constexpr double kFloatBound = 2.0;
constexpr double kTanBound = 1.5;

template <class T>
void see_sincos(Worst& sin_worst, Worst& cos_worst, T x) {
  const SinCos<T> result = sincos(x);
  sin_worst.see(ulp_error(result.sin, std::sin(Reference<T>(x))), static_cast<double>(x));
  cos_worst.see(ulp_error(result.cos, std::cos(Reference<T>(x))), static_cast<double>(x));
}

void check(const std::string& where, const Worst& worst, double bound) {
  CAPTURE(where);
  CAPTURE(worst.x);
  MESSAGE(where, ": worst error ", worst.error, " ulp");
  CHECK(worst.error <= bound);
}

}  // namespace

TEST_SUITE("sincos") {
  TEST_CASE("the error is bounded for angles of everyday size") {
    Random random;
    for (const double limit : {0.8, 10.0, 1e3, 1e5}) {
      Worst sin_worst, cos_worst;
      for (int i = 0; i < 150000; ++i) see_sincos(sin_worst, cos_worst, random.uniform(-limit, limit));
      CAPTURE(limit);
      check("sin", sin_worst, kDoubleBound);
      check("cos", cos_worst, kDoubleBound);
    }
  }

  TEST_CASE("the error is bounded for magnitudes of all sizes") {
    Random random;
    Worst sin_worst, cos_worst;
    for (int i = 0; i < 150000; ++i) see_sincos(sin_worst, cos_worst, random.log_uniform(-1074, 1024));
    for (int i = 0; i < 150000; ++i) see_sincos(sin_worst, cos_worst, random.log_uniform(-30, 20));
    check("sin", sin_worst, kDoubleBound);
    check("cos", cos_worst, kDoubleBound);
  }

  TEST_CASE("the error is bounded at the doubles nearest to every multiple of pi/2 up to 1e5 and a little beyond") {
    const long double half_pi = 1.570796326794896619231321691639751442L;
    Worst sin_worst, cos_worst;
    for (int k = 1; k <= 63800; ++k) {
      const double x = static_cast<double>(half_pi * k);
      see_sincos(sin_worst, cos_worst, x);
      see_sincos(sin_worst, cos_worst, std::nextafter(x, 0.0));
      see_sincos(sin_worst, cos_worst, -std::nextafter(x, HUGE_VAL));
    }
    check("sin", sin_worst, kDoubleBound);
    check("cos", cos_worst, kDoubleBound);
  }

  TEST_CASE("the error is bounded half way between the multiples of pi/2, where the quadrant changes") {
    const long double quarter_pi = 0.785398163397448309615660845819875721L;
    Worst sin_worst, cos_worst;
    for (int k = 1; k <= 127323; k += 2) {
      const double x = static_cast<double>(quarter_pi * k);
      see_sincos(sin_worst, cos_worst, x);
      see_sincos(sin_worst, cos_worst, -std::nextafter(x, 0.0));
      see_sincos(sin_worst, cos_worst, std::nextafter(x, HUGE_VAL));
    }
    check("sin", sin_worst, kDoubleBound);
    check("cos", cos_worst, kDoubleBound);
  }

  TEST_CASE("the error is bounded at the large doubles that lie closest to a multiple of pi/2") {
    // The closest of all doubles, 6381956970095103 2^797, is 2^-61 away from one.
    const double closest = std::ldexp(6381956970095103.0, 797);
    Worst sin_worst, cos_worst;
    for (const double x : {closest, 0x1.6ac5b262ca1ffp+849, 0x1.951064e9f6a9ap+51, 1e22, 1e300, 1e308,
                           std::numeric_limits<double>::max(), std::nextafter(1e5, HUGE_VAL)}) {
      see_sincos(sin_worst, cos_worst, x);
      see_sincos(sin_worst, cos_worst, -x);
    }
    check("sin", sin_worst, kDoubleBound);
    check("cos", cos_worst, kDoubleBound);
    // Computed with 400 decimal digits: cos(closest) = -4.6871659242546276e-19, sin(closest) = 1.
    CHECK(pintle::cos(closest) == -4.6871659242546276e-19);
    CHECK(pintle::sin(closest) == 1.0);
  }

  TEST_CASE("the error of floats is bounded over the fast range and beyond") {
    Worst sin_worst, cos_worst;
    const std::uint32_t limit = bits_of(1e3f);
    for (std::uint32_t bits = 1; bits <= limit; bits += 2003) {
      see_sincos(sin_worst, cos_worst, std::bit_cast<float>(bits));
    }
    for (int k = 1; k <= 640; ++k) {
      const float x = static_cast<float>(1.5707963267948966 * k);
      see_sincos(sin_worst, cos_worst, x);
      see_sincos(sin_worst, cos_worst, std::nextafter(x, 0.0f));
      see_sincos(sin_worst, cos_worst, -std::nextafter(x, 1e4f));
    }
    for (std::uint32_t bits = limit; bits < bits_of(std::numeric_limits<float>::infinity()); bits += 10007) {
      see_sincos(sin_worst, cos_worst, std::bit_cast<float>(bits));
    }
    check("sin", sin_worst, kFloatBound);
    check("cos", cos_worst, kFloatBound);
  }

  TEST_CASE_TEMPLATE("zeros keep their sign, tiny angles are their own sine, and no angle gives NaN", T, double,
                     float) {
    const T inf = std::numeric_limits<T>::infinity();
    for (const T x : {T(0), std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::min() / 3}) {
      for (const T signed_x : {x, -x}) {
        CHECK(bits_of(pintle::sin(signed_x)) == bits_of(signed_x));
        CHECK(bits_of(pintle::tan(signed_x)) == bits_of(signed_x));
        CHECK(pintle::cos(signed_x) == 1);
      }
    }
    for (const T x : {inf, -inf, std::numeric_limits<T>::quiet_NaN()}) {
      CHECK(std::isnan(pintle::sin(x)));
      CHECK(std::isnan(pintle::cos(x)));
      CHECK(std::isnan(pintle::tan(x)));
    }
  }

  TEST_CASE("the sine is odd and the cosine even, in every bit") {
    for (const double x : mixed_values<double>(10000)) {
      if (!std::isfinite(x)) continue;
      CHECK(pintle::sin(-x) == -pintle::sin(x));
      CHECK(pintle::cos(-x) == pintle::cos(x));
    }
  }

  TEST_CASE("sin^2 + cos^2 = 1") {
    // Each square carries twice the relative error of its root and a rounding: 4 eps for bounds of 1.5 ulp.
    for (const double x : mixed_values<double>(10000)) {
      if (!std::isfinite(x)) continue;
      const SinCos<double> r = sincos(x);
      CHECK(std::fabs(r.sin * r.sin + r.cos * r.cos - 1) <= 4 * kEpsilon<double>);
    }
  }

  TEST_CASE("the error of the tangent is bounded") {
    Random random;
    Worst worst, worst_float;
    for (int i = 0; i < 150000; ++i) {
      for (const double x : {random.uniform(-10, 10), random.log_uniform(-1000, 1000)}) {
        worst.see(ulp_error(pintle::tan(x), std::tan(static_cast<long double>(x))), x);
      }
      const float f = static_cast<float>(random.log_uniform(-20, 20));
      worst_float.see(ulp_error(pintle::tan(f), std::tan(static_cast<double>(f))), static_cast<double>(f));
    }
    check("tan", worst, kTanBound);
    check("tan of floats", worst_float, 0.51);  // one rounding of a double
  }

  TEST_CASE("a lane of a pack has the bits of the plain number, whatever its neighbours are") {
    CHECK(differing_lanes_of_all_widths([](auto x, auto) { return sincos(x).sin; }) == 0);
    CHECK(differing_lanes_of_all_widths([](auto x, auto) { return sincos(x).cos; }) == 0);
    CHECK(differing_lanes_of_all_widths([](auto x, auto) { return pintle::sin(x); }) == 0);
    CHECK(differing_lanes_of_all_widths([](auto x, auto) { return pintle::cos(x); }) == 0);
    CHECK(differing_lanes_of_all_widths([](auto x, auto) { return pintle::tan(x); }) == 0);
  }
}
