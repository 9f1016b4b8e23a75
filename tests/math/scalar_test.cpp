#include "support/law.h"

using namespace test;

static_assert(Scalar<double> && Scalar<float> && Scalar<long double>);
static_assert(Scalar<Pack<double, 2>> && Scalar<Pack<double, 4>> && Scalar<Pack<double, 8>>);
static_assert(Scalar<Pack<float, 4>> && Scalar<Pack<float, 8>> && Scalar<Pack<float, 16>>);
static_assert(Scalar<Dual<double, 1>> && Scalar<Dual<float, 6>> && Scalar<Dual<Pack<double, 4>, 3>>);
static_assert(Scalar<Dual<Dual<double, 2>, 2>>);
static_assert(Scalar<Counted>);  // a user's own
static_assert(!Scalar<const char*> && !Scalar<Vec3<double>>);

TEST_CASE_TEMPLATE("scalar: select, min, max, abs and copysign agree with comparison", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const T a = s.number(), b = s.number();
    CHECK(all(min(a, b) <= max(a, b)));
    check_close<T>(min(a, b) + max(a, b), a + b, 1);
    check_close<T>(select(a < b, a, b), min(a, b), 0);
    check_close<T>(abs(a), max(a, -a), 0);
    check_close<T>(copysign(abs(a), a), a, 0);
    check_close<T>(square(a), a * a, 0);
    CHECK(all(abs(a) >= T(0)));
  });
}

TEST_CASE_TEMPLATE("scalar: sqrt, exp, log, sincos and atan2 undo one another", T, PINTLE_EVERY_SCALAR) {
  for_random<T>([](auto& s) {
    const T x = s.number(0.5, 2.0);
    check_close<T>(square(sqrt(x)), x, 1, 4);
    check_close<T>(exp(log(x)), x, 1, 4);
    check_close<T>(log(exp(x)), x, 1, 4);
    check_close<T>(pow(x, T(2)), x * x, 2, 4);
    const T angle = s.number(-3.0, 3.0);
    const SinCos<T> f = sincos(angle);
    check_close<T>(atan2(f.sin, f.cos), angle, 1, 3);
    check_close<T>(square(f.sin) + square(f.cos), T(1), 2, 2);
  });
}

TEST_CASE("scalar: fma rounds once exactly in the fused family") {
  const double a = 1.0 + 0x1p-30;
  const double fused = fma(a, a, -1.0), separate = a * a - 1.0;
  CHECK((fused != separate) == (PINTLE_HAS_FMA == 1));
}

TEST_CASE("scalar: a user's own number type runs through the engine") {
  Counted::operations = 0;
  const Pose<Counted> X = exp(Twist<Counted>{{1.0, 2.0, 3.0}, {0.1, 0.2, 0.3}});
  const Pose<double> Y = exp(Twist<double>{{1.0, 2.0, 3.0}, {0.1, 0.2, 0.3}});
  CHECK(X.translation.x.value == doctest::Approx(Y.translation.x).epsilon(1e-14));
  CHECK(Counted::operations > 100);
}
