#include "pintle/math/hyperbolic_impl.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "pintle/base/random.h"

using namespace pintle;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// |value - exact| in units in the last place of the exact value.
double ulps(double value, long double exact) {
  const double size = std::abs(static_cast<double>(exact));
  const double ulp = std::nextafter(size, kInf) - size;
  return static_cast<double>(std::abs(static_cast<long double>(value) - exact) / ulp);
}

}  // namespace

TEST_CASE("hyperbolic: within 5 units in the last place, near zero and near overflow too") {
  RandomStream stream(3);
  double worst[3] = {};
  for (int i = 0; i < 300000; ++i) {
    const double size = i % 3 == 0   ? stream.uniform(0.0, 1.5)
                        : i % 3 == 1 ? std::ldexp(1.0, -static_cast<int>(stream.uniform(0, 60)))
                                     : stream.uniform(0.0, 709.0);
    const double x = i % 2 == 0 ? size : -size;
    const long double exact = x;
    worst[0] = std::fmax(worst[0], ulps(pintle::sinh(x), std::sinh(exact)));
    worst[1] = std::fmax(worst[1], ulps(pintle::cosh(x), std::cosh(exact)));
    worst[2] = std::fmax(worst[2], ulps(pintle::tanh(x), std::tanh(exact)));
  }
  for (const double w : worst) CHECK(w <= 5.0);
}

TEST_CASE("hyperbolic: special values") {
  CHECK(pintle::sinh(0.0) == 0.0);
  CHECK(std::signbit(pintle::sinh(-0.0)));
  CHECK(std::signbit(pintle::tanh(-0.0)));
  CHECK(pintle::cosh(0.0) == 1.0);
  CHECK(pintle::sinh(1e-300) == 1e-300);
  CHECK(pintle::sinh(710.4) == doctest::Approx(std::sinh(710.4)).epsilon(1e-14));
  CHECK(pintle::sinh(-kInf) == -kInf);
  CHECK(pintle::cosh(-kInf) == kInf);
  CHECK(pintle::tanh(800.0) == 1.0);
  CHECK(pintle::tanh(-kInf) == -1.0);
  CHECK(std::isnan(pintle::sinh(kNan)));
  CHECK(std::isnan(pintle::cosh(kNan)));
  CHECK(std::isnan(pintle::tanh(kNan)));
}

TEST_CASE("hyperbolic: a lane is the plain number's result; duals have the closed derivatives") {
  RandomStream stream(4);
  using D = Dual<double, 1>;
  for (int i = 0; i < 1000; ++i) {
    NativePack<double> x;
    for (int lane = 0; lane < NativePack<double>::kLanes; ++lane) x.set(lane, stream.uniform(-3.0, 3.0));
    for (int lane = 0; lane < NativePack<double>::kLanes; ++lane) {
      CHECK(sinh(x)[lane] == pintle::sinh(x[lane]));
      CHECK(cosh(x)[lane] == pintle::cosh(x[lane]));
      CHECK(tanh(x)[lane] == pintle::tanh(x[lane]));
    }
    const double a = x[0];
    CHECK(sinh(D::variable(a, 0)).derivative[0] == pintle::cosh(a));
    CHECK(cosh(D::variable(a, 0)).derivative[0] == pintle::sinh(a));
    CHECK(tanh(D::variable(a, 0)).derivative[0] == doctest::Approx(1.0 / (std::cosh(a) * std::cosh(a))).epsilon(1e-13));
  }
  const Dual<D, 1> far = tanh(Dual<D, 1>::variable(D::variable(900.0, 0), 0));
  CHECK(far.derivative[0].derivative[0] == 0.0);
}
