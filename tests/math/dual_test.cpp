#include "support/law.h"

using namespace test;

namespace {

using D = Dual<double, 2>;

/// The derivative of f at x by a symmetric difference in long double: error about h^2 f''' + eps_long / h = 1e-12.
template <class F>
double difference(F f, double x) {
  const long double h = 1e-6L;
  return static_cast<double>((f(x + h) - f(x - h)) / (2 * h));
}

}  // namespace

TEST_CASE("dual: every elementary function has the derivative that differences show") {
  RandomStream stream(7);
  for (int i = 0; i < 200; ++i) {
    const double x = stream.uniform(0.05, 0.95);
    const D d = D::variable(x, 1);
    const auto check = [&](const D& result, auto f) {
      CHECK(static_cast<double>(f(static_cast<long double>(x))) == doctest::Approx(result.value).epsilon(1e-14));
      CHECK(result.derivative[0] == 0.0);
      CHECK(difference(f, x) == doctest::Approx(result.derivative[1]).epsilon(1e-9));
    };
    using L = long double;
    check(sqrt(d), [](L a) { return sqrt(a); });
    check(sin(d), [](L a) { return sin(a); });
    check(cos(d), [](L a) { return cos(a); });
    check(tan(d), [](L a) { return tan(a); });
    check(exp(d), [](L a) { return exp(a); });
    check(log(d), [](L a) { return log(a); });
    check(atan(d), [](L a) { return atan(a); });
    check(asin(d), [](L a) { return asin(a); });
    check(acos(d), [](L a) { return acos(a); });
    check(abs(-d), [](L a) { return a; });
    check(copysign(d, D(-1.0)), [](L a) { return -a; });
    check(copysign(-d, D(1.0)), [](L a) { return a; });
    check(pow(d, D(2.5)), [](L a) { return pow(a, 2.5L); });
    check(pow(D(2.5), d), [](L a) { return pow(2.5L, a); });
    check(pow(d, d), [](L a) { return pow(a, a); });
    check(atan2(d, D(-0.5)), [](L a) { return atan2(a, -0.5L); });
    check(atan2(D(0.5), d), [](L a) { return atan2(0.5L, a); });
    check(d / (d + D(1.0)), [](L a) { return a / (a + 1); });
    check(max(d, D(0.5)), [](L a) { return a > 0.5L ? a : 0.5L; });
    check(fma(d, d, d), [](L a) { return a * a + a; });
  }
}

TEST_CASE("dual: a constant exponent allows a base that is zero or negative") {
  const D cube = pow(D::variable(-2.0, 0), D(3.0));
  CHECK(cube.value == -8.0);
  CHECK(cube.derivative[0] == 12.0);
  const D at_zero = pow(D::variable(0.0, 0), D(2.0));
  CHECK(at_zero.value == 0.0);
  CHECK(at_zero.derivative[0] == 0.0);
}

TEST_CASE("dual: nested duals give second derivatives") {
  using D2 = Dual<Dual<double, 1>, 1>;
  for (const double x : {0.3, 1.0, 2.5}) {
    D2 d(Dual<double, 1>::variable(x, 0));
    d.derivative[0] = Dual<double, 1>(1.0);
    const D2 y = sin(d) * exp(d);  // y'' = 2 cos(x) exp(x)
    CHECK(y.derivative[0].derivative[0] == doctest::Approx(2.0 * cos(x) * exp(x)).epsilon(1e-14));
    const D2 z = pow(d, D2(3.0));
    CHECK(z.derivative[0].derivative[0] == doctest::Approx(6.0 * x).epsilon(1e-14));
    // x^x: (x^x)'' = x^x ((1 + log x)^2 + 1/x); the exponent's own first derivative must not be lost.
    const D2 w = pow(d, d);
    const double expected = pow(x, x) * ((1.0 + log(x)) * (1.0 + log(x)) + 1.0 / x);
    CHECK(w.derivative[0].derivative[0] == doctest::Approx(expected).epsilon(1e-13));
  }
}

TEST_CASE("dual: a value not selected leaves no trace, NaN or not") {
  const D bad = sqrt(D::variable(0.0, 0)) / D(0.0);
  const D good = select(true, D::variable(1.0, 0), bad);
  CHECK(good.value == 1.0);
  CHECK(good.derivative[0] == 1.0);
}

TEST_CASE("dual: comparisons look at the value") {
  const D a = D::variable(1.0, 0), b(1.0), c(2.0);
  CHECK(a == b);
  CHECK(a <= b);
  CHECK(a >= b);
  CHECK(a != c);
  CHECK(a < c);
  CHECK(c > a);
}

TEST_CASE("dual: assignment operators are the plain ones") {
  D a = D::variable(3.0, 0);
  a += D(1.0);
  a *= a;
  a -= D(6.0);
  a /= D(2.0);
  CHECK(a.value == 5.0);
  CHECK(a.derivative[0] == 4.0);
}
